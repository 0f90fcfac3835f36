// codegenie rag quarantine
#include "base/base/text.h"
#include "commands.h"
#include "commands/rag/rag_words.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_rag_quarantine(const cli::Invocation& invocation, Session& session) {
  const std::string id = invocation.arguments.at(0);
  const std::string reason = invocation.value("reason").value_or("by the operator");
  if (reason.empty() || reason.size() > 512) {
    return fail(bad_value("--reason takes 1 to 512 bytes", "codegenie rag quarantine --help"));
  }
  CG_TRY_ASSIGN(const StoreAccess store, open_store(invocation, session));
  CG_TRY(store.writer->quarantine(id, reason));
  return json_report(
      json::Value::Object{
          {"schema", "codegenie/rag-quarantine/v1"}, {"id", id}, {"reason", printable(reason)}},
      [id](const cli::Style&) { return printable(id) + " counts no longer; its file is kept\n"; });
}

}  // namespace

Entry rag_quarantine_command() {
  return {{.path = {"rag", "quarantine"},
           .summary = "Take a solved example out of use",
           .about = {"The record is used no longer. Its file is kept in rag/quarantine of the "
                     "workspace, and `rag release` brings it back."},
           .arguments = {{.name = "ID", .help = "of the record, as `rag list` gives it"}},
           .flags = {{.name = "reason", .value_name = "TEXT", .help = "why; stands in the log"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie rag quarantine rec-0123456789abcdef01234567 --reason outdated",
                         "take one out"}}},
          run_rag_quarantine};
}

}  // namespace cg::program
