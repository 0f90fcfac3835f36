#include "vuln/findings/select.h"

#include <algorithm>
#include <tuple>

#include "base/json/json.h"

namespace cg::findings {

namespace {

constexpr std::size_t kMaxBaselineBytes = 256U << 20U;
constexpr char kBetween = '\n';  // occurs in no id, name, version or path that is read

/// Higher is worse. What nobody has rated may be anything, so it goes before "low".
int rank(advisory::Level level) {
  switch (level) {
    case advisory::Level::critical:
      return 5;
    case advisory::Level::high:
      return 4;
    case advisory::Level::moderate:
      return 3;
    case advisory::Level::unknown:
      return 2;
    case advisory::Level::low:
      return 1;
    case advisory::Level::none:
      break;
  }
  return 0;
}

auto names(const Finding& f) {
  return std::tie(f.package, f.version, f.lockfile, f.location, f.advisory);
}

bool by_severity(const Finding& a, const Finding& b) {
  const auto key = [](const Finding& f) {
    return std::tuple(-rank(f.severity.level), -f.severity.tenths.value_or(0));
  };
  return std::tuple(key(a), names(a)) < std::tuple(key(b), names(b));
}

bool by_risk(const Finding& a, const Finding& b) {
  const auto key = [](const Finding& f) {
    return std::tuple(!f.malware, -rank(f.severity.level), f.dev, !f.direct,
                      -f.severity.tenths.value_or(0));
  };
  return std::tuple(key(a), names(a)) < std::tuple(key(b), names(b));
}

bool by_depth(const Finding& a, const Finding& b) {
  return std::tuple(a.via.size(), -rank(a.severity.level), names(a)) <
         std::tuple(b.via.size(), -rank(b.severity.level), names(b));
}

bool is_wanted(const Finding& finding, const Selection& selection) {
  if (selection.production_only && finding.dev) return false;
  if (!selection.package.empty() && finding.package != selection.package) return false;
  if (selection.fixable_only && finding.outlook.strategy == Strategy::none) return false;
  if (selection.advisories.empty()) return true;
  return std::any_of(selection.advisories.begin(), selection.advisories.end(),
                     [&](const std::string& id) { return is_named(finding, id); });
}

std::string text_of(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value != nullptr && value->is_string() ? *value->as_string() : std::string();
}

std::string identity_of(const std::string& advisory, const std::string& package,
                        const std::string& version, const std::string& lockfile,
                        const std::string& location) {
  return advisory + kBetween + package + kBetween + version + kBetween + lockfile + kBetween +
         location;
}

}  // namespace

std::optional<Order> parse_order(std::string_view word) {
  if (word == "risk") return Order::risk;
  if (word == "severity") return Order::severity;
  if (word == "depth") return Order::depth;
  return std::nullopt;
}

void sort(std::vector<Finding>& findings, Order order) {
  const auto less = order == Order::risk       ? by_risk
                    : order == Order::severity ? by_severity
                                               : by_depth;
  // Findings are large; sorting pointers to them is not.
  std::vector<Finding*> sorted;
  sorted.reserve(findings.size());
  for (Finding& finding : findings) sorted.push_back(&finding);
  std::sort(sorted.begin(), sorted.end(),
            [&](const Finding* a, const Finding* b) { return less(*a, *b); });
  std::vector<Finding> out;
  out.reserve(findings.size());
  for (Finding* finding : sorted) out.push_back(std::move(*finding));
  findings = std::move(out);
}

void select(Scan& scan, const Selection& selection) {
  for (auto* list : {&scan.findings, &scan.suppressed}) {
    std::erase_if(*list, [&](const Finding& finding) { return !is_wanted(finding, selection); });
  }
}

std::string identity(const Finding& finding) {
  return identity_of(finding.advisory, finding.package, finding.version, finding.lockfile,
                     finding.location);
}

Result<std::set<std::string>, std::string> read_baseline(std::string_view json) {
  const auto value =
      json::parse_json(json, {.max_bytes = kMaxBaselineBytes, .max_nodes = kMaxBaselineBytes});
  if (!value) return fail(json::describe(value.error()));
  if (text_of(*value, "schema") != "codegenie/scan/v1") {
    return fail(std::string("not the output of `codegenie scan --format json`"));
  }
  std::set<std::string> out;
  for (const std::string_view list : {"findings", "suppressed"}) {
    const json::Value* found = value->find(list);
    if (found == nullptr || !found->is_array()) return fail("no list `" + std::string(list) + "`");
    for (const json::Value& item : *found->as_array()) {
      out.insert(identity_of(text_of(item, "advisory"), text_of(item, "package"),
                             text_of(item, "version"), text_of(item, "lockfile"),
                             text_of(item, "location")));
    }
  }
  return out;
}

std::size_t drop_known(Scan& scan, const std::set<std::string>& baseline) {
  return std::erase_if(
      scan.findings, [&](const Finding& finding) { return baseline.contains(identity(finding)); });
}

bool is_at_least(const Finding& finding, advisory::Level level) {
  return finding.malware || rank(finding.severity.level) >= rank(level);
}

}  // namespace cg::findings
