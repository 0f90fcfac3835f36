#include "jail/snapshot/repository.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/base/text.h"
#include "base/os/fd.h"
#include "jail/snapshot/objects.h"

namespace cg::snapshot {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPerson = "codegenie <codegenie@localhost> 1577836800 +0000";
constexpr const char* kMessage = "chore: the tree under test";
// Nothing runs by itself in it, and whoever commits is somebody.
constexpr const char* kConfig =
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
    "\tlogallrefupdates = true\n[user]\n\tname = codegenie\n\temail = codegenie@localhost\n"
    "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n";
constexpr std::size_t kMaxBranch = 200;

using Made = Result<Done, std::string>;
using os::Fd;

std::string wrong(const std::string& path) {
  return printable(path) + ": " + strerrordesc_np(errno);
}

bool is_git(std::string_view name) {
  constexpr std::string_view kName = ".git";
  return std::equal(name.begin(), name.end(), kName.begin(), kName.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

bool leads_into_git(std::string_view path) {
  const auto parts = split(path, '/');
  return std::any_of(parts.begin(), parts.end(), is_git);
}

/// Letters, digits, and what else branches have in their names without meaning anything to git.
bool is_plain_branch(std::string_view name) {
  if (name.empty() || name.size() > kMaxBranch || name == "HEAD") return false;
  const auto parts = split(name, '/');
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    const bool plain = std::all_of(part.begin(), part.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             std::strchr("._-+#=", c) != nullptr;
    });
    return plain && !part.empty() && part.front() != '.' && part.front() != '-' &&
           part.back() != '.' && !part.ends_with(".lock") &&
           part.find("..") == std::string_view::npos;
  });
}

/// Through no link: a folder may have become one that leads to where only we can look.
Fd open_itself(const std::string& path, unsigned flags) {
  open_how how{};
  how.flags = flags | O_NOFOLLOW | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return Fd(static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

Result<std::string, std::string> content_of(const Tracked& file, const struct stat& status) {
  if (S_ISLNK(status.st_mode)) {
    std::array<char, PATH_MAX> target{};
    const Fd link = open_itself(file.at, O_PATH);
    const ssize_t size = readlinkat(link.get(), "", target.data(), target.size());
    if (size < 0) return fail(wrong(file.path));
    return std::string(target.data(), static_cast<std::size_t>(size));
  }
  const Fd from = open_itself(file.at, O_RDONLY | O_NONBLOCK);
  std::string out(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t n = read(from.get(), out.data() + got, out.size() - got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(printable(file.path) + ": cannot be read");
    got += static_cast<std::size_t>(n);
  }
  return out;
}

Made write_file(const std::string& path, std::string_view bytes, mode_t mode = 0644) {
  const Fd to(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!to.is_open()) return fail(wrong(path));
  while (!bytes.empty()) {
    const ssize_t n = write(to.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(wrong(path));
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return Done{};
}

class Making {
 public:
  Making(const std::string& folder, std::string branch)
      : folder_(folder), git_(folder + "/.git"), branch_(std::move(branch)) {}

  Made run(const std::vector<Tracked>& files, const Limits& limits) {
    CG_TRY(look_at(files, limits));
    CG_TRY(make_folders());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      CG_TRY_ASSIGN(const std::string content, content_of(files_[i], entries_[i].status));
      const Object blob = object_of("blob", content);
      entries_[i].id = blob.id;
      put(blob);
    }
    const Id tree = write_trees(entries_, [&](const Object& object) { put(object); });
    const std::string person = kPerson;
    const Object commit =
        object_of("commit", "tree " + to_hex(tree) + "\nauthor " + person + "\ncommitter " +
                                person + "\n\n" + kMessage + "\n");
    put(commit);
    CG_TRY(put_);
    CG_TRY(write_file(git_ + "/refs/heads/" + branch_, to_hex(commit.id) + "\n"));
    CG_TRY(write_file(git_ + "/HEAD", "ref: refs/heads/" + branch_ + "\n"));
    CG_TRY(write_file(git_ + "/config", kConfig));
    CG_TRY(write_file(git_ + "/info/exclude", others()));
    return write_file(git_ + "/index", write_index(entries_));
  }

 private:
  Made look_at(const std::vector<Tracked>& files, const Limits& limits) {
    std::uint64_t bytes = 0;
    for (const Tracked& file : files) {
      const Fd found = open_itself(file.at, O_PATH);
      Entry entry{file.path};
      if (leads_into_git(file.path) || fstat(found.get(), &entry.status) != 0) continue;
      if (!S_ISREG(entry.status.st_mode) && !S_ISLNK(entry.status.st_mode)) continue;
      bytes += static_cast<std::uint64_t>(entry.status.st_size);
      entries_.push_back(std::move(entry));
      files_.push_back(file);
    }
    if (entries_.size() > limits.files) {
      return fail("it has more than " + std::to_string(limits.files) + " files");
    }
    struct statvfs space {};
    const bool asked = statvfs(folder_.c_str(), &space) == 0;
    const std::uint64_t left = asked ? std::uint64_t{space.f_bavail} * space.f_frsize : 0;
    if (bytes > limits.bytes || bytes > left / 2) {
      return fail("its files have more than " +
                  std::to_string(std::min(limits.bytes, left / 2) >> 20U) + " MiB");
    }
    return Done{};
  }

  Made make_folders() const {
    for (const char* name : {"", "/hooks", "/info", "/objects", "/objects/info", "/objects/pack",
                             "/refs", "/refs/heads", "/refs/tags"}) {
      if (mkdir((git_ + name).c_str(), 0755) != 0) return fail(wrong(git_ + name));
    }
    std::error_code code;
    fs::create_directories(fs::path(git_ + "/refs/heads/" + branch_).parent_path(), code);
    if (code) return fail(printable(branch_) + ": " + code.message());
    return Done{};
  }

  /// Two files may have the same bytes.
  void put(const Object& object) {
    if (!put_) return;
    const std::string path = git_ + "/objects/" + place_of(object.id);
    mkdir(path.substr(0, path.rfind('/')).c_str(), 0755);
    if (access(path.c_str(), F_OK) != 0) put_ = write_file(path, object.bytes, 0444);
  }

  /// What is in the folder and in no commit, as git is to ignore it.
  [[nodiscard]] std::string others() const {
    std::set<std::string> known;
    for (const Entry& entry : entries_) {
      for (std::string path = entry.path; known.insert(path).second;) {
        const std::size_t slash = path.rfind('/');
        if (slash == std::string::npos) break;
        path.resize(slash);
      }
    }
    std::set<std::string> out{"node_modules/\n"};
    std::error_code code;
    fs::recursive_directory_iterator it(folder_, fs::directory_options::skip_permission_denied,
                                        code);
    for (; !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
      const std::string path = it->path().string().substr(folder_.size() + 1);
      if (known.contains(path)) continue;
      it.disable_recursion_pending();
      if (path != ".git" && it->path().filename() != "node_modules") out.insert(exclude_line(path));
    }
    std::string text;
    for (const std::string& line : out) text += line;
    return text;
  }

  const std::string& folder_;
  std::string git_;
  std::string branch_;
  std::vector<Tracked> files_;
  std::vector<Entry> entries_;  // of the same files
  Made put_ = Done{};
};

}  // namespace

Made make_repository(const std::string& folder, std::vector<Tracked> files,
                     const std::string& branch, const Limits& limits) {
  std::error_code code;
  fs::remove_all(folder + "/.git", code);
  if (code) return fail(std::string(".git: ") + code.message());
  const auto by_path = [](const Tracked& a, const Tracked& b) { return a.path < b.path; };
  const auto same = [](const Tracked& a, const Tracked& b) { return a.path == b.path; };
  std::sort(files.begin(), files.end(), by_path);
  files.erase(std::unique(files.begin(), files.end(), same), files.end());
  Made made = Making(folder, is_plain_branch(branch) ? branch : "main").run(files, limits);
  if (!made) fs::remove_all(folder + "/.git", code);
  return made;
}

}  // namespace cg::snapshot
