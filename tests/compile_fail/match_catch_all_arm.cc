// must fail: call to 'match.*lambda\(const auto
//
// A generic arm would swallow the alternative that is added next year.
#include <variant>

#include "base/base/match.h"

struct Passed {};
struct Failed {};

int code(const std::variant<Passed, Failed>& verdict) {
  return cg::match(
      verdict, [](const Passed&) { return 0; },
#ifdef MUST_FAIL
      [](const auto&) { return 1; });
#else
      [](const Failed&) { return 1; });
#endif
}
