#include "jail/inside/own_tree.h"

#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/os/fd.h"
#include "jail/inside/tree_copy.h"
#include "jail/sandbox/places.h"
#include "jail/snapshot/repository.h"

namespace cg::inside {

namespace fs = std::filesystem;

namespace {

using os::Fd;
using sandbox::Error;

constexpr const char* kShared = "/tree";
constexpr const char* kModules = "node_modules";
constexpr std::size_t kMaxLayers = 1'024;

/// What a step finds under its own names, and the folders of OwnTree that they are.
struct Part {
  const char* path;
  const char* folder;
  mode_t mode;
};
constexpr std::array<Part, 3> kParts{
    {{"/tree", "/tree", 0755}, {"/tmp", "/tmp", 01777}, {"/dev/shm", "/shm", 01777}}};

/// What is made belongs to who the steps are, where that is another than the server.
class AsStep {
 public:
  explicit AsStep(const Site& site) : changed_(site.become.has_value()) {
    if (changed_) set(*site.become);
  }
  AsStep(const AsStep&) = delete;
  AsStep& operator=(const AsStep&) = delete;
  ~AsStep() {
    if (changed_) set(0);
  }

 private:
  static void set(unsigned id) {
    setfsgid(id);
    setfsuid(id);
  }
  bool changed_;
};

Error failed(const std::string& what) {
  return {Error::Kind::setup, what + ": " + strerrordesc_np(errno)};
}

Fd open_folder_at(const std::string& path) {
  return Fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// A colon would part two folders.
std::string escaped(const std::string& path) {
  std::string out;
  for (const char c : path) {
    if (c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

struct Overlay {
  std::string lower;
  std::string upper;
  std::string work;
  std::string at;
};

bool mount_overlay(const Overlay& overlay) {
  const Fd config(fsopen("overlay", FSOPEN_CLOEXEC));
  const auto set = [&](const char* name, const std::string& value) {
    return fsconfig(config.get(), FSCONFIG_SET_STRING, name, escaped(value).c_str(), 0) == 0;
  };
  if (!config.is_open() || !set("lowerdir", overlay.lower) || !set("upperdir", overlay.upper) ||
      !set("workdir", overlay.work) ||
      fsconfig(config.get(), FSCONFIG_SET_FLAG, "userxattr", nullptr, 0) != 0 ||
      fsconfig(config.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return false;
  }
  const Fd mounted(fsmount(config.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV));
  return mounted.is_open() &&
         move_mount(mounted.get(), "", AT_FDCWD, overlay.at.c_str(), MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

Overlay layer(const std::string& folder, std::size_t number, const std::string& path) {
  const std::string count = std::to_string(number);
  return {std::string(kShared) + "/" + path, folder + "/upper-" + count, folder + "/work-" + count,
          folder + "/tree/" + path};
}

/// Whether a folder of the lower layer can be removed and made again: without extended attributes
/// of users, which memory file systems have had since Linux 6.6, it cannot.
bool overlay_serves(const std::string& scratch) {
  const std::string probe = scratch + "/probe";
  const Overlay overlay{probe + "/lower", probe + "/upper", probe + "/work", probe + "/at"};
  for (const std::string& folder :
       {probe, overlay.lower, overlay.upper, overlay.work, overlay.at, overlay.lower + "/again"}) {
    mkdir(folder.c_str(), 0755);
  }
  bool serves = mount_overlay(overlay);
  if (serves) {
    const std::string again = overlay.at + "/again";
    serves = rmdir(again.c_str()) == 0 && mkdir(again.c_str(), 0755) == 0;
    umount2(overlay.at.c_str(), MNT_DETACH);
  }
  std::error_code ignored;
  fs::remove_all(probe, ignored);
  return serves;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_plain(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_link(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

/// When anything about it was changed last, ns.
std::optional<std::int64_t> changed_at(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return std::nullopt;
  return std::int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec;
}

/// Every plain file beneath `top`, or what else is `wanted`, relative; `enter` says which folders
/// are looked into.
template <class Enter>
std::vector<std::string> files_beneath(const std::string& top, const Enter& enter,
                                       bool (*wanted)(const fs::path&) = is_plain) {
  std::vector<std::string> out;
  std::error_code code;
  fs::recursive_directory_iterator it(top, fs::directory_options::skip_permission_denied, code);
  for (; !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
    std::string path = it->path().string().substr(top.size() + 1);
    if (wanted(it->path())) {
      out.push_back(std::move(path));
    } else if (!enter(path)) {
      it.disable_recursion_pending();
    }
  }
  return out;
}

Result<Done, Error> make_folders(const OwnTree& own) {
  bool good = mkdir(own.folder.c_str(), 0755) == 0;
  for (const Part& part : kParts) {
    good = good && mkdir((own.folder + part.folder).c_str(), part.mode) == 0;
  }
  good = good && mkdir((own.folder + sandbox::kHome).c_str(), 0700) == 0;
  for (const std::string& path : own.seen) {
    std::error_code code;
    fs::create_directories(own.folder + path, code);
    good = good && !code;
  }
  if (!good) return fail(failed("a tree for one step"));
  return Done{};
}

Result<std::vector<std::string>, Error> copied(const std::string& from, const std::string& to,
                                               const Changes& changes) {
  const Fd source = open_folder_at(from);
  const Fd target = open_folder_at(to);
  if (!source.is_open() || !target.is_open()) return fail(failed(from));
  auto done = copy_tree(source, target, CopyLimits{}, changes);
  if (!done) return fail(Error{Error::Kind::setup, "a tree for one step: " + done.error()});
  return *std::move(done);
}

bool is_layered(const OwnTree& own, const std::string& path) {
  return path.find("node_modules/") != std::string::npos &&
         std::any_of(own.layered.begin(), own.layered.end(),
                     [&](const std::string& folder) { return path.starts_with(folder + "/"); });
}

/// What a step changes is known by being younger than its tree, so it begins on a later tick of the
/// clock of files, which goes on a hundred times a second or more.
void wait_for_later(const std::string& folder, std::int64_t than) {
  constexpr int kMostTries = 100;
  constexpr timespec kTick{0, 1'000'000};
  for (int i = 0; i < kMostTries && changed_at(folder).value_or(than + 1) <= than; ++i) {
    nanosleep(&kTick, nullptr);
    utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);
  }
}

/// Where a step would find it.
bool has_git() {
  static constexpr std::array<const char*, 3> kPlaces{"/usr/local/bin/git", "/usr/bin/git",
                                                      "/bin/git"};
  return std::any_of(kPlaces.begin(), kPlaces.end(),
                     [](const char* place) { return access(place, X_OK) == 0; });
}

}  // namespace

OwnTrees::OwnTrees(const Site& site) : site_(site) {
  if (!site.namespaces) return;
  const auto everywhere = [](const std::string&) { return true; };
  for (bool (*wanted)(const fs::path&) : {is_plain, is_link}) {
    const auto files = files_beneath(kShared, everywhere, wanted);
    first_.insert(files.begin(), files.end());
  }
}

Result<OwnTree, Error> OwnTrees::make(const sandbox::Step& step) {
  if (!layers_) layers_ = overlay_serves(site_.scratch);
  const AsStep as_step(site_);
  OwnTree own{site_.scratch + "/" + std::to_string(++count_), {}, step.seen};
  CG_TRY(make_folders(own));
  const std::string tree = own.folder + "/tree";
  CG_TRY_ASSIGN(own.layered,
                copied(kShared, tree, {*layers_ ? kModules : "", step.planted, Onto::nothing}));
  if (own.layered.size() > kMaxLayers) {
    return fail(Error{Error::Kind::scene, "too many folders called node_modules"});
  }
  for (std::size_t i = 0; i < own.layered.size(); ++i) {
    const Overlay over = layer(own.folder, i, own.layered[i]);
    if (mkdir(over.upper.c_str(), 0755) != 0 || mkdir(over.work.c_str(), 0755) != 0) {
      return fail(failed("a tree for one step"));
    }
  }
  const std::string kept = site_.scratch + "/kept";
  if (fs::exists(kept)) CG_TRY(copied(kept, tree, {"", {}, Onto::what_is_there}));
  own.no_git = add_repository(own, step);
  const std::string made = own.folder + "/made";
  if (mkdir(made.c_str(), 0700) != 0) return fail(failed("a tree for one step"));
  own.made_at = changed_at(made).value_or(0);
  wait_for_later(made, own.made_at);
  return own;
}

/// Why there is none. What installs made is not in its commit, nor is what a build did.
std::string OwnTrees::add_repository(const OwnTree& own, const sandbox::Step& step) const {
  if (!has_git()) return "there is no git on this machine";
  std::vector<snapshot::Tracked> files;
  const std::string tree = own.folder + "/tree/";
  for (const std::string& path : first_) {
    // Where layers go the copy is empty so far.
    files.push_back(
        {path, is_layered(own, path) ? std::string(kShared) + "/" + path : tree + path});
  }
  for (const auto& [path, text] : step.planted) files.push_back({path, tree + path});
  const auto made = snapshot::make_repository(own.folder + "/tree", std::move(files), site_.branch);
  return made ? "" : made.error();
}

/// Whoever writes to a file can set back when it was written, but not when it was changed.
std::vector<std::string> OwnTrees::altered(const OwnTree& own) const {
  std::vector<std::string> out;
  for (const std::string& path : first_) {
    if (out.size() == sandbox::kMaxAltered) break;
    if (path.find("node_modules/") != std::string::npos) continue;
    const auto changed = changed_at(own.folder + "/tree/" + path);
    if (!changed || *changed > own.made_at) out.push_back(path);
  }
  return out;
}

/// Made by the step, or made by an install and changed by the step.
bool OwnTrees::is_built(const std::string& path, const std::string& file) const {
  if (first_.contains(path) || !sandbox::may_be_kept(path)) return false;
  const std::string shared = std::string(kShared) + "/" + path;
  return !is_plain(shared) || bytes_of(shared) != bytes_of(file);
}

void OwnTrees::keep_built(const OwnTree& own) const {
  const std::string tree = own.folder + "/tree";
  const auto enter = [](const std::string& path) { return sandbox::may_be_kept(path + "/x"); };
  for (const std::string& path : files_beneath(tree, enter)) {
    const std::string file = tree + "/" + path;
    if (!is_built(path, file)) continue;
    const fs::path kept = fs::path(site_.scratch) / "kept" / path;
    std::error_code code;
    fs::create_directories(kept.parent_path(), code);
    fs::rename(file, kept, code);
  }
}

/// What was changed lies in the upper layers, or beside what it was copied from.
void OwnTrees::keep_packages(const OwnTree& own, const std::vector<std::string>& packages) const {
  const std::string kept = own.folder + "/packages";
  const auto put_aside = [&](const std::string& file, const std::string& path) {
    if (!sandbox::is_of_package(path, packages)) return;
    const std::string shared = std::string(kShared) + "/" + path;
    if (is_plain(shared) && bytes_of(shared) == bytes_of(file)) return;
    std::error_code code;
    fs::create_directories(fs::path(kept + "/" + path).parent_path(), code);
    fs::rename(file, kept + "/" + path, code);
  };
  const auto everywhere = [](const std::string&) { return true; };
  for (std::size_t i = 0; i < own.layered.size(); ++i) {
    const std::string upper = layer(own.folder, i, own.layered[i]).upper;
    for (const std::string& path : files_beneath(upper, everywhere)) {
      put_aside(upper + "/" + path, own.layered[i] + "/" + path);
    }
  }
  const std::string tree = own.folder + "/tree";
  for (const std::string& path : files_beneath(tree, everywhere)) {
    put_aside(tree + "/" + path, path);
  }
  if (fs::exists(kept)) static_cast<void>(copied(kept, kShared, {"", {}, Onto::what_is_there}));
}

void OwnTrees::finish(const OwnTree& own, const sandbox::Step& step) const {
  const AsStep as_step(site_);
  if (step.keep == sandbox::Keep::built) keep_built(own);
  if (step.keep == sandbox::Keep::packages) keep_packages(own, step.packages);
  std::error_code ignored;
  fs::remove_all(own.folder, ignored);
}

Refused enter_own(const OwnTree& own) {
  for (std::size_t i = 0; i < own.layered.size(); ++i) {
    if (!mount_overlay(layer(own.folder, i, own.layered[i]))) return {"overlay", errno};
  }
  std::vector<Fd> seen;
  for (const std::string& path : own.seen) {
    seen.emplace_back(open_tree(AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    if (mount_setattr(seen.back().get(), "", AT_EMPTY_PATH, &attributes, sizeof attributes) != 0) {
      return {"what installs left", errno};
    }
  }
  for (const Part& part : kParts) {
    const std::string from = own.folder + part.folder;
    if (mount(from.c_str(), part.path, nullptr, MS_BIND | MS_REC, nullptr) != 0) {
      return {"a tree for one step", errno};
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (move_mount(seen[i].get(), "", AT_FDCWD, own.seen[i].c_str(), MOVE_MOUNT_F_EMPTY_PATH) !=
        0) {
      return {"what installs left", errno};
    }
  }
  return {};
}

std::string found_at(const std::string& path, const OwnTree& own) {
  for (const Part& part : kParts) {
    const std::string_view start = part.path;
    if (!path.starts_with(start)) continue;
    if (path.size() > start.size() && path[start.size()] != '/') continue;
    return own.folder + part.folder + path.substr(start.size());
  }
  return path;
}

}  // namespace cg::inside
