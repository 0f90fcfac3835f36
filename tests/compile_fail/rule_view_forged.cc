// must fail: is private
// A RuleView is bytes that were checked; there is no other way to one than parse().
#include "vuln/advisory/rule.h"

bool made() {
#ifdef MUST_FAIL
  const cg::advisory::RuleView view;
  return view.malware();
#else
  return cg::advisory::RuleView::parse("").has_value();
#endif
}
