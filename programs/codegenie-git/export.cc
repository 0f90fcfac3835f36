#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "base/os/dir.h"
#include "fetch/gitrepo/config.h"
#include "fetch/gitrepo/links.h"
#include "fetch/gitrepo/names.h"
#include "fetch/gitrepo/wire.h"
#include "operations.h"
#include "tree_walk.h"

namespace cg::git {

namespace {

using gitrepo::Skipped;

Failure<Error> storage(const os::Error& error) {
  // Two entries of one name: only a hostile tree has them.
  const Kind kind = error.kind == os::Error::Kind::exists ? Kind::hostile : Kind::storage;
  return refuse(kind, error.path + ": " + os::describe(error));
}

/// A commit whose files are exported: that of the order, or a submodule's.
struct Source {
  git_repository* repo;
  std::vector<std::string> git_dirs;  // that may have its submodules
  std::string prefix;                 // of its paths: "" or with a slash at its end
  unsigned depth;
  std::map<std::string, std::string> modules;  // path -> name
};

/// What .gitmodules of a tree says; nothing if it is no such file.
std::map<std::string, std::string> modules_in(git_repository* repo, const git_tree* tree) {
  const git_tree_entry* entry = git_tree_entry_byname(tree, ".gitmodules");
  if (entry == nullptr || git_tree_entry_type(entry) != GIT_OBJECT_BLOB) return {};
  const auto text = read_blob(repo, *git_tree_entry_id(entry), gitrepo::kMaxConfigBytes);
  if (!text) return {};
  auto modules = gitrepo::parse_modules(*text);
  return modules ? *std::move(modules) : std::map<std::string, std::string>();
}

class Exporter {
 public:
  Exporter(const gitrepo::ExportOrder& order, const os::Dir& folder)
      : order_(order), folder_(folder) {}

  Result<Done, Error> run(Source source, const git_tree* tree) {
    if (order_.submodules == gitrepo::Submodules::exported) {
      source.modules = modules_in(source.repo, tree);
    }
    // What is watched for is looked for everywhere.
    const bool everywhere = !order_.filter.watched.empty();
    return walk(source.repo, tree, everywhere ? std::vector<std::string>() : order_.filter.without,
                [&](const TreeFile& file) {
                  return visit(source, {source.prefix + file.path, file.mode, file.id});
                });
  }

  [[nodiscard]] gitrepo::Exported take() { return std::move(exported_); }

 private:
  Result<Done, Error> visit(const Source& source, const TreeFile& file) {
    if (file.path.size() > gitrepo::kMaxPath) {
      return refuse(Kind::hostile, "the tree has a file named " + file.path);
    }
    if (gitrepo::is_left_out(order_.filter, file.path)) {
      if (!gitrepo::is_watched(order_.filter, file.path)) return Done{};
      return skip(Skipped::Why::left_out, file);
    }
    if (file.mode == GIT_FILEMODE_COMMIT) return submodule(source, file);
    if (!gitrepo::fits(order_.filter, file.path)) return Done{};
    if (file.mode == GIT_FILEMODE_LINK) return link(source.repo, file);
    if (!gitrepo::is_safe_path(file.path)) return skip(Skipped::Why::odd_name, file);
    return copy(source.repo, file);
  }

  Result<Done, Error> submodule(const Source& source, const TreeFile& file) {
    const auto named = source.modules.find(file.path.substr(source.prefix.size()));
    if (named == source.modules.end() || source.depth == gitrepo::kMaxSubmodules) {
      return skip(Skipped::Why::submodule, file);
    }
    for (const std::string& above : source.git_dirs) {
      const std::string path = "modules/" + named->second;
      const auto repo = open_module(above, path);
      if (!repo) continue;
      const auto commit = find_commit(repo->get(), id_of(file.id));
      if (!commit) continue;
      const auto tree = tree_of(commit->get());
      if (!tree || !is_whole(repo->get(), tree->get())) continue;
      return run({repo->get(), {above + "/" + path}, file.path + "/", source.depth + 1, {}},
                 tree->get());
    }
    return skip(Skipped::Why::submodule, file);
  }

  /// Whether all of its objects are there, so that none of its files is without the others.
  static bool is_whole(git_repository* repo, const git_tree* tree) {
    git_odb* opened = nullptr;
    if (git_repository_odb(&opened, repo) != 0) return false;
    const Odb odb(opened);
    const auto walked = walk(repo, tree, {}, [&](const TreeFile& file) -> Result<Done, Error> {
      const bool here =
          file.mode == GIT_FILEMODE_COMMIT || git_odb_exists(odb.get(), &file.id) == 1;
      return here ? Result<Done, Error>(Done{}) : refuse(Kind::damaged, file.path);
    });
    return walked || walked.error().kind != Kind::damaged;
  }

  Result<Done, Error> skip(Skipped::Why why, const TreeFile& file) {
    if (exported_.skipped.size() >= order_.limits.max_files) {
      return refuse(Kind::too_large, "too many files are skipped");
    }
    exported_.skipped.push_back({why, file.path});
    return Done{};
  }

  /// Told, not made: where it may lead is judged by who asked.
  Result<Done, Error> link(git_repository* repo, const TreeFile& file) {
    const bool wanted =
        order_.links == gitrepo::Links::told && exported_.links.size() < gitrepo::kMaxLinks;
    if (!wanted) return skip(Skipped::Why::symlink, file);
    auto target = read_blob(repo, file.id, gitrepo::kMaxTarget);
    if (!target && target.error().kind == Kind::too_large) return skip(Skipped::Why::symlink, file);
    if (!target) return fail(std::move(target).error());
    exported_.links.push_back({file.path, *std::move(target)});
    return Done{};
  }

  Result<Done, Error> copy(git_repository* repo, const TreeFile& file) {
    const std::uint64_t left = order_.limits.max_bytes - written_;
    if (exported_.files.size() >= order_.limits.max_files) {
      return refuse(Kind::too_large, "more than " + std::to_string(order_.limits.max_files) +
                                         " files are asked for");
    }
    auto bytes = read_blob(repo, file.id, order_.limits.max_file_bytes);
    if (!bytes && bytes.error().kind == Kind::too_large) return skip(Skipped::Why::too_big, file);
    if (!bytes) return fail(std::move(bytes).error());
    if (bytes->size() > left) return refuse(Kind::too_large, "the files are too large together");
    written_ += bytes->size();
    const bool executable = file.mode == GIT_FILEMODE_BLOB_EXECUTABLE;
    CG_TRY(write(file.path, *bytes, executable));
    exported_.files.push_back({file.path, id_of(file.id), bytes->size(), executable});
    return Done{};
  }

  Result<Done, Error> write(const std::string& path, const std::string& bytes, bool executable) {
    const std::size_t slash = path.rfind('/');
    if (slash != path.npos && path.substr(0, slash) != made_) {
      made_ = path.substr(0, slash);
      const auto made = folder_.make_dir(made_);
      if (!made) return storage(made.error());
    }
    const auto fd = folder_.open_file(path, O_WRONLY | O_CREAT | O_EXCL);
    if (!fd) return storage(fd.error());
    const auto written = os::write_at(*fd, bytes, 0, path);
    if (!written) return storage(written.error());
    if (executable && fchmod(fd->get(), 0700) != 0) return storage(os::from_errno(errno, path));
    return Done{};
  }

  const gitrepo::ExportOrder& order_;
  const os::Dir& folder_;
  gitrepo::Exported exported_;
  std::uint64_t written_ = 0;
  std::string made_;  // the last folder
};

Result<os::Dir, Error> open_empty(const std::string& path) {
  if (!path.starts_with('/')) return refuse(Kind::bad_request, "the folder is not absolute");
  auto folder = os::Dir::open(path);
  if (!folder) return storage(folder.error());
  const auto entries = folder->entries(1);
  if (!entries || !entries->empty()) return refuse(Kind::bad_request, path + " is not empty");
  return *std::move(folder);
}

}  // namespace

Result<gitrepo::Exported, Error> export_files(const Location& location,
                                              const gitrepo::ExportOrder& order) {
  CG_TRY_ASSIGN(const os::Dir folder, open_empty(order.folder));
  CG_TRY_ASSIGN(const Repo repo, open_repository(location));
  CG_TRY_ASSIGN(const Commit commit, find_commit(repo.get(), order.commit));
  CG_TRY_ASSIGN(const Tree tree, tree_of(commit.get()));
  Exporter exporter(order, folder);
  // A linked work tree has its submodules apart from the others'.
  CG_TRY(
      exporter.run({repo.get(), {location.git_dir, location.common_dir}, "", 0, {}}, tree.get()));
  return exporter.take();
}

}  // namespace cg::git
