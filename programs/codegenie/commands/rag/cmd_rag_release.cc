// codegenie rag release
#include "base/base/text.h"
#include "commands.h"
#include "commands/rag/rag_words.h"
#include "learn/rag/problems.h"
#include "trust/audit/anchor.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxAck = 4096;

Result<Report, Problem> run_rag_release(const cli::Invocation& invocation, Session& session) {
  const std::string id = invocation.arguments.at(0);
  const auto file = invocation.value("operator-ack");
  if (!file) {
    return fail(
        bad_value("--operator-ack names a signed statement", "codegenie rag release --help"));
  }
  CG_TRY_ASSIGN(const std::string text, read_user_file(*file, kMaxAck));
  CG_TRY_ASSIGN(const std::string signature, read_user_file(*file + ".sig", kMaxAck));
  CG_TRY_ASSIGN(const StoreAccess store, open_store(invocation, session));
  CG_TRY_ASSIGN(const sign::AllowedSigners signers,
                audit::read_allowed_signers(store.access->workspace.home));
  const auto release =
      rag::read_release(text, signature, signers, store.log->id(), store.clock->now());
  if (!release) return fail(rag::no_release(release.error()));
  if (release->record != id) {
    return fail(rag::no_release("the statement is about " + printable(release->record)));
  }
  CG_TRY(store.writer->release(*release));
  return json_report(
      json::Value::Object{{"schema", "codegenie/rag-release/v1"},
                          {"id", id},
                          {"reason", printable(release->reason)},
                          {"signer", release->signer}},
      [id](const cli::Style&) { return printable(id) + " counts again, as the log has it\n"; });
}

}  // namespace

Entry rag_release_command() {
  return {
      {.path = {"rag", "release"},
       .summary = "Let a solved example out of quarantine, with a signature",
       .about =
           {"What comes back is what the audit log has, not the file that lay in quarantine. "
            "The statement is a file of five lines: `schema: codegenie/rag-release/v1`, "
            "`record`, `log` (in quotes, the id that `audit verify --json` gives), `reason` and "
            "`expires`. Beside it lies its signature by somebody whom policy/allowed_signers "
            "lets sign in the namespace codegenie-rag, as `ssh-keygen -Y sign -n "
            "codegenie-rag -f KEY FILE` makes it. Each statement serves once."},
       .arguments = {{.name = "ID", .help = "of the record, as `rag list` gives it"}},
       .flags = {{.name = "operator-ack",
                  .value_name = "FILE",
                  .help = "the statement, signed (FILE.sig) by an allowed signer",
                  .touch = cli::Touch::reads_signed}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::needs_human,
                 ExitCode::guard},
       .examples = {{"codegenie rag release rec-0123456789abcdef01234567 --operator-ack ack.yaml",
                     "after somebody has looked at it"}}},
      run_rag_release};
}

}  // namespace cg::program
