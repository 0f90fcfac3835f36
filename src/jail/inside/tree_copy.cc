#include "jail/inside/tree_copy.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "base/base/text.h"

namespace cg::inside {

namespace {

using os::Fd;

struct CloseDir {
  void operator()(DIR* dir) const { closedir(dir); }
};

class Copy {
 public:
  Copy(const CopyLimits& limits, const Changes& changes)
      : limits_(limits), changes_(changes), buffer_(256U << 10U) {}

  std::vector<std::string> take_left_out() && { return std::move(left_out_); }

  Result<Done, std::string> folder(const Fd& from, const Fd& to, const std::string& path,
                                   unsigned depth) {
    if (depth > limits_.depth) return fail(path + " lies too deep");
    const std::unique_ptr<DIR, CloseDir> listing(fdopendir(fcntl(from.get(), F_DUPFD_CLOEXEC, 0)));
    if (listing == nullptr) return fail(wrong(path));
    for (errno = 0; const dirent* entry = readdir(listing.get()); errno = 0) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      const std::string inner = path.empty() ? name : path + "/" + name;
      if (++entries_ > limits_.entries) return fail(std::string("there are too many files"));
      CG_TRY(one(from, to, name, inner, depth));
    }
    if (errno != 0) return fail(wrong(path));
    return add_planted(from, to, path);
  }

 private:
  static std::string wrong(const std::string& path) {
    return printable(path) + ": " + strerrordesc_np(errno);
  }

  Result<Done, std::string> one(const Fd& from, const Fd& to, const std::string& name,
                                const std::string& path, unsigned depth) {
    struct stat status {};
    if (fstatat(from.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return fail(wrong(path));
    }
    if (S_ISREG(status.st_mode)) return file(from, to, name, path);
    if (S_ISDIR(status.st_mode)) return inner_folder(from, to, name, path, depth);
    if (S_ISLNK(status.st_mode)) return link(from, to, name, path);
    return fail(printable(path) + " is neither a file, a folder nor a link");
  }

  Result<Done, std::string> inner_folder(const Fd& from, const Fd& to, const std::string& name,
                                         const std::string& path, unsigned depth) {
    const Fd source(
        openat(from.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!source.is_open()) return fail(wrong(path));
    struct stat status {};
    if (fstat(source.get(), &status) != 0) return fail(wrong(path));
    const bool onto = changes_.onto == Onto::what_is_there;
    if (mkdirat(to.get(), name.c_str(), (status.st_mode & 0777U) | S_IRWXU) != 0 &&
        !(onto && errno == EEXIST)) {
      return fail(wrong(path));
    }
    const Fd target(
        openat(to.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!target.is_open()) return onto ? Result<Done, std::string>(Done{}) : fail(wrong(path));
    if (name == changes_.left_out) {
      left_out_.push_back(path);
      return Done{};
    }
    return folder(source, target, path, depth + 1);
  }

  /// What is planted in this folder and has no file to take the place of.
  Result<Done, std::string> add_planted(const Fd& from, const Fd& to, const std::string& folder) {
    struct stat status {};
    if (fstat(from.get(), &status) != 0) return fail(wrong(folder));
    const std::string start = folder.empty() ? "" : folder + "/";
    for (auto it = changes_.planted.lower_bound(start); it != changes_.planted.end(); ++it) {
      if (!it->first.starts_with(start)) break;
      const std::string name = it->first.substr(start.size());
      if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
        continue;
      }
      if (faccessat(to.get(), name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) continue;
      status.st_mode = S_IFREG | 0644U;
      CG_TRY(written(it->second, to, name, it->first, status));
    }
    return Done{};
  }

  Result<Done, std::string> written(const std::string& text, const Fd& to, const std::string& name,
                                    const std::string& path, const struct stat& like) {
    const Fd target(openat(to.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                           (like.st_mode & 0777U) | S_IRUSR | S_IWUSR));
    if (!target.is_open() ||
        write(target.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      return fail(wrong(path));
    }
    return same_times(target, like, path);
  }

  static Result<Done, std::string> same_times(const Fd& target, const struct stat& like,
                                              const std::string& path) {
    const std::array<timespec, 2> times{like.st_atim, like.st_mtim};
    if (futimens(target.get(), times.data()) != 0) return fail(wrong(path));
    return Done{};
  }

  Result<Done, std::string> link(const Fd& from, const Fd& to, const std::string& name,
                                 const std::string& path) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = readlinkat(from.get(), name.c_str(), target.data(), target.size());
    if (size < 0) return fail(wrong(path));
    const std::string text(target.data(), static_cast<std::size_t>(size));
    if (symlinkat(text.c_str(), to.get(), name.c_str()) != 0) return fail(wrong(path));
    return Done{};
  }

  Result<Done, std::string> file(const Fd& from, const Fd& to, const std::string& name,
                                 const std::string& path) {
    // Not to wait for a pipe that has taken the file's place.
    const Fd source(
        openat(from.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!source.is_open()) return fail(wrong(path));
    struct stat status {};
    if (fstat(source.get(), &status) != 0) return fail(wrong(path));
    if (!S_ISREG(status.st_mode)) return fail(printable(path) + " changed while it was copied");
    const auto planted = changes_.planted.find(path);
    if (planted != changes_.planted.end()) return written(planted->second, to, name, path, status);
    if (changes_.onto == Onto::what_is_there) unlinkat(to.get(), name.c_str(), 0);
    const Fd target(openat(to.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                           (status.st_mode & 0777U) | S_IRUSR | S_IWUSR));
    if (!target.is_open()) return fail(wrong(path));
    CG_TRY(bytes(source, target, path));
    return same_times(target, status, path);
  }

  Result<Done, std::string> bytes(const Fd& source, const Fd& target, const std::string& path) {
    for (;;) {
      const ssize_t n = read(source.get(), buffer_.data(), buffer_.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return fail(wrong(path));
      if (n == 0) return Done{};
      bytes_ += static_cast<std::uint64_t>(n);
      if (bytes_ > limits_.bytes) return fail(std::string("the files are too large together"));
      if (write(target.get(), buffer_.data(), static_cast<std::size_t>(n)) != n) {
        return fail(wrong(path));
      }
      if (static_cast<std::size_t>(n) < buffer_.size()) return Done{};  // the end
    }
  }

  CopyLimits limits_;
  const Changes& changes_;
  std::vector<char> buffer_;
  std::vector<std::string> left_out_;
  std::uint64_t bytes_ = 0;
  std::uint64_t entries_ = 0;
};

/// The folder of `path` beneath `top`, made if need be; not open if that cannot be.
Fd folder_for(const Fd& top, const std::string& path) {
  Fd at(fcntl(top.get(), F_DUPFD_CLOEXEC, 0));
  auto parts = split(path, '/');
  const std::string_view last = parts.back();
  for (const std::string_view part : parts) {
    if (part.empty() || part == "." || part == "..") return {};
  }
  parts.pop_back();
  for (const std::string_view part : parts) {
    const std::string name(part);
    mkdirat(at.get(), name.c_str(), 0755);
    at = Fd(openat(at.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!at.is_open()) return {};
  }
  return last.find('\0') == last.npos ? std::move(at) : Fd();
}

}  // namespace

Result<Done, std::string> add_links(const Fd& to, const std::map<std::string, std::string>& links) {
  for (const auto& [path, target] : links) {
    const Fd folder = folder_for(to, path);
    if (!folder.is_open()) continue;
    const std::string name = path.substr(path.rfind('/') + 1);
    if (symlinkat(target.c_str(), folder.get(), name.c_str()) != 0 && errno != EEXIST) {
      return fail(printable(path) + ": " + strerrordesc_np(errno));
    }
  }
  return Done{};
}

Result<std::vector<std::string>, std::string> copy_tree(const Fd& from, const Fd& to,
                                                        const CopyLimits& limits,
                                                        const Changes& changes) {
  Copy copy(limits, changes);
  CG_TRY(copy.folder(from, to, "", 0));
  return std::move(copy).take_left_out();
}

}  // namespace cg::inside
