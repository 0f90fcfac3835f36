#include "start.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "frame.h"
#include "output.h"

namespace cg::program {

namespace {

[[noreturn]] void report_bug(const char* what, const char* file, int line) noexcept {
  char text[512];
  const int length =
      std::snprintf(text, sizeof text, "codegenie: bug: %s at %s:%d\n", what, file, line);
  const auto size = length < 0 ? 0 : std::min(static_cast<std::size_t>(length), sizeof text - 1);
  write_stderr({text, size});
  _exit(static_cast<int>(ExitCode::bug));
}

int bug(const std::string& what) {
  write_stderr("codegenie: bug: " + printable(what) + "\n");
  return static_cast<int>(ExitCode::bug);
}

}  // namespace

int start(const CommandSet& (*commands)(), int argc, const char* const* argv, CiKey ci_key) {
  set_assertion_handler(report_bug);
  secure_standard_streams();
  // A reader that went away is an error of write(), not a silent end.
  signal(SIGPIPE, SIG_IGN);
  try {
    Session session = read_session(argc, argv, environ);
    session.ci_key = std::move(ci_key);
    return static_cast<int>(run(commands(), session));
  } catch (const std::exception& e) {
    return bug(e.what());
  } catch (...) {
    return bug("unknown exception");
  }
}

}  // namespace cg::program
