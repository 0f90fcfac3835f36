#include "vuln/advisory/cvss_metrics.h"

#include "base/base/assert.h"
#include "base/base/text.h"

namespace cg::advisory {

namespace {

constexpr std::size_t kMaxVector = 512;

bool allows(std::string_view values, std::string_view value) {
  while (!values.empty()) {
    const std::size_t end = values.find(' ');
    if (values.substr(0, end) == value) return true;
    if (end == std::string_view::npos) break;
    values.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

Result<Metrics, CvssError> Metrics::parse(std::string_view text, std::span<const Metric> table) {
  CG_ASSERT(table.size() <= kMost);
  if (text.ends_with('/')) text.remove_suffix(1);
  if (text.empty() || text.size() > kMaxVector)
    return fail(CvssError{CvssError::Kind::malformed, {}});
  Metrics metrics(table);
  for (const std::string_view pair : split(text, '/')) CG_TRY(metrics.add(pair));
  for (const Metric& metric : table) {
    if (metric.mandatory && metrics[metric.name].empty()) {
      return fail(CvssError{CvssError::Kind::missing, std::string(metric.name)});
    }
  }
  return metrics;
}

Result<Done, CvssError> Metrics::add(std::string_view pair) {
  using Kind = CvssError::Kind;
  const std::size_t colon = pair.find(':');
  if (colon == std::string_view::npos) return fail(CvssError{Kind::malformed, printable(pair)});
  const std::string_view name = pair.substr(0, colon);
  const std::string_view value = pair.substr(colon + 1);
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (table_[i].name != name) continue;
    if (!given_[i].empty()) return fail(CvssError{Kind::repeated, std::string(name)});
    if (!allows(table_[i].values, value))
      return fail(CvssError{Kind::bad_value, std::string(name)});
    given_[i] = value;
    return Done{};
  }
  return fail(CvssError{Kind::unknown_metric, printable(name)});
}

std::string_view Metrics::operator[](std::string_view name) const {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (table_[i].name == name) return given_[i];
  }
  CG_ASSERT(false);
  return {};
}

}  // namespace cg::advisory
