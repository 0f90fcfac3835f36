// codegenie audit replay
#include "access.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "commands.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"

namespace cg::program {

namespace {

/// True if nothing is wrong with the log but the derived state itself.
bool only_state_is_broken(const audit::LogReport& v) {
  for (const Problem& p : v.breaks) {
    const bool state_file = !p.where.empty() && p.where[0].second.ends_with(audit::kStateFile);
    if (p.code != ErrorCode::audit_state && !state_file) return false;
  }
  return true;
}

Result<Report, Problem> run_audit_replay(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const audit::LogReport v, verify_log(access, invocation, session));
  if (!only_state_is_broken(v)) return fail(v.breaks.front());
  const std::string replayed = record::write_state(v.signed_state);
  const std::string path = audit::kEvents + "/" + audit::kStateFile;
  bool equal = v.breaks.empty();
  if (!equal && invocation.has("rebuild")) {
    const auto written = access.workspace.home.write_atomic(path, replayed);
    if (!written) return fail(audit::writing(written.error()));
    equal = true;
  }
  const auto json = json::parse_json(replayed);
  CG_ASSERT(json);
  Report report = json_report(
      json::Value::Object{
          {"schema", "codegenie/audit-replay/v1"}, {"equal", equal}, {"state", *json}},
      [v, equal](const cli::Style& style) {
        std::string out = "Replayed " + counted(v.entries, "entry", "entries") + ", head " +
                          blake3_name(v.head).substr(0, 23) + std::string(style.ellipsis()) + "\n";
        for (const auto& [kind, count] : v.state.kinds)
          out += "  " + grouped(count) + " " + kind + "\n";
        return out + (equal ? "The derived state is what the log gives, byte for byte\n"
                            : "The derived state differs from what the log gives\n");
      },
      equal ? ExitCode::ok : ExitCode::integrity);
  if (!equal) {
    report.problem = v.breaks.front();
    report.problem->help = {"codegenie audit replay --rebuild"};
  }
  return report;
}

}  // namespace

Entry audit_replay_command() {
  return {{.path = {"audit", "replay"},
           .summary = "Rebuild the derived state from the log and compare",
           .about = {"Heads, counts and open workflows follow from the log alone. This applies "
                     "every entry anew "
                     "and compares the result with events/state.json byte for byte. With --rebuild "
                     "a state file "
                     "that differs is replaced, if everything else about the log holds."},
           .flags = {{.name = "rebuild", .help = "write the state that the log gives"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard}},
          run_audit_replay};
}

}  // namespace cg::program
