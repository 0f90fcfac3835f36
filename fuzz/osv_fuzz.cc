// Records of advisory databases; what is kept becomes rules that survive their bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "base/base/assert.h"
#include "base/json/json.h"
#include "vuln/advisory/cvss.h"
#include "vuln/advisory/nvd.h"
#include "vuln/advisory/osv.h"
#include "vuln/advisory/rule.h"

namespace {

using namespace cg::advisory;

void check(const Advisory& advisory) {
  for (const auto& [package, rule] : rules_of(advisory)) {
    const std::string bytes = encode_rule(rule);
    const auto view = RuleView::parse(bytes);
    CG_ASSERT(view && view->decode() == rule);
    for (const VersionKey& key : rule.fixed) CG_ASSERT(view->evaluate(key) == evaluate(rule, key));
    for (const Interval& interval : rule.intervals) {
      CG_ASSERT(view->evaluate(interval.from) == evaluate(rule, interval.from));
    }
    for (const VersionKey& key : rule.versions) CG_ASSERT(view->evaluate(key).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto record = parse_osv(text);
  if (!record) CG_ASSERT(describe(record.error()).size() < 2000);
  if (record && std::holds_alternative<Advisory>(*record)) check(std::get<Advisory>(*record));
  const auto json = cg::json::parse_json(text);
  if (const auto cve = json ? read_cve(*json) : read_cve({})) {
    Advisory advisory;
    advisory.id = cve->id;
    enrich(advisory, *cve);
  }
  if (const auto score = score_cvss(text)) CG_ASSERT(score->tenths >= 0 && score->tenths <= 100);
  if (const auto bound = parse_bound(text)) {
    CG_ASSERT(VersionKey::parse(VersionKey(*bound).bytes()));
  }
  return 0;
}
