#include <algorithm>
#include <map>
#include <set>

#include "base/json/json.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/uri.h"
#include "vuln/formats/words.h"

namespace cg::formats {

namespace {

using json::Value;

Value vulnerability_of(const findings::Finding& finding) {
  Value::Object out{{"name", utf8(finding.advisory)}};
  if (!finding.summary.empty()) out.emplace_back("description", summary(finding));
  std::set<std::string_view> seen{finding.advisory};
  Value::Array aliases;
  for (const std::string& alias : finding.aliases) {
    if (seen.insert(alias).second) aliases.emplace_back(utf8(alias));
  }
  if (!aliases.empty()) out.emplace_back("aliases", std::move(aliases));
  return out;
}

/// Statements that differ only in their products, put together. Kept in the order in
/// which they came.
class Statements {
 public:
  void add(Value::Object statement, const std::string& product) {
    const auto [place, is_new] = at_.emplace(json::write_json(statement), all_.size());
    if (is_new) all_.push_back({std::move(statement), {}});
    std::vector<std::string>& products = all_[place->second].products;
    if (std::find(products.begin(), products.end(), product) == products.end()) {
      products.push_back(product);
    }
  }

  [[nodiscard]] Value::Array take() {
    Value::Array out;
    for (Statement& statement : all_) {
      Value::Array products;
      for (const std::string& product : statement.products) {
        products.emplace_back(Value::Object{{"@id", product}});
      }
      statement.members.emplace_back("products", std::move(products));
      out.emplace_back(std::move(statement.members));
    }
    return out;
  }

 private:
  struct Statement {
    Value::Object members;
    std::vector<std::string> products;
  };
  std::vector<Statement> all_;
  std::map<std::string, std::size_t> at_;
};

/// What VEX can tell apart: an advisory and a package in a version.
using Subject = std::pair<std::string, std::string>;
Subject subject_of(const findings::Finding& finding) {
  return {finding.advisory, purl(finding.package, finding.version)};
}

/// All that is advised for the copies of a subject, and what is ignored elsewhere.
struct Answers {
  std::vector<std::string> actions;
  std::string notes;
};

void add_once(std::vector<std::string>& list, std::string text) {
  constexpr std::size_t kMost = 10;
  if (list.size() < kMost && std::find(list.begin(), list.end(), text) == list.end()) {
    list.push_back(std::move(text));
  }
}

std::map<Subject, Answers> open_subjects(const findings::Scan& scan) {
  std::map<Subject, Answers> out;
  for (const findings::Finding& finding : scan.findings) {
    add_once(out[subject_of(finding)].actions, advice(finding));
  }
  for (const findings::Finding& finding : scan.suppressed) {
    const auto open = out.find(subject_of(finding));
    if (open == out.end() || !open->second.notes.empty()) continue;
    open->second.notes = "Ignored at " + shown(finding.location, 300) + ": " +
                         ignored_because(finding.suppression.value_or(findings::Suppression{}));
  }
  return out;
}

Value::Object affected(const findings::Finding& finding, const Answers& answers) {
  std::string actions;
  for (const std::string& action : answers.actions)
    actions += (actions.empty() ? "" : " ") + action;
  Value::Object out{{"vulnerability", vulnerability_of(finding)},
                    {"status", "affected"},
                    {"action_statement", actions}};
  add_text(out, "status_notes", answers.notes);
  return out;
}

Value::Object ignored(const findings::Finding& finding) {
  const findings::Suppression by = finding.suppression.value_or(findings::Suppression{});
  Value::Object out{{"vulnerability", vulnerability_of(finding)}};
  if (is_vex_label(by.justification)) {
    out.emplace_back("status", "not_affected");
    out.emplace_back("justification", by.justification);
    out.emplace_back("impact_statement", ignored_because(by));
    return out;
  }
  out.emplace_back("status", "under_investigation");
  out.emplace_back("status_notes", "Ignored: " + ignored_because(by));
  return out;
}

}  // namespace

Value openvex(const findings::Scan& scan) {
  const std::map<Subject, Answers> open = open_subjects(scan);
  Statements statements;
  for (const findings::Finding& finding : scan.findings) {
    const Subject subject = subject_of(finding);
    statements.add(affected(finding, open.at(subject)), subject.second);
  }
  for (const findings::Finding& finding : scan.suppressed) {
    const Subject subject = subject_of(finding);
    if (!open.contains(subject)) statements.add(ignored(finding), subject.second);
  }
  Value::Object body{{"author", "codegenie"}, {"timestamp", to_iso(scan.time)}, {"version", 1}};
  body.emplace_back("tooling", "codegenie " + utf8(scan.tool_version));
  body.emplace_back("statements", statements.take());

  Value::Object out{{"@context", "https://openvex.dev/ns/v0.2.0"},
                    {"@id", urn_uuid(json::write_json(body))}};
  for (Value::Member& member : body) out.push_back(std::move(member));
  return out;
}

}  // namespace cg::formats
