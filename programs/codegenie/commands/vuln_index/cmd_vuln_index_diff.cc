// codegenie vuln-index diff
#include "base/base/text.h"
#include "commands.h"
#include "flow/scan/index.h"
#include "text/audit_text.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxFileBytes = 1U << 30U;
constexpr std::string_view kCurrent = "current";

/// A bundle, a feed, an index file, or `current` for the one of the workspace.
Result<vulnindex::Draft, Problem> records_of(const std::string& name, Session& session) {
  if (name == kCurrent) {
    CG_TRY_ASSIGN(const Access access, open_workspace(session));
    CG_TRY_ASSIGN(vulnindex::Index index, scan::open_any_index(access));
    auto draft = index.draft();
    if (!draft) return fail(scan::problem_of(draft.error()));
    return *std::move(draft);
  }
  if (auto index = vulnindex::Index::open(name)) {
    auto draft = index->draft();
    if (!draft) return fail(scan::problem_of(draft.error()));
    return *std::move(draft);
  }
  if (const auto bytes = read_user_file(name, kMaxFileBytes)) {
    if (auto bundle = vulnindex::read_bundle(*bytes, name)) return std::move(bundle->draft);
  }
  vulnindex::Draft draft;
  vulnindex::Tally tally;
  const auto read = vulnindex::read_feed(
      name, {[&](const vulnindex::RawRecord& record) { draft.add("osv", record, tally); },
             [&](vulnindex::Rejected row) { draft.reject(std::move(row), tally); }});
  if (!read) return fail(scan::problem_of(read.error()));
  return draft;
}

json::Value list(const std::vector<std::string>& ids) {
  json::Value::Array out;
  for (const std::string& id : ids) out.emplace_back(printable(id));
  return out;
}

std::string changes_text(const vulnindex::Changes& changes) {
  std::string out;
  for (const std::string& id : changes.added) out += "+ " + printable(id) + "\n";
  for (const std::string& id : changes.changed) out += "~ " + printable(id) + "\n";
  for (const std::string& id : changes.removed) out += "- " + printable(id) + "\n";
  return out + grouped(changes.added.size()) + " new, " + grouped(changes.changed.size()) +
         " changed, " + grouped(changes.removed.size()) + " gone\n";
}

Result<Report, Problem> run_diff(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const auto before, records_of(invocation.arguments.at(0), session));
  CG_TRY_ASSIGN(const auto after, records_of(invocation.arguments.at(1), session));
  const vulnindex::Changes changes = vulnindex::changes_between(before, after);
  return json_report(json::Value::Object{{"schema", "codegenie/vuln-index-diff/v1"},
                                         {"added", list(changes.added)},
                                         {"changed", list(changes.changed)},
                                         {"removed", list(changes.removed)}},
                     [changes](const cli::Style&) { return changes_text(changes); });
}

}  // namespace

Entry vuln_index_diff_command() {
  return {
      {.path = {"vuln-index", "diff"},
       .summary = "Compare two indexes, bundles or feeds by advisory",
       .arguments = {{.name = "OLD_FILE", .help = "an index, bundle or feed; `current` for ours"},
                     {.name = "NEW_FILE", .help = "the same"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard,
                 ExitCode::stale_data},
       .examples = {{"codegenie vuln-index diff current advisories.tar.zst",
                     "what would an import change?"}}},
      run_diff};
}

}  // namespace cg::program
