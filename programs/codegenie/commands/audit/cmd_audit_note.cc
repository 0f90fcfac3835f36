// codegenie audit note
#include "access.h"
#include "base/base/text.h"
#include "commands.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxText = 2048;

Result<Report, Problem> run_audit_note(const cli::Invocation& invocation, Session& session) {
  const std::string text = invocation.arguments.at(0);
  if (text.empty() || text.size() > kMaxText) {
    return fail(
        bad_value("a remark has 1 to 2048 bytes", "write a shorter one, and point to the rest"));
  }
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  os::SystemClock clock;
  CG_TRY_ASSIGN(audit::Log log, open_log(access, clock));
  CG_TRY_ASSIGN(const audit::Receipt receipt, log.append({record::OperatorNoted{text}}));
  CG_TRY(log.checkpoint());
  return json_report(json::Value::Object{{"schema", "codegenie/audit-note/v1"},
                                         {"seq", number(receipt.first)},
                                         {"head", blake3_name(receipt.head)}},
                     [receipt](const cli::Style& style) {
                       return "Entry " + grouped(receipt.first) + ", head " +
                              blake3_name(receipt.head).substr(0, 23) +
                              std::string(style.ellipsis()) + "\n";
                     });
}

}  // namespace

Entry audit_note_command() {
  return {
      {.path = {"audit", "note"},
       .summary = "Record a remark of the operator",
       .about =
           {"For what the log cannot know by itself: why a guard was moved aside, who was told, "
            "which incident an entry belongs to. The text is stored as it is; do not put secrets "
            "into it."},
       .arguments = {{.name = "TEXT", .help = "the remark, at most 2048 bytes"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie audit note restored-from-backup-of-2026-11-14", "say why"}}},
      run_audit_note};
}

}  // namespace cg::program
