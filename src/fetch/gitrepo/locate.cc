#include "fetch/gitrepo/locate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/base/text.h"
#include "base/os/dir.h"
#include "fetch/gitrepo/config.h"

namespace cg::gitrepo {

namespace {

using Kind = Error::Kind;

constexpr std::size_t kMaxPointer = 8'192;

Failure<Error> refuse(Kind kind, const std::string& what) {
  return fail(Error{kind, std::string(cut_utf8(printable(what), 900))});
}

std::optional<std::string> resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (!real) return std::nullopt;
  return std::string(real.get());
}

std::optional<struct stat> look(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool is_folder(const std::string& path) {
  const auto status = look(path);
  return status && S_ISDIR(status->st_mode);
}

bool is_file(const std::string& path) {
  const auto status = look(path);
  return status && S_ISREG(status->st_mode);
}

/// What makes a folder a repository, for git too; only that links do not count.
bool is_git_folder(const std::string& path) {
  return is_file(path + "/HEAD") && is_folder(path + "/objects") && is_folder(path + "/refs");
}

/// The one line of a small file, without its end.
std::optional<std::string> read_pointer(const std::string& folder, const std::string& name) {
  const auto dir = os::Dir::open_for_lookup(folder);
  if (!dir) return std::nullopt;
  const auto bytes = dir->read(name, kMaxPointer);
  if (!bytes) return std::nullopt;
  return std::string(trim(*bytes));
}

std::string against(const std::string& folder, const std::string& path) {
  return path.starts_with('/') ? path : folder + "/" + path;
}

/// A submodule: `.git` names the folder that the repository around it keeps for it, whose
/// `core.worktree` names the work tree.
Result<Location, Error> submodule(const std::string& top, const std::string& git_dir) {
  const auto dir = os::Dir::open_for_lookup(git_dir);
  const auto text = dir ? dir->read("config", kMaxConfigBytes)
                        : Result<std::string, os::Error>(fail(dir.error()));
  const auto config =
      text ? parse_config(*text) : Result<FormatConfig, ConfigError>(FormatConfig{});
  if (!config || config->work_tree.empty() || !is_git_folder(git_dir)) {
    return refuse(Kind::unsupported,
                  ".git names " + git_dir + ", which is no work tree of another repository");
  }
  if (look(git_dir + "/commondir")) {
    return refuse(Kind::hostile, git_dir + " says that its objects are elsewhere");
  }
  if (resolved(against(git_dir, config->work_tree)) != top) {
    return refuse(Kind::hostile, ".git names " + git_dir + ", which does not name it back");
  }
  return Location{top, git_dir, git_dir, {}, false};
}

/// A linked work tree: `.git` names common/worktrees/NAME, whose `gitdir` names `.git`
/// and whose `commondir` names common.
Result<Location, Error> follow_pointer(const std::string& top) {
  const auto text = read_pointer(top, ".git");
  constexpr std::string_view kStart = "gitdir:";
  if (!text || !text->starts_with(kStart)) {
    return refuse(Kind::hostile, "the file .git does not name a folder of git");
  }
  const std::string named(trim(std::string_view(*text).substr(kStart.size())));
  const auto git_dir = resolved(against(top, named));
  if (!git_dir) return refuse(Kind::not_a_repository, "the folder that .git names is not there");
  const std::string holder = git_dir->substr(0, git_dir->rfind('/'));
  const std::string common = holder.substr(0, holder.rfind('/'));
  if (!holder.ends_with("/worktrees")) return submodule(top, *git_dir);
  const auto back = read_pointer(*git_dir, "gitdir");
  const auto shared = read_pointer(*git_dir, "commondir");
  if (!back || !shared || resolved(against(*git_dir, *back)) != top + "/.git" ||
      resolved(against(*git_dir, *shared)) != common || !is_git_folder(common)) {
    return refuse(Kind::hostile, ".git names " + *git_dir + ", which does not name it back");
  }
  return Location{top, *git_dir, common, {}, true};
}

Result<Location, Error> at_top(const std::string& top, const struct stat& status) {
  const std::string git = top + "/.git";
  if (S_ISLNK(status.st_mode)) return refuse(Kind::hostile, git + " is a symbolic link");
  if (S_ISREG(status.st_mode)) return follow_pointer(top);
  if (!S_ISDIR(status.st_mode)) return refuse(Kind::hostile, git + " is no folder");
  if (!is_git_folder(git)) {
    return refuse(Kind::not_a_repository, git + " lacks HEAD, objects or refs");
  }
  if (look(git + "/commondir")) {
    return refuse(Kind::hostile, git + " says that its objects are elsewhere");
  }
  return Location{top, git, git, {}, false};
}

Result<Location, Error> bare(const std::string& folder) {
  if (folder.ends_with("/.git")) {
    return refuse(Kind::unsupported, folder + " is inside a repository; name its work tree");
  }
  if (look(folder + "/commondir")) {
    return refuse(Kind::hostile, folder + " says that its objects are elsewhere");
  }
  return Location{{}, folder, folder, {}, false};
}

}  // namespace

Result<Done, Error> check_writable(const Location& location) {
  for (const char* part : {"/objects", "/refs"}) {
    const std::string path = location.common_dir + part;
    const auto status = look(path);
    if (!status) continue;  // told by whoever opens the repository
    const bool ours = status->st_uid == geteuid() ||
                      (status->st_gid == getegid() && (status->st_mode & S_IWGRP) != 0) ||
                      (status->st_mode & S_IWOTH) != 0;
    if ((geteuid() == 0 && !ours) || access(path.c_str(), W_OK) != 0) {
      return refuse(Kind::storage, path + " belongs to user " + std::to_string(status->st_uid) +
                                       " and cannot be written by user " +
                                       std::to_string(geteuid()));
    }
  }
  return Done{};
}

Result<Location, Error> locate(const std::string& named) {
  const auto folder = resolved(named);
  if (!folder || !is_folder(*folder))
    return refuse(Kind::not_a_repository, named + " is no folder");
  const auto device = look(*folder)->st_dev;
  for (std::string top = *folder;; top = top.substr(0, top.rfind('/'))) {
    const std::string here = top.empty() ? "/" : top;
    const auto at = look(here);
    if (!at || at->st_dev != device) break;
    if (const auto status = look(top + "/.git")) {
      if (here != *folder && status->st_uid != geteuid()) {
        return refuse(Kind::hostile, top + "/.git belongs to somebody else");
      }
      CG_TRY_ASSIGN(Location found, at_top(top, *status));
      found.prefix = here == *folder ? "" : folder->substr(top.size() + 1);
      return found;
    }
    if (here == *folder && is_git_folder(here)) return bare(here);
    if (top.empty() || here == "/") break;
  }
  return refuse(Kind::not_a_repository, *folder + " is in no git repository");
}

}  // namespace cg::gitrepo
