// codegenie rag rebuild
#include "commands.h"
#include "commands/rag/rag_words.h"
#include "flow/precedent/aspects.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_rag_rebuild(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const StoreAccess store, open_store(invocation, session));
  CG_TRY(store.writer->rebuild());
  if (invocation.has("reembed")) {
    CG_TRY_ASSIGN(precedent::Embedding embedding, precedent::Embedding::open(*store.access));
    CG_TRY(store.writer->reembed(embedding.id(), [&](const example::Example& example) {
      return embedding.embed(aspects_of(example));
    }));
  }
  CG_TRY_ASSIGN(const Findings findings, findings_of(store, {}));
  return findings_report(findings);
}

}  // namespace

Entry rag_rebuild_command() {
  return {{.path = {"rag", "rebuild"},
           .summary = "Make the store again from the log",
           .about = {"Files of records that are missing, the manifest and the index are made of "
                     "what the audit log says. Files that are there stay as they are: `rag verify` "
                     "looks at those. Vectors that the log vouches for are kept; --reembed makes "
                     "those of every record anew, after another model was put in."},
           .flags = {{.name = "reembed", .help = "make the vectors of every record anew"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie rag rebuild", "after the folder was lost"},
                        {"codegenie rag rebuild --reembed", "after `embeddings bootstrap`"}}},
          run_rag_rebuild};
}

}  // namespace cg::program
