#include "repository.h"

#include <git2/sys/repository.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/base/text.h"
#include "base/os/dir.h"
#include "fetch/gitrepo/config.h"
#include "fetch/gitrepo/names.h"
#include "plain.h"

namespace cg::git {

namespace {

constexpr std::size_t kWindow = 32U << 20U;
constexpr std::size_t kMapped = 1U << 30U;
constexpr std::size_t kOpenPacks = 400;
constexpr std::size_t kMinPrefix = 7;

Result<gitrepo::FormatConfig, Error> read_format(const os::Dir& common) {
  const auto text = common.read("config", gitrepo::kMaxConfigBytes);
  if (!text && text.error().kind == os::Error::Kind::not_found) return gitrepo::FormatConfig{};
  if (!text) return refuse(Kind::hostile, "config: " + os::describe(text.error()));
  const auto config = gitrepo::parse_config(*text);
  if (!config) {
    return refuse(Kind::damaged, "config: line " + std::to_string(config.error().line));
  }
  return *config;
}

bool leads_to(const Location& location, const std::string& work_tree) {
  const std::string path =
      work_tree.starts_with('/') ? work_tree : location.common_dir + "/" + work_tree;
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real && location.work_tree == real.get();
}

/// Gives the work tree that its config names.
Result<std::string, Error> check_format(const os::Dir& common) {
  CG_TRY_ASSIGN(gitrepo::FormatConfig config, read_format(common));
  if (config.version > 1) return refuse(Kind::unsupported, "a later version of git's layout");
  if (!config.object_format.empty() && config.object_format != "sha1") {
    return refuse(Kind::unsupported, "objects named by " + config.object_format);
  }
  if ((!config.ref_storage.empty() && config.ref_storage != "files") || common.stat("reftable")) {
    return refuse(Kind::unsupported, "refs are in a reftable");
  }
  if (!config.unknown.empty()) {
    return refuse(Kind::unsupported, "the extension " + config.unknown);
  }
  return std::move(config.work_tree);
}

Result<Done, Error> check_alternates(const os::Dir& common) {
  const auto text = common.read("objects/info/alternates", gitrepo::kMaxConfigBytes);
  if (!text && text.error().kind == os::Error::Kind::not_found) return Done{};
  if (!text) return refuse(Kind::hostile, "alternates: " + os::describe(text.error()));
  for (const std::string_view line : split(*text, '\n')) {
    if (trim(line).empty() || line.starts_with('#')) continue;
    return refuse(Kind::unsupported, "objects are borrowed from " + std::string(trim(line)));
  }
  return Done{};
}

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return hex_digit(c) >= 0; });
}

Result<Commit, Error> peeled(const git_object* object, const std::string& text) {
  git_object* found = nullptr;
  const int code = git_object_peel(&found, object, GIT_OBJECT_COMMIT);
  if (code != 0) return refuse_git(code, Kind::missing_base, text + " is no commit");
  return Commit(reinterpret_cast<git_commit*>(found));
}

Result<Object, Error> find_by_prefix(git_repository* repo, const std::string& text) {
  git_oid id{};
  git_object* found = nullptr;
  int code = git_oid_fromstrn(&id, text.data(), text.size());
  if (code == 0) {
    code = git_object_lookup_prefix(&found, repo, &id, text.size(), GIT_OBJECT_ANY);
  }
  if (code != 0) return refuse_git(code, Kind::missing_base, text);
  return Object(found);
}

Result<Object, Error> find_by_name(git_repository* repo, const std::string& text) {
  git_reference* found = nullptr;
  int code = text.empty() || text == "HEAD" ? git_reference_lookup(&found, repo, "HEAD")
                                            : git_reference_dwim(&found, repo, text.c_str());
  const Reference reference(found);
  if (code != 0) return refuse_git(code, Kind::missing_base, text);
  git_object* object = nullptr;
  code = git_reference_peel(&object, reference.get(), GIT_OBJECT_COMMIT);
  if (code != 0) return refuse_git(code, Kind::missing_base, text.empty() ? "HEAD" : text);
  return Object(object);
}

/// Opened "bare" it reads neither config nor work tree.
Result<Repo, Error> open_bare(const std::string& git_dir) {
  git_repository* opened = nullptr;
  int code = git_repository_open_bare(&opened, git_dir.c_str());
  Repo repo(opened);
  if (code != 0) return refuse_git(code, Kind::damaged, git_dir);
  git_config* made = nullptr;
  code = git_config_new(&made);
  const Config empty(made);
  if (code == 0) code = git_repository_set_config(repo.get(), empty.get());
  if (code != 0) return refuse_git(code, Kind::damaged, git_dir);
  return repo;
}

}  // namespace

Failure<Error> refuse_git(int code, Kind otherwise, std::string_view doing) {
  const git_error* last = git_error_last();
  Kind kind = otherwise;
  if (last != nullptr && last->klass == GIT_ERROR_OS && code != GIT_ENOTFOUND) kind = Kind::storage;
  if (code == GIT_ELOCKED) kind = Kind::locked;
  if (last != nullptr && last->klass == GIT_ERROR_NOMEMORY) kind = Kind::too_large;
  std::string what(doing);
  if (last != nullptr && last->message != nullptr) what += std::string(": ") + last->message;
  return refuse(kind, what);
}

ObjectId id_of(const git_oid& oid) {
  std::array<Byte, 20> bytes{};
  std::copy(std::begin(oid.id), std::end(oid.id), bytes.begin());
  return ObjectId(bytes);
}

git_oid oid_of(const ObjectId& id) {
  git_oid oid{};
  std::copy(id.bytes().begin(), id.bytes().end(), std::begin(oid.id));
  return oid;
}

bool start_library() {
  if (git_libgit2_init() < 0) return false;
  for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                          GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL}) {
    if (git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "") != 0) return false;
  }
  // Whose it is matters where its config is obeyed; here it is not even read. In the
  // empty network namespace all owners look alike anyway.
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 1);
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, kWindow);
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, kMapped);
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_FILE_LIMIT, kOpenPacks);
  return true;
}

Result<Repo, Error> open_repository(const Location& location) {
  CG_TRY(check_plain(location.common_dir));
  // That of a linked work tree usually lies in the other.
  if (!location.git_dir.starts_with(location.common_dir)) CG_TRY(check_plain(location.git_dir));
  const auto common = os::Dir::open(location.common_dir);
  if (!common) return refuse(Kind::storage, os::describe(common.error()));
  CG_TRY_ASSIGN(const std::string work_tree, check_format(*common));
  if (!work_tree.empty() && !leads_to(location, work_tree)) {
    return refuse(Kind::unsupported, "core.worktree names another folder");
  }
  CG_TRY(check_alternates(*common));
  return open_bare(location.git_dir);
}

Result<Repo, Error> open_module(const std::string& git_dir, const std::string& path) {
  const auto above = os::Dir::open(git_dir);
  if (!above) return refuse(Kind::storage, os::describe(above.error()));
  const auto module = above->open_dir(path);  // through no link
  if (!module) return refuse(Kind::storage, os::describe(module.error()));
  CG_TRY(check_plain(module->path()));
  CG_TRY(check_format(*module));
  CG_TRY(check_alternates(*module));
  return open_bare(module->path());
}

Result<Commit, Error> find_commit(git_repository* repo, const std::string& text) {
  const bool is_whole = text.size() == GIT_OID_HEXSZ && is_hex(text);
  const bool is_name = text.empty() || text == "HEAD" || gitrepo::is_ref_name(text);
  if (!is_whole && is_name) {
    auto found = find_by_name(repo, text);
    if (found) return peeled(found->get(), text);
    if (text.size() < kMinPrefix || text.size() > GIT_OID_HEXSZ || !is_hex(text)) {
      return fail(std::move(found).error());
    }
  }
  if (!is_whole && !is_name) return refuse(Kind::missing_base, text + " is no name of a commit");
  CG_TRY_ASSIGN(const Object object, find_by_prefix(repo, text));
  return peeled(object.get(), text);
}

Result<Commit, Error> find_commit(git_repository* repo, const ObjectId& id) {
  const git_oid oid = oid_of(id);
  git_commit* found = nullptr;
  const int code = git_commit_lookup(&found, repo, &oid);
  if (code != 0) return refuse_git(code, Kind::missing_base, id.hex());
  return Commit(found);
}

Result<Tree, Error> tree_of(const git_commit* commit) {
  git_tree* found = nullptr;
  const int code = git_commit_tree(&found, commit);
  if (code != 0) return refuse_git(code, Kind::damaged, "the tree of the commit");
  return Tree(found);
}

Result<std::string, Error> read_blob(git_repository* repo, const git_oid& id, std::uint64_t max) {
  git_odb* opened = nullptr;
  int code = git_repository_odb(&opened, repo);
  const Odb odb(opened);
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  // The size first: what is inside may unpack to anything.
  if (code == 0) code = git_odb_read_header(&size, &type, odb.get(), &id);
  if (code != 0) return refuse_git(code, Kind::damaged, id_of(id).hex());
  if (type != GIT_OBJECT_BLOB) return refuse(Kind::damaged, id_of(id).hex() + " is no file");
  if (size > max) return refuse(Kind::too_large, id_of(id).hex() + " is too large");
  git_odb_object* read = nullptr;
  code = git_odb_read(&read, odb.get(), &id);
  const OdbObject object(read);
  if (code != 0) return refuse_git(code, Kind::damaged, id_of(id).hex());
  return std::string(static_cast<const char*>(git_odb_object_data(object.get())),
                     git_odb_object_size(object.get()));
}

}  // namespace cg::git
