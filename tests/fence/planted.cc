// Not linked into anything: what a pure module must never do, one of each, for
// the self-test of the purity fence.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <random>
#include <thread>

namespace cg::planted {

const char* environment() { return std::getenv("HOME"); }
void standard_output(int n) { std::printf("%d\n", n); }
void line_output() { std::puts("x"); }
void stream_output() { std::cerr << "x"; }
bool file_input() { return std::ifstream("x").good(); }
bool file_system() { return std::filesystem::exists("x"); }
long wall_clock() { return std::chrono::system_clock::now().time_since_epoch().count(); }
long steady_clock() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
unsigned randomness() { return std::random_device()(); }
void thread() {
  std::thread([] {}).join();
}
void lock(std::mutex& mutex) { mutex.lock(); }

}  // namespace cg::planted
