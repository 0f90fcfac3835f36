#include <map>

#include "base/base/text.h"
#include "vuln/advisory/severity.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/uri.h"
#include "vuln/formats/words.h"

namespace cg::formats {

namespace {

using advisory::Level;
using json::Value;

/// SARIF's plain text has links in brackets and places for arguments in braces.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '[' || c == ']') out += '\\';
    if (c == '{' || c == '}') out += c;
    out += c;
  }
  return out;
}

Value message_of(std::string_view text) { return Value::Object{{"text", plain(text)}}; }

std::string_view level_of(Level level) {
  switch (urgency_of(level)) {
    case Urgency::error:
      return "error";
    case Urgency::warning:
      return "warning";
    case Urgency::note:
      break;
  }
  return "note";
}

/// GitHub sorts by this number alone. Without a score: the middle of the level's band.
std::string security_severity(const advisory::Severity& severity) {
  if (severity.tenths) return score(*severity.tenths);
  switch (severity.level) {
    case Level::critical:
      return "9.5";
    case Level::high:
      return "8.0";
    case Level::moderate:
      return "5.5";
    case Level::low:
      return "2.0";
    case Level::none:
      return "0.0";
    case Level::unknown:
      break;
  }
  return "";
}

Value tags_of(const findings::Finding& finding) {
  Value::Array tags{"security", finding.malware ? "malware" : "vulnerability"};
  for (const std::string& cwe : finding.cwes) {
    if (!cwe.starts_with("CWE-")) continue;
    const std::string number = cwe.substr(4);
    if (!parse_u64(number) || number.size() > 6) continue;
    const std::string zeros(number.size() < 3 ? 3 - number.size() : 0, '0');
    tags.emplace_back("external/cwe/cwe-" + zeros + number);
  }
  return tags;
}

std::string help_of(const findings::Finding& finding) {
  std::string out = shown(finding.advisory, 60) + " affects " + shown(finding.package, 214);
  if (!finding.affected.empty()) out += " " + shown(finding.affected, 300);
  out += ": " + summary(finding) + ". ";
  if (finding.fixed_in.empty()) return out + "No version is known to fix it.";
  out += "Fixed in ";
  for (std::size_t i = 0; i < finding.fixed_in.size() && i < 10; ++i) {
    if (i > 0) out += ", ";
    out += shown(finding.fixed_in[i], 100);
  }
  return out + ".";
}

Value rule_of(const findings::Finding& finding) {
  Value::Object rule{
      {"id", utf8(finding.advisory)},
      {"shortDescription", message_of(summary(finding))},
      {"fullDescription", message_of(shown(finding.package, 214) + ": " + summary(finding))},
      {"help", message_of(help_of(finding))}};
  add_text(rule, "helpUri", page(finding));
  rule.emplace_back("defaultConfiguration",
                    Value::Object{{"level", level_of(finding.severity.level)}});
  Value::Object properties{{"tags", tags_of(finding)}};
  add_text(properties, "security-severity", security_severity(finding.severity));
  if (!finding.aliases.empty()) properties.emplace_back("aliases", texts(finding.aliases));
  rule.emplace_back("properties", std::move(properties));
  return rule;
}

Value location_of(const findings::Finding& finding) {
  const Value artifact =
      Value::Object{{"uri", relative_uri(finding.lockfile)}, {"uriBaseId", "%SRCROOT%"}};
  const Value region = Value::Object{{"startLine", static_cast<std::int64_t>(finding.at.line)},
                                     {"startColumn", static_cast<std::int64_t>(finding.at.column)}};
  return Value::Object{
      {"physicalLocation", Value::Object{{"artifactLocation", artifact}, {"region", region}}},
      {"logicalLocations",
       Value::Array{
           Value::Object{{"fullyQualifiedName", utf8(finding.location)}, {"kind", "package"}}}}};
}

/// The first is the only one that GitHub compares.
Value fingerprints_of(const findings::Finding& finding) {
  const std::string id = fingerprint(finding);
  return Value::Object{{"primaryLocationLineHash", id.substr(0, 16) + ":1"},
                       {"codegenieFinding/v1", id}};
}

Value suppressions_of(const findings::Finding& finding, bool suppressed) {
  if (!suppressed) return Value::Array{};  // "certainly none", where no member would be "unknown"
  const findings::Suppression by = finding.suppression.value_or(findings::Suppression{});
  Value::Object out{
      {"kind", "external"}, {"status", "accepted"}, {"justification", ignored_because(by)}};
  Value::Object properties;
  add_text(properties, "justification", by.justification);
  add_text(properties, "owner", by.owner);
  add_text(properties, "expires", by.expires);
  if (!properties.empty()) out.emplace_back("properties", std::move(properties));
  return Value::Array{std::move(out)};
}

Value properties_of(const findings::Finding& finding) {
  Value::Object out{{"package", utf8(finding.package)},
                    {"version", utf8(finding.version)},
                    {"purl", purl(finding.package, finding.version)},
                    {"fixed_in", texts(finding.fixed_in)},
                    {"provenance", provenance::kind_name(finding.provenance)},
                    {"plan", findings::name(finding.outlook.strategy)},
                    {"direct", finding.direct},
                    {"dev", finding.dev}};
  if (finding.suppression && finding.suppression->expired) out.emplace_back("ignore_expired", true);
  return out;
}

/// The one run's rules and results, as they come.
struct Run {
  Value::Array rules;
  Value::Array results;
  std::map<std::string, std::size_t, std::less<>> rule_index;

  void add(const findings::Finding& finding, bool suppressed) {
    const auto [rule, is_new] = rule_index.emplace(finding.advisory, rules.size());
    if (is_new) rules.push_back(rule_of(finding));
    results.emplace_back(
        Value::Object{{"ruleId", utf8(finding.advisory)},
                      {"ruleIndex", static_cast<std::int64_t>(rule->second)},
                      {"level", level_of(finding.severity.level)},
                      {"message", message_of(message(finding) + " " + advice(finding))},
                      {"locations", Value::Array{location_of(finding)}},
                      {"partialFingerprints", fingerprints_of(finding)},
                      {"suppressions", suppressions_of(finding, suppressed)},
                      {"properties", properties_of(finding)}});
  }
};

Value invocation_of(const findings::Scan& scan) {
  Value::Array notifications;
  for (const std::string& warning : scan.warnings) {
    notifications.emplace_back(
        Value::Object{{"level", "warning"}, {"message", message_of(shown(warning, 1000))}});
  }
  return Value::Object{{"executionSuccessful", true},
                       {"endTimeUtc", to_iso(scan.time)},
                       {"toolExecutionNotifications", std::move(notifications)}};
}

}  // namespace

Value sarif(const findings::Scan& scan) {
  Run run;
  for (const findings::Finding& finding : scan.findings) run.add(finding, false);
  for (const findings::Finding& finding : scan.suppressed) run.add(finding, true);

  Value::Object driver{{"name", "codegenie"}};
  add_text(driver, "semanticVersion", scan.tool_version);
  driver.emplace_back("rules", std::move(run.rules));
  const Value whole =
      Value::Object{{"tool", Value::Object{{"driver", std::move(driver)}}},
                    {"invocations", Value::Array{invocation_of(scan)}},
                    {"columnKind", "unicodeCodePoints"},
                    {"results", std::move(run.results)},
                    {"properties", Value::Object{{"indexDigest", utf8(scan.index.digest)},
                                                 {"indexBuilt", to_iso(scan.index.built)}}}};
  return Value::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", Value::Array{whole}}};
}

}  // namespace cg::formats
