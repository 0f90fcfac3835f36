// codegenie rag rebuild
#include "commands.h"
#include "commands/rag/rag_words.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_rag_rebuild(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const StoreAccess store, open_store(invocation, session));
  CG_TRY(store.writer->rebuild());
  CG_TRY_ASSIGN(const Findings findings, findings_of(store, {}));
  return findings_report(findings);
}

}  // namespace

Entry rag_rebuild_command() {
  return {{.path = {"rag", "rebuild"},
           .summary = "Make the store again from the log",
           .about = {"Files of records that are missing, the manifest and the index are made of "
                     "what the audit log says. Files that are there stay as they are: `rag verify` "
                     "looks at those. Vectors that the log vouches for are kept."},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie rag rebuild", "after the folder was lost"}}},
          run_rag_rebuild};
}

}  // namespace cg::program
