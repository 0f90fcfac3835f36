#include "base/base/assert.h"

#include <cstdlib>

namespace cg {

namespace {
AssertionHandler g_handler = nullptr;
}

void set_assertion_handler(AssertionHandler handler) { g_handler = handler; }

void assertion_failed(const char* what, const char* file, int line) noexcept {
  if (g_handler != nullptr) g_handler(what, file, line);
  std::abort();
}

}  // namespace cg
