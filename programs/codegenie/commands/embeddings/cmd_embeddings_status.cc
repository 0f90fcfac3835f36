// codegenie embeddings status
#include "base/base/text.h"
#include "commands.h"
#include "commands/embeddings/pinning.h"
#include "learn/pinned/cache.h"
#include "learn/tensor/kernels.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxCached = 1'000'000;

Result<Report, Problem> run_embeddings_status(const cli::Invocation&, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const std::optional<pinned::Lock> lock, pinned::read_lock(access.workspace.home));
  const auto cache = access.workspace.home.list(pinned::kCache, kMaxCached);
  const std::size_t cached = cache ? cache->size() : 0;
  const std::string kernels(tensor::kernels().name);
  const std::string path =
      lock ? access.workspace.home.path_of(pinned::folder_of(*lock)) : std::string();
  json::Value json = json::Value::Object{
      {"schema", "codegenie/embeddings-status/v1"},
      {"model", lock ? json::Value(lock->model) : json::Value()},
      {"embedder", lock ? json::Value(lock->id()) : json::Value()},
      {"dims", lock ? number(lock->dims) : json::Value()},
      {"precision", lock ? json::Value(pinned::name(lock->precision)) : json::Value()},
      {"path", text_or_null(printable(path))},
      {"files", lock ? files_json(*lock) : json::Value(json::Value::Array())},
      {"kernels", kernels},
      {"cached", number(cached)}};
  return json_report(std::move(json), [=](const cli::Style& style) {
    std::vector<std::vector<cli::Cell>> rows = {
        {{"Model"}, {lock ? lock->model : "none is pinned"}}};
    if (lock) {
      rows.push_back({{"Embedder"}, {lock->id()}});
      rows.push_back({{"Dims"}, {std::to_string(lock->dims)}});
      rows.push_back({{"Path"}, {path}});
    }
    rows.push_back({{"Kernels"}, {kernels}});
    rows.push_back({{"Cache"}, {counted(cached, "vector", "vectors")}});
    return cli::layout({{}, {}}, rows, style);
  });
}

}  // namespace

Entry embeddings_status_command() {
  return {{.path = {"embeddings", "status"},
           .summary = "Show which model is pinned",
           .about = {"Shows the lock of the workspace and what this processor computes with. The "
                     "files are not read: `codegenie embeddings verify` does that."},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie embeddings status", "which model?"}}},
          run_embeddings_status};
}

}  // namespace cg::program
