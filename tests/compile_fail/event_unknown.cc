// must fail: call to .*push_back\(Invented\)
//
// The list of events is closed: what is not in it cannot be written.
#include <string>

#include "trust/record/event.h"

struct Invented {
  std::string text;
};

void tell(cg::record::Events& events) {
#ifdef MUST_FAIL
  events.push_back(Invented{"x"});
#else
  events.push_back(cg::record::OperatorNoted{"x"});
#endif
}
