#include "vuln/advisory/nvd.h"

#include <algorithm>
#include <cmath>

#include "base/base/text.h"
#include "base/json/json.h"
#include "vuln/advisory/cvss.h"

namespace cg::advisory {

namespace {

using json::Value;
using Kind = RecordError::Kind;

constexpr std::size_t kMaxDescription = 16 * 1024;
constexpr std::size_t kMaxItems = 10'000;

bool is_text(const Value* value, std::string_view text) {
  return value != nullptr && value->as_string() != nullptr && *value->as_string() == text;
}

Result<std::string, RecordError> description_of(const Value& cve) {
  CG_TRY_ASSIGN(const Value::Array* all, array_of(cve, "descriptions", kMaxItems));
  for (std::size_t i = 0; i < all->size(); ++i) {
    if (!is_text((*all)[i].find("lang"), "en")) continue;
    auto text = cut_text((*all)[i], "value", kMaxDescription);
    if (!text) return fail(within("descriptions", i, text.error()));
    return *std::move(text);
  }
  return std::string();
}

/// A score as JSON has it, 9 or 9.8, in tenths.
std::optional<int> tenths_of(const Value* score) {
  if (score == nullptr) return std::nullopt;
  const auto whole = score->as_int();
  const auto real = score->as_double();
  const double value = whole ? static_cast<double>(*whole) : real.value_or(-1);
  if (!(value >= 0 && value <= 10)) return std::nullopt;
  return static_cast<int>(std::lround(value * 10));
}

/// From one item of cvssMetricV…: the vector if it can be read, else the score alone.
std::optional<Severity> severity_of(const Value& metric) {
  const Value* data = metric.find("cvssData");
  if (data == nullptr) return std::nullopt;
  const Value* vector = data->find("vectorString");
  const std::string* text = vector == nullptr ? nullptr : vector->as_string();
  if (text != nullptr) {
    if (const auto score = score_cvss(*text)) {
      return Severity{score->level, score->tenths, *text, SeveritySource::cvss};
    }
  }
  const auto tenths = tenths_of(data->find("baseScore"));
  const Value* word = data->find("baseSeverity");
  const auto level = word != nullptr && word->as_string() != nullptr
                         ? parse_level(*word->as_string())
                         : std::nullopt;
  if (!tenths || !level) return std::nullopt;
  return Severity{*level, tenths, {}, SeveritySource::cvss};
}

/// The primary item of one version; any other only if there is no primary one.
std::optional<Severity> best_of(const Value* list) {
  const Value::Array* items = list == nullptr ? nullptr : list->as_array();
  if (items == nullptr) return std::nullopt;
  std::optional<Severity> best;
  for (const Value& item : *items) {
    const bool primary = is_text(item.find("type"), "Primary");
    if (best && !primary) continue;
    if (auto found = severity_of(item)) best = std::move(found);
    if (best && primary) break;
  }
  return best;
}

Severity read_metrics(const Value& cve) {
  const Value* metrics = member(cve, "metrics");
  if (metrics == nullptr) return {};
  for (const char* key : {"cvssMetricV40", "cvssMetricV31", "cvssMetricV30", "cvssMetricV2"}) {
    if (auto best = best_of(member(*metrics, key))) return *std::move(best);
  }
  return {};
}

Result<Done, RecordError> read_weaknesses(const Value& cve, CveRecord& out) {
  CG_TRY_ASSIGN(const Value::Array* weaknesses, array_of(cve, "weaknesses", kMaxItems));
  for (std::size_t i = 0; i < weaknesses->size(); ++i) {
    const auto names = array_of((*weaknesses)[i], "description", kMaxItems);
    if (!names) return fail(within("weaknesses", i, names.error()));
    for (const Value& name : **names) {
      const Value* value = name.find("value");
      const std::string* text = value == nullptr ? nullptr : value->as_string();
      if (text != nullptr && text->starts_with("CWE-") && is_record_id(*text)) {
        out.cwes.push_back(*text);
      }
    }
  }
  sort_unique(out.cwes);
  return Done{};
}

Result<Done, RecordError> read_references(const Value& cve, CveRecord& out) {
  CG_TRY_ASSIGN(const Value::Array* references, array_of(cve, "references", kMaxItems));
  for (const Value& reference : *references) {
    const auto url = required_text(reference, "url", kMaxUrl);
    if (url) out.references.push_back({"WEB", std::string(*url)});
  }
  return Done{};
}

Result<Done, RecordError> read_exploited(const Value& cve, CveRecord& out) {
  if (member(cve, "cisaExploitAdd") == nullptr) return Done{};
  KnownExploited known;
  CG_TRY_ASSIGN(known.added, cut_text(cve, "cisaExploitAdd", 32));
  CG_TRY_ASSIGN(known.due, cut_text(cve, "cisaActionDue", 32));
  CG_TRY_ASSIGN(known.action, cut_text(cve, "cisaRequiredAction", kMaxDescription));
  CG_TRY_ASSIGN(known.name, cut_text(cve, "cisaVulnerabilityName", kMaxDescription));
  out.exploited = std::move(known);
  return Done{};
}

}  // namespace

Result<CveRecord, RecordError> read_cve(const Value& cve) {
  if (!cve.is_object()) return fail(RecordError{Kind::wrong_type, ""});
  CG_TRY_ASSIGN(const std::string_view id, required_text(cve, "id", 128));
  if (!is_record_id(id) || !id.starts_with("CVE-")) return fail(RecordError{Kind::bad_value, "id"});
  CveRecord out;
  out.id = id;
  CG_TRY_ASSIGN(out.description, description_of(cve));
  CG_TRY_ASSIGN(out.published, optional_time(cve, "published"));
  CG_TRY_ASSIGN(out.modified, optional_time(cve, "lastModified"));
  out.rejected = is_text(cve.find("vulnStatus"), "Rejected");
  out.severity = read_metrics(cve);
  CG_TRY(read_weaknesses(cve, out));
  CG_TRY(read_references(cve, out));
  CG_TRY(read_exploited(cve, out));
  return out;
}

void enrich(Advisory& advisory, const CveRecord& cve) {
  if (cve.rejected || !is_named(advisory, cve.id)) return;
  advisory.cwes.insert(advisory.cwes.end(), cve.cwes.begin(), cve.cwes.end());
  sort_unique(advisory.cwes);
  for (const Reference& reference : cve.references) {
    const auto same = [&](const Reference& other) { return other.url == reference.url; };
    auto& known = advisory.references;
    if (std::none_of(known.begin(), known.end(), same)) known.push_back(reference);
  }
  if (advisory.severity.level == Level::unknown) {
    advisory.severity = cve.severity;
  } else if (!advisory.severity.tenths) {
    advisory.severity.tenths = cve.severity.tenths;
    advisory.severity.vector = cve.severity.vector;
  }
}

}  // namespace cg::advisory
