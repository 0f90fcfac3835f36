// must fail: 'cg::WorkflowId::WorkflowId\(std::string\)' is private
//
// A WorkflowId may stand in a file name, because parse() has looked at it.
#include <string>

#include "base/domain/ids.h"

cg::WorkflowId forge(const std::string& text) {
#ifdef MUST_FAIL
  return cg::WorkflowId(text);
#else
  return cg::WorkflowId::parse(text).value();
#endif
}
