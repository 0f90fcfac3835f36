#include "text/index_change.h"

#include "base/base/text.h"
#include "flow/scan/index.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxRejectedTold = 20;

json::Value rejected_json(const std::vector<vulnindex::Rejected>& rejected) {
  json::Value::Array out;
  for (const vulnindex::Rejected& row : rejected) {
    out.push_back(json::Value::Object{{"where", printable(row.where)},
                                      {"id", printable(row.id)},
                                      {"reason", printable(row.reason)}});
  }
  return out;
}

std::string change_text(const IndexChange& change, const cli::Style& style) {
  const auto& [added, changed, removed] = change.replacement.changes;
  std::string out = "Read " + printable(change.origin) + "\n";
  out += "  + " + grouped(added.size()) + " new   ~ " + grouped(changed.size()) + " changed   - " +
         grouped(removed.size()) + " gone";
  if (change.tally.withdrawn > 0) out += "   " + grouped(change.tally.withdrawn) + " withdrawn";
  if (change.tally.other_ecosystem > 0) {
    out += "   " + grouped(change.tally.other_ecosystem) + " of other ecosystems";
  }
  if (!change.tally.rejected.empty()) {
    out += "   ! " + grouped(change.tally.rejected.size()) + " rejected";
  }
  out += "\n";
  for (std::size_t i = 0; i < change.tally.rejected.size() && i < kMaxRejectedTold; ++i) {
    const vulnindex::Rejected& row = change.tally.rejected[i];
    out += style.paint(cli::Role::warning, "    rejected ") + printable(row.where) +
           (row.id.empty() ? "" : " " + printable(row.id)) + ": " + printable(row.reason) + "\n";
  }
  if (change.tally.rejected.size() > kMaxRejectedTold)
    out += "    and more; --json lists them all\n";
  const vulnindex::Summary& summary = change.replacement.summary;
  out += "Holds " + counted(summary.advisories, "advisory", "advisories") + " for " +
         counted(summary.packages, "package", "packages") + ", " + summary.digest.substr(0, 19) +
         std::string(style.ellipsis()) + "\n";
  if (!change.replacement.kept_as.empty()) {
    out += "Put in place in one step; the previous one is kept as " + change.replacement.kept_as +
           "\n";
  }
  return out;
}

}  // namespace

Report change_report(IndexChange change) {
  const auto& changes = change.replacement.changes;
  json::Value json = json::Value::Object{{"schema", "codegenie/vuln-index-change/v1"},
                                         {"verb", change.verb},
                                         {"origin", printable(change.origin)},
                                         {"facts", facts_json(change.replacement.summary)},
                                         {"added", number(changes.added.size())},
                                         {"changed", number(changes.changed.size())},
                                         {"removed", number(changes.removed.size())},
                                         {"withdrawn", number(change.tally.withdrawn)},
                                         {"other_ecosystem", number(change.tally.other_ecosystem)},
                                         {"rejected", rejected_json(change.tally.rejected)},
                                         {"kept_as", change.replacement.kept_as}};
  return json_report(std::move(json), [change = std::move(change)](const cli::Style& style) {
    return change_text(change, style);
  });
}

json::Value facts_json(const vulnindex::Summary& summary) {
  json::Value::Object sources;
  for (const auto& [source, count] : summary.sources) sources.emplace_back(source, number(count));
  return json::Value::Object{
      {"digest", summary.digest},           {"built", to_iso(summary.built)},
      {"newest", to_iso(summary.newest)},   {"advisories", number(summary.advisories)},
      {"malware", number(summary.malware)}, {"packages", number(summary.packages)},
      {"sources", std::move(sources)},      {"rejected", number(summary.rejected)}};
}

}  // namespace cg::program
