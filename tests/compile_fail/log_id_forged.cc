// must fail: 'cg::LogId::LogId\(std::string\)' is private
//
// A LogId may stand in a file name, because parse() has looked at it.
#include <string>

#include "base/domain/ids.h"

cg::LogId forge(const std::string& text) {
#ifdef MUST_FAIL
  return cg::LogId(text);
#else
  return cg::LogId::parse(text).value();
#endif
}
