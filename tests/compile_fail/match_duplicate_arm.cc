// must fail: 'struct std::invoke_result<cg::Overloaded<
//
// As many arms as alternatives, but one alternative is without.
#include <variant>

#include "base/base/match.h"

struct Passed {};
struct Failed {};

int code(const std::variant<Passed, Failed>& verdict) {
  return cg::match(
      verdict, [](const Passed&) { return 0; },
#ifdef MUST_FAIL
      [](const Passed&) { return 1; });
#else
      [](const Failed&) { return 1; });
#endif
}
