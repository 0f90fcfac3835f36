// CG_ASSERT: for our own mistakes, never for input. Stays on in release builds.
#pragma once

namespace cg {

using AssertionHandler = void (*)(const char* what, const char* file, int line) noexcept;

/// Called with the broken invariant before the program ends. A program sets it
/// once, at start, to print one line and exit with code 70.
void set_assertion_handler(AssertionHandler handler);

/// Ends the program. What was acknowledged before stays on disk: every write of
/// ours is atomic.
[[noreturn]] void assertion_failed(const char* what, const char* file, int line) noexcept;

}  // namespace cg

#define CG_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::cg::assertion_failed(#condition, __FILE__, __LINE__))
