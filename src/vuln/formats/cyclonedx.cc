#include <algorithm>
#include <map>

#include "base/base/text.h"
#include "base/json/json.h"
#include "vuln/advisory/severity.h"
#include "vuln/formats/bill.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/uri.h"
#include "vuln/formats/words.h"

namespace cg::formats {

namespace {

using advisory::Level;
using json::Value;

std::string_view severity_name(Level level) {
  return level == Level::moderate ? "medium" : advisory::name(level);
}

std::string_view method_of(std::string_view vector) {
  if (vector.starts_with("CVSS:3.0/")) return "CVSSv3";
  if (vector.starts_with("CVSS:3.1/")) return "CVSSv31";
  if (vector.starts_with("CVSS:4.0/")) return "CVSSv4";
  if (vector.starts_with("AV:") || vector.starts_with("(AV:")) return "CVSSv2";
  return "other";
}

Value rating_of(const advisory::Severity& severity) {
  Value::Object out;
  if (severity.tenths) out.emplace_back("score", *severity.tenths / 10.0);
  out.emplace_back("severity", severity_name(severity.level));
  if (!severity.vector.empty()) out.emplace_back("method", method_of(severity.vector));
  add_text(out, "vector", severity.vector);
  return out;
}

/// Who gives out such ids.
Value source_of(std::string_view id) {
  const auto at = [&](std::string_view name, std::string_view prefix) {
    Value::Object out{{"name", name}};
    const std::string url = std::string(prefix) + std::string(id);
    if (is_plain_https(url)) out.emplace_back("url", url);
    return out;
  };
  if (id.starts_with("GHSA-")) {
    return at("GitHub Advisory Database", "https://github.com/advisories/");
  }
  if (id.starts_with("CVE-")) return at("NVD", "https://nvd.nist.gov/vuln/detail/");
  return at("OSV", "https://osv.dev/vulnerability/");
}

Value references_of(const findings::Finding& finding) {
  Value::Array out;
  for (const std::string& alias : finding.aliases) {
    out.emplace_back(Value::Object{{"id", utf8(alias)}, {"source", source_of(alias)}});
  }
  return out;
}

Value cwes_of(const findings::Finding& finding) {
  constexpr std::uint64_t kMost = 1'000'000;
  Value::Array out;
  for (const std::string& cwe : finding.cwes) {
    if (!cwe.starts_with("CWE-")) continue;
    const auto number = parse_u64(std::string_view(cwe).substr(4));
    if (!number || *number == 0 || *number > kMost) continue;
    out.emplace_back(static_cast<std::int64_t>(*number));
  }
  return out;
}

Value advisories_of(const findings::Finding& finding) {
  Value::Array out;
  for (const std::string& reference : finding.references) {
    if (is_plain_https(reference)) out.emplace_back(Value::Object{{"url", reference}});
  }
  return out;
}

/// 2022-03-01T00:00:00Z, with or without a fraction of the second.
bool is_timestamp(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (text.size() <= kShape.size() || text.size() > 40 || !text.ends_with('Z')) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0' ? !is_digit(text[i]) : text[i] != kShape[i]) return false;
  }
  const std::string_view rest = text.substr(kShape.size(), text.size() - kShape.size() - 1);
  return rest.empty() ||
         (rest.size() > 1 && rest[0] == '.' && std::all_of(rest.begin() + 1, rest.end(), is_digit));
}

std::string_view justification_of(std::string_view label) {
  if (label == "vulnerable_code_not_in_execute_path") return "code_not_reachable";
  if (label == "vulnerable_code_cannot_be_controlled_by_adversary") return "requires_environment";
  if (label == "inline_mitigations_already_exist") return "protected_by_mitigating_control";
  return "code_not_present";
}

Value analysis_of(const findings::Suppression& suppression) {
  Value::Object out;
  if (is_vex_label(suppression.justification)) {
    out.emplace_back("state", "not_affected");
    out.emplace_back("justification", justification_of(suppression.justification));
    out.emplace_back("response", Value::Array{"will_not_fix"});
  } else {
    out.emplace_back("state", "in_triage");
  }
  out.emplace_back("detail", ignored_because(suppression));
  return out;
}

/// The findings that share an advisory and an answer to it.
struct Group {
  std::vector<const findings::Finding*> findings;
  bool suppressed = false;
};

void collect(std::vector<Group>& groups, const std::vector<findings::Finding>& findings,
             bool suppressed) {
  std::map<std::string, std::size_t> at;
  for (const findings::Finding& finding : findings) {
    std::string key = finding.advisory;
    if (suppressed && finding.suppression) {
      key +=
          '\n' + finding.suppression->justification + '\n' + ignored_because(*finding.suppression);
    }
    const auto [place, is_new] = at.emplace(std::move(key), groups.size());
    if (is_new) groups.push_back({{}, suppressed});
    groups[place->second].findings.push_back(&finding);
  }
}

std::string recommendation_of(const Group& group) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> all;
  for (const findings::Finding* finding : group.findings) {
    std::string one = advice(*finding);
    if (all.size() < kMost && std::find(all.begin(), all.end(), one) == all.end()) {
      all.push_back(std::move(one));
    }
  }
  std::string out;
  for (const std::string& one : all) out += (out.empty() ? "" : " ") + one;
  return out;
}

Value affects_of(const Group& group, const Bill& bill) {
  std::map<std::string_view, bool> seen;
  Value::Array out;
  for (const findings::Finding* finding : group.findings) {
    const std::string& ref = bill.ref(*finding);
    if (!seen.emplace(ref, true).second) continue;
    Value::Object affected{{"ref", ref}};
    if (!finding->version.empty()) {
      affected.emplace_back("versions", Value::Array{Value::Object{
                                            {"version", utf8(cut_utf8(finding->version, 1000))},
                                            {"status", "affected"}}});
    }
    out.emplace_back(std::move(affected));
  }
  return out;
}

Value vulnerability_of(const Group& group, Bill& bill) {
  const findings::Finding& first = *group.findings.front();
  Value::Object out{{"bom-ref", bill.fresh_ref("vulnerability/" + utf8(first.advisory))},
                    {"id", utf8(first.advisory)},
                    {"source", source_of(first.advisory)},
                    {"references", references_of(first)},
                    {"ratings", Value::Array{rating_of(first.severity)}},
                    {"cwes", cwes_of(first)},
                    {"description", summary(first)},
                    {"recommendation", recommendation_of(group)},
                    {"advisories", advisories_of(first)}};
  if (is_timestamp(first.modified)) out.emplace_back("updated", first.modified);
  if (group.suppressed) {
    out.emplace_back("analysis", analysis_of(first.suppression.value_or(findings::Suppression{})));
  }
  out.emplace_back("affects", affects_of(group, bill));
  return out;
}

/// "shop" for "examples/shop/".
std::string name_of(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::string_view last = path.substr(path.rfind('/') + 1);
  return last.empty() || last == "." || last == ".." ? std::string(Bill::kRepository) : utf8(last);
}

Value metadata_of(const findings::Scan& scan) {
  Value::Object tool{{"type", "application"}, {"name", "codegenie"}};
  add_text(tool, "version", scan.tool_version);
  Value::Object repository{
      {"type", "application"}, {"bom-ref", Bill::kRepository}, {"name", name_of(scan.repo.path)}};
  add_text(repository, "version", cut_utf8(scan.repo.head, 1000));
  Value::Array properties;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    properties.emplace_back(Value::Object{{"name", name}, {"value", utf8(value)}});
  };
  add("codegenie:index:digest", scan.index.digest);
  add("codegenie:index:built", to_iso(scan.index.built));
  return Value::Object{{"timestamp", to_iso(scan.time)},
                       {"tools", Value::Object{{"components", Value::Array{std::move(tool)}}}},
                       {"component", std::move(repository)},
                       {"properties", std::move(properties)}};
}

}  // namespace

Value cyclonedx(const findings::Scan& scan) {
  Bill bill(scan);
  std::vector<Group> groups;
  collect(groups, scan.findings, false);
  collect(groups, scan.suppressed, true);
  Value::Array vulnerabilities;
  for (const Group& group : groups) vulnerabilities.push_back(vulnerability_of(group, bill));

  Value::Object body{{"version", 1},
                     {"metadata", metadata_of(scan)},
                     {"components", bill.components()},
                     {"dependencies", bill.dependencies()}};
  if (scan.components.empty()) {
    Value::Array compositions;
    compositions.push_back(Value::Object{{"aggregate", "incomplete"},
                                         {"assemblies", Value::Array{Value(Bill::kRepository)}}});
    body.push_back({"compositions", std::move(compositions)});
  }
  body.emplace_back("vulnerabilities", std::move(vulnerabilities));

  Value::Object out{{"$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json"},
                    {"bomFormat", "CycloneDX"},
                    {"specVersion", "1.6"},
                    {"serialNumber", urn_uuid(json::write_json(body))}};
  for (Value::Member& member : body) out.push_back(std::move(member));
  return out;
}

}  // namespace cg::formats
