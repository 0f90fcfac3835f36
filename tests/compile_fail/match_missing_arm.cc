// must fail: needs exactly one arm per alternative
#include <variant>

#include "base/base/match.h"

struct Passed {};
struct Failed {};

int code(const std::variant<Passed, Failed>& verdict) {
  return cg::match(
      verdict,
#ifndef MUST_FAIL
      [](const Failed&) { return 1; },
#endif
      [](const Passed&) { return 0; });
}
