// codegenie rag import
#include "base/base/text.h"
#include "commands.h"
#include "commands/rag/rag_words.h"
#include "learn/rag/problems.h"
#include "trust/audit/anchor.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_rag_import(const cli::Invocation& invocation, Session& session) {
  const std::string file = invocation.arguments.at(0);
  CG_TRY_ASSIGN(const std::string bytes, read_user_file(file, rag::kMaxBundle));
  CG_TRY_ASSIGN(const StoreAccess store, open_store(invocation, session));
  CG_TRY_ASSIGN(const sign::AllowedSigners signers,
                audit::read_allowed_signers(store.access->workspace.home));
  const auto bundle = rag::read_bundle(bytes, signers, store.clock->now());
  if (!bundle) {
    Problem problem = rag::bad_bundle(bundle.error());
    problem.where.emplace_back("file", printable(file));
    return fail(std::move(problem));
  }
  CG_TRY_ASSIGN(const rag::Writer::Taken taken, store.writer->import(*bundle, bytes));
  return json_report(
      json::Value::Object{{"schema", "codegenie/rag-import/v1"},
                          {"file", printable(file)},
                          {"log", bundle->log},
                          {"signer", bundle->signer},
                          {"taken", number(taken.taken)},
                          {"known", number(taken.known)},
                          {"quarantined", number(taken.hostile)}},
      [taken, log = bundle->log, signer = bundle->signer](const cli::Style&) {
        return "Took in " + counted(taken.taken, "record", "records") + " of log " + log +
               ", signed by " + signer + "; " + grouped(taken.known) + " were known" +
               (taken.hostile == 0 ? ""
                                   : "; " + grouped(taken.hostile) +
                                         " give orders to a model and are in quarantine") +
               "\n";
      });
}

}  // namespace

Entry rag_import_command() {
  return {
      {.path = {"rag", "import"},
       .summary = "Take in solved examples of another machine",
       .about = {"Takes what `rag export` wrote there, if the key of that log, the proofs and a "
                 "signature by somebody whom policy/allowed_signers lets sign in the namespace "
                 "codegenie-anchor agree on all of it: all records or none. They keep where they "
                 "came from, and count only as long as the file they came in is kept and its "
                 "signer is trusted. Every text is scanned for orders to a model."},
       .arguments = {{.name = "FILE", .help = "what `rag export` wrote"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie rag import examples.json", "on the other machine"}}},
      run_rag_import};
}

}  // namespace cg::program
