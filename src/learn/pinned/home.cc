#include "learn/pinned/home.h"

#include <algorithm>
#include <cstdlib>

#include "base/base/text.h"
#include "trust/audit/problems.h"

namespace cg::pinned {

namespace {

constexpr const char* kModels = "rag/model";
constexpr const char* kSbom = "sbom.cdx.json";
constexpr std::size_t kMaxFolders = 1000;
constexpr std::int64_t kSelfTestSlack = 100;  // 0.01

Failure<Refusal> refuse(Problem problem) { return fail(Refusal{std::move(problem), {}}); }

Failure<Refusal> mismatch(const Lock& lock, const std::string& folder, const LockedFile& file,
                          const std::string& found) {
  Problem problem{ErrorCode::embed_mismatch,
                  "a file of the model is not the one that is pinned",
                  {{"file", folder + "/" + file.name},
                   {"expected", "sha256 " + to_hex(file.sha256)},
                   {"found", found}},
                  "the model was not used, and nothing was changed",
                  {"codegenie embeddings bootstrap --from DIR --lock FILE    (for another model)",
                   "codegenie explain CG-EMBED-001"}};
  return fail(Refusal{
      std::move(problem),
      {record::EmbedderHashMismatch{file.sha256, file.name,
                                    found.substr(found.size() > 64 ? 7 : 0, 64), lock.model}}});
}

/// Those that the lock names and no others: what it does not name decides nothing.
Result<std::vector<ModelFile>, Refusal> compared(const Lock& lock, const std::string& folder,
                                                 std::vector<ModelFile> files) {
  std::vector<ModelFile> out;
  for (const LockedFile& wanted : lock.files) {
    const auto at = std::find_if(files.begin(), files.end(),
                                 [&](const ModelFile& file) { return file.name == wanted.name; });
    if (at == files.end()) return mismatch(lock, folder, wanted, "it is not there");
    const auto found = digests(std::span(&*at, 1)).front();
    if (found.sha256 != wanted.sha256) {
      return mismatch(lock, folder, wanted, "sha256 " + to_hex(found.sha256));
    }
    out.push_back(std::move(*at));
  }
  return out;
}

std::string last_part(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::string name = printable(cut(path.substr(path.rfind('/') + 1), 60));
  return is_model_name(name) ? name : "model";
}

Result<os::Dir, Problem> open_folder(const std::string& path) {
  auto folder = os::Dir::open(path);
  if (folder) return *std::move(folder);
  return fail(bad_value("the folder of the model cannot be opened: " + printable(path) + ": " +
                            os::describe(folder.error()),
                        "codegenie embeddings bootstrap --help"));
}

Result<Done, os::Error> write_model(const os::Dir& home, const Model& model,
                                    const std::vector<ModelFile>& files) {
  const std::string folder = folder_of(model.lock());
  CG_TRY(home.make_dir(folder));
  for (const ModelFile& file : files) {
    CG_TRY(home.write_atomic(folder + "/" + file.name, file.bytes));
  }
  CG_TRY(home.write_atomic(folder + "/" + kSbom,
                           write_sbom(model.lock(), model.encoder().parameters())));
  return home.write_atomic(kLock, write_lock(model.lock()));
}

/// Models that no lock names. That one stays harms nobody.
void remove_others(const os::Dir& home, const Lock& lock) {
  const auto models = home.open_dir(kModels);
  if (!models) return;
  const auto names = models->list(".", kMaxFolders);
  if (!names) return;
  for (const std::string& name : *names) {
    if (folder_of(lock).ends_with("/" + name)) continue;
    static_cast<void>(models->remove_tree(name));
  }
}

Problem failed_self_test(std::int64_t expected, std::int64_t found) {
  return {ErrorCode::embed_model,
          "the model does not compute here what its lock says",
          {{"expected", std::to_string(expected) + " ten-thousandths"},
           {"found", std::to_string(found)}},
          "nothing was changed",
          {"codegenie explain CG-EMBED-002"}};
}

}  // namespace

std::string_view name(Pinned how) {
  switch (how) {
    case Pinned::as_read:
      return "as_read";
    case Pinned::by_lock:
      return "by_lock";
    case Pinned::by_workspace:
      return "by_workspace";
  }
  std::abort();
}

std::string folder_of(const Lock& lock) {
  const std::string id = lock.id();
  return std::string(kModels) + "/" + id.substr(id.rfind('/') + 1);
}

Result<std::optional<Lock>, Problem> read_lock(const os::Dir& home) {
  const auto text = home.read(kLock, kMaxLock);
  if (!text && text.error().kind == os::Error::Kind::not_found) return std::optional<Lock>();
  if (!text) return fail(audit::reading(text.error()));
  auto lock = parse_lock(*text);
  if (lock) return std::optional(*std::move(lock));
  return fail(Problem{ErrorCode::embed_lock,
                      "the lock of the model cannot be used",
                      {{"file", home.path_of(kLock)}, {"found", lock.error()}},
                      "no vector was made",
                      {"move it away, then codegenie embeddings bootstrap --from DIR"}});
}

Result<std::optional<Model>, Refusal> open(const os::Dir& home) {
  auto lock = read_lock(home);
  if (!lock) return refuse(std::move(lock).error());
  if (!lock->has_value()) return std::optional<Model>();
  const std::string path = home.path_of(folder_of(**lock));
  const auto folder = home.open_dir(folder_of(**lock));
  if (!folder && folder.error().kind == os::Error::Kind::not_found) {
    return mismatch(**lock, path, (*lock)->files.front(), "it is not there");
  }
  if (!folder) return refuse(audit::reading(folder.error()));
  auto files = read_files(*folder);
  if (!files) return refuse(std::move(files).error());
  CG_TRY_ASSIGN(auto same, compared(**lock, path, *std::move(files)));
  auto model = Model::load(**lock, std::move(same));
  if (!model) return refuse(std::move(model).error());
  return std::optional(*std::move(model));
}

Result<Model, Problem> open_unpinned(const std::string& folder, encoder::Precision precision) {
  CG_TRY_ASSIGN(const os::Dir dir, open_folder(folder));
  CG_TRY_ASSIGN(std::vector<ModelFile> files, read_files(dir));
  return Model::load({last_part(folder), 0, precision, {}, digests(files)}, std::move(files));
}

bool passes_self_test(const Model& model, std::int64_t& found) {
  const auto made = model.self_test();
  found = made ? *made : 0;
  const auto expected = model.lock().self_test;
  return made && (!expected || std::abs(*expected - found) <= kSelfTestSlack);
}

Result<Bootstrapped, Refusal> bootstrap(const os::Dir& home, const Bootstrap& wish) {
  auto own = read_lock(home);
  if (!own && !wish.lock) return refuse(std::move(own).error());
  auto dir = open_folder(wish.from);
  if (!dir) return refuse(std::move(dir).error());
  auto read = read_files(*dir);
  if (!read) return refuse(std::move(read).error());
  std::vector<ModelFile> files = *std::move(read);
  const std::optional<Lock> given = wish.lock ? wish.lock : own ? *own : std::nullopt;
  Lock lock;
  Pinned how = Pinned::as_read;
  if (given) {
    CG_TRY_ASSIGN(files, compared(*given, wish.from, std::move(files)));
    lock = *given;
    how = wish.lock ? Pinned::by_lock : Pinned::by_workspace;
  } else {
    lock.model = last_part(wish.from);
    lock.files = digests(files);
  }
  if (wish.precision && *wish.precision != lock.precision) {
    lock.precision = *wish.precision;
    lock.self_test.reset();  // was the other one's
  }
  auto loaded = Model::load(lock, files);
  if (!loaded) return refuse(std::move(loaded).error());
  if (given && loaded->dims() != given->dims) {
    return refuse(Problem{
        ErrorCode::embed_lock,
        "the lock gives the model other dimensions than it has",
        {{"expected", std::to_string(given->dims)}, {"found", std::to_string(loaded->dims())}},
        "nothing was changed",
        {}});
  }
  if (auto sound = loaded->self_test(); !sound) return refuse(std::move(sound).error());
  std::int64_t found = 0;
  if (!passes_self_test(*loaded, found)) {
    return refuse(failed_self_test(lock.self_test.value_or(0), found));
  }
  Model model = *std::move(loaded);
  if (!lock.self_test) model = std::move(model).with_self_test(found);
  if (const auto written = write_model(home, model, files); !written) {
    return refuse(audit::writing(written.error()));
  }
  remove_others(home, model.lock());
  const auto weights =
      std::find_if(model.lock().files.begin(), model.lock().files.end(),
                   [](const LockedFile& file) { return file.name == "model.safetensors"; });
  record::EmbedderInitialized event{model.dims(), std::string(model.id()), model.lock().model,
                                    std::string(name(how)), weights->sha256};
  return Bootstrapped{std::move(model), how, std::move(event)};
}

}  // namespace cg::pinned
