// How a program of ours runs under a sanitizer. Looking for leaks at its end would take the /proc
// and the calls that a sealed program no longer has; the tests of the modules look for them.
extern "C" const char* __asan_default_options();  // NOLINT: the runtime's name
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
