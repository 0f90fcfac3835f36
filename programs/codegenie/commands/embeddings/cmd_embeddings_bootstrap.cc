// codegenie embeddings bootstrap
#include "base/base/text.h"
#include "commands.h"
#include "commands/embeddings/pinning.h"

namespace cg::program {

namespace {

constexpr const char* kBootstrapUse = "codegenie embeddings bootstrap --from DIR";

Result<pinned::Bootstrap, Problem> read_bootstrap(const cli::Invocation& invocation) {
  pinned::Bootstrap wish;
  wish.from = invocation.value("from").value_or("");
  if (wish.from.empty())
    return fail(bad_value("--from names the folder of the model", kBootstrapUse));
  if (const auto precision = invocation.value("precision")) {
    wish.precision = pinned::parse_precision(*precision);
  }
  const auto file = invocation.value("lock");
  if (!file) return wish;
  CG_TRY_ASSIGN(const std::string text, read_user_file(*file, pinned::kMaxLock));
  auto lock = pinned::parse_lock(text);
  if (!lock) {
    return fail(Problem{ErrorCode::embed_lock,
                        "the lock of the model cannot be used",
                        {{"file", *file}, {"found", lock.error()}},
                        "nothing was changed",
                        {kBootstrapUse}});
  }
  wish.lock = *std::move(lock);
  return wish;
}

std::string_view by_what(pinned::Pinned how) {
  switch (how) {
    case pinned::Pinned::as_read:
      return "pinned as read: nothing vouches for it but where you had it from";
    case pinned::Pinned::by_lock:
      return "matches the lock that was given";
    case pinned::Pinned::by_workspace:
      return "matches embeddings_model.lock";
  }
  std::abort();
}

std::string bootstrapped_text(const pinned::Lock& lock, std::uint64_t parameters,
                              pinned::Pinned how, const cli::Style& style) {
  std::string out = "Model " + printable(lock.model) + ", " + grouped(parameters) +
                    " parameters, " + std::to_string(lock.dims) + " dimensions, " +
                    std::string(pinned::name(lock.precision)) + "\n";
  out += files_text(lock, std::string(by_what(how)), style);
  out += "Self-test: cosine(\"prototype pollution\", \"__proto__ merge\") = " +
         cosine_text(lock.self_test.value_or(0)) + "\n";
  return out + "Ready. It is never fetched, and not used if these bytes change\n";
}

Result<Report, Problem> run_bootstrap(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const pinned::Bootstrap wish, read_bootstrap(invocation));
  auto made = pinned::bootstrap(access.workspace.home, wish);
  if (!made) return fail(told(access, std::move(made).error()));
  os::SystemClock clock;
  CG_TRY_ASSIGN(audit::Log log, open_log(access, clock));
  CG_TRY(log.append({made->event}));
  CG_TRY(log.checkpoint());
  const pinned::Lock lock = made->model.lock();
  const std::uint64_t parameters = made->model.encoder().parameters();
  Report report =
      json_report(json::Value::Object{{"schema", "codegenie/embeddings-bootstrap/v1"},
                                      {"model", lock.model},
                                      {"embedder", lock.id()},
                                      {"dims", number(lock.dims)},
                                      {"precision", pinned::name(lock.precision)},
                                      {"parameters", number(parameters)},
                                      {"pinned", pinned::name(made->how)},
                                      {"files", files_json(lock)},
                                      {"self_test", cosine_text(lock.self_test.value_or(0))}},
                  [lock, parameters, how = made->how](const cli::Style& style) {
                    return bootstrapped_text(lock, parameters, how, style);
                  });
  return report;
}

}  // namespace

Entry embeddings_bootstrap_command() {
  return {
      {.path = {"embeddings", "bootstrap"},
       .summary = "Put a model into the workspace and pin it",
       .about =
           {"Takes a sentence encoder of the BERT family as it is published: config.json, "
            "model.safetensors, and tokenizer.json or vocab.txt. The files are copied, and from "
            "then on compared with rag/embeddings_model.lock before each use. codegenie never "
            "fetches a model. Links are not followed: copy a folder of links with `cp -rL`.",
            "With --lock they must have the digests that LOCK_FILE gives, in the form of "
            "rag/embeddings_model.lock; without it, those of the lock that the workspace has; "
            "and if it has none, they are pinned as they are read. A difference ends with 4, is "
            "recorded, and changes nothing.",
            "int8 computes with whole numbers: several times faster, and a little less exact. Its "
            "vectors are another embedder's; they are never compared with those of fp32."},
       .flags = {{.name = "from", .value_name = "DIR", .help = "the folder of the model"},
                 {.name = "lock",
                  .value_name = "LOCK_FILE",
                  .help = "the digests that its files must have"},
                 {.name = "precision",
                  .value_name = "KIND",
                  .choices = {"fp32", "int8"},
                  .help = "how it computes; fp32 unless a lock says otherwise"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie embeddings bootstrap --from all-MiniLM-L6-v2",
                     "pinned as it is read"},
                    {"codegenie embeddings bootstrap --from all-MiniLM-L6-v2 --lock team.lock",
                     "only if it is the team's"}}},
      run_bootstrap};
}

}  // namespace cg::program
