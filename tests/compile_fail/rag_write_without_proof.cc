// must fail: cannot convert 'const cg::gate::Failed' to 'const cg::gate::Passed&'
// convert|invalid initialization|no matching function'
//
// Nothing is taught by a fix that no gate let pass: a verdict that failed is no proof of one.
#include "learn/rag/writer.h"

void teach(cg::rag::Writer& store, const cg::gate::Passed& passed, const cg::gate::Failed& failed,
           cg::record::Events& events) {
#ifdef MUST_FAIL
  static_cast<void>(passed);
  static_cast<void>(store.write({}, failed, {}, 1, events));
#else
  static_cast<void>(store.write_failed({}, failed, 1, events));
  static_cast<void>(store.write({}, passed, {}, 1, events));
#endif
}
