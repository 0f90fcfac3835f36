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
  explicit Copy(const CopyLimits& limits) : limits_(limits), buffer_(256U << 10U) {}

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
    return Done{};
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
    if (mkdirat(to.get(), name.c_str(), (status.st_mode & 0777U) | S_IRWXU) != 0)
      return fail(wrong(path));
    const Fd target(
        openat(to.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!target.is_open()) return fail(wrong(path));
    return folder(source, target, path, depth + 1);
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
    const Fd target(openat(to.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                           (status.st_mode & 0777U) | S_IRUSR | S_IWUSR));
    if (!target.is_open()) return fail(wrong(path));
    CG_TRY(bytes(source, target, path));
    const std::array<timespec, 2> times{status.st_atim, status.st_mtim};
    if (futimens(target.get(), times.data()) != 0) return fail(wrong(path));
    return Done{};
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
  std::vector<char> buffer_;
  std::uint64_t bytes_ = 0;
  std::uint64_t entries_ = 0;
};

}  // namespace

Result<Done, std::string> copy_tree(const Fd& from, const Fd& to, const CopyLimits& limits) {
  return Copy(limits).folder(from, to, "", 0);
}

}  // namespace cg::inside
