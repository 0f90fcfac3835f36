// A case that is read is one that reads back the same, and every report takes it.
#include <cstdint>
#include <string_view>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "fix/report/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto c = cg::report::from_json(text);
  if (!c) {
    CG_ASSERT(cg::printable(c.error()) == c.error());
    return 0;
  }
  const std::string written = cg::json::write_json(cg::report::to_json(*c));
  const auto again = cg::report::from_json(written);
  CG_ASSERT(again.has_value());
  CG_ASSERT(cg::json::write_json(cg::report::to_json(*again)) == written);
  CG_ASSERT(cg::report::pr_body(*c).size() <= cg::report::kPrBodyBytes);
  for (const std::string& out : {cg::report::markdown(*c), cg::report::html(*c),
                                 cg::report::handoff(*c), cg::report::commit_message(*c)}) {
    CG_ASSERT(cg::is_utf8(out));
  }
  return 0;
}
