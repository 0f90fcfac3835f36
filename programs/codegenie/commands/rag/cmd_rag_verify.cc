// codegenie rag verify
#include "commands.h"
#include "commands/rag/rag_words.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_rag_verify(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const StoreAccess store, open_store(invocation, session));
  CG_TRY_ASSIGN(std::vector<rag::Found> found, store.writer->verify());
  CG_TRY_ASSIGN(const std::vector<rag::Found> hostile, store.writer->rescan({}));
  found.insert(found.end(), hostile.begin(), hostile.end());
  CG_TRY_ASSIGN(const Findings findings, findings_of(store, std::move(found)));
  return findings_report(findings);
}

}  // namespace

Entry rag_verify_command() {
  return {{.path = {"rag", "verify"},
           .summary = "Check every solved example, and set aside what fails",
           .about = {"Verifies the audit log, compares each file of the store with what the log "
                     "says of it, and looks for texts that give orders to a model. What fails is "
                     "put into quarantine: it stays where it can be read, and is used no longer. "
                     "What a crash left undone is made again from the log.",
                     "Exits with 4 if something was put into quarantine."},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie rag verify", "check the store"}}},
          run_rag_verify};
}

}  // namespace cg::program
