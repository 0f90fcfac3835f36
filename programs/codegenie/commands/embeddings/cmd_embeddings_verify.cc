// codegenie embeddings verify
#include "base/base/text.h"
#include "commands.h"
#include "commands/embeddings/pinning.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_embeddings_verify(const cli::Invocation&, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const pinned::Model model, open_pinned(access));
  std::int64_t found = 0;
  const pinned::Lock lock = model.lock();
  const std::string expected = lock.self_test ? cosine_text(*lock.self_test) : "";
  if (!pinned::passes_self_test(model, found)) {
    return fail(Problem{ErrorCode::embed_model,
                        "the model does not compute here what its lock says",
                        {{"expected", expected}, {"found", cosine_text(found)}},
                        "nothing was changed",
                        {"codegenie explain CG-EMBED-002"}});
  }
  const std::string cosine = cosine_text(found);
  return json_report(json::Value::Object{{"schema", "codegenie/embeddings-verify/v1"},
                                         {"model", lock.model},
                                         {"embedder", lock.id()},
                                         {"files", files_json(lock)},
                                         {"self_test", cosine},
                                         {"expected", text_or_null(expected)}},
                     [=](const cli::Style& style) {
                       return "Model " + printable(lock.model) + "\n" +
                              files_text(lock, "matches embeddings_model.lock", style) +
                              "Self-test: " + cosine +
                              (expected.empty() ? "\n" : ", expected " + expected + "\n");
                     });
}

}  // namespace

Entry embeddings_verify_command() {
  return {{.path = {"embeddings", "verify"},
           .summary = "Compare the model with its lock",
           .about = {"Reads every file of the pinned model and compares it with "
                     "rag/embeddings_model.lock, as each use does, and makes two vectors whose "
                     "cosine the lock remembers. A difference of a file is recorded."},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard,
                     ExitCode::unavailable},
           .examples = {{"codegenie embeddings verify", "is it what was pinned?"}}},
          run_embeddings_verify};
}

}  // namespace cg::program
