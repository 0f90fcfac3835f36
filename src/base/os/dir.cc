#include "base/os/dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>

#include "base/os/open.h"

namespace cg::os {

namespace {

constexpr mode_t kFileMode = 0600;
constexpr mode_t kDirMode = 0700;
constexpr std::string_view kLeftover = ".cg-tmp-";

int open_beneath(int dir, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC | O_NOFOLLOW);
  if ((flags & O_CREAT) != 0) how.mode = kFileMode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  for (int tries = 0;; ++tries) {
    const long fd = syscall(SYS_openat2, dir, path.c_str(), &how, sizeof how);
    // EAGAIN: a rename raced with the look-up; the kernel asks to try again.
    if (fd >= 0 || errno != EAGAIN || tries == 64) return static_cast<int>(fd);
  }
}

/// The folder that holds `path`, and the last part of it.
class Parent {
 public:
  Parent(int dir, std::string name) : dir_(dir), name_(std::move(name)) {}
  Parent(Fd opened, std::string name)
      : opened_(std::move(opened)), dir_(opened_.get()), name_(std::move(name)) {}
  [[nodiscard]] int fd() const { return dir_; }
  [[nodiscard]] const char* name() const { return name_.c_str(); }

 private:
  Fd opened_;  // not open for a plain name, whose folder the caller holds
  int dir_;
  std::string name_;
};

/// `access` O_PATH where the folder is only passed through.
Result<Parent, Error> parent_of(const Fd& dir, const std::string& path, const std::string& shown,
                                int access = O_RDONLY) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos && path != "..") return Parent(dir.get(), path);
  Fd fd(open_beneath(dir.get(), path.substr(0, slash), access | O_DIRECTORY));
  if (!fd.is_open()) return fail(from_errno(errno, shown));
  return Parent(std::move(fd), path.substr(slash + 1));
}

FileInfo to_info(const struct stat& s) {
  FileInfo out;
  out.type = S_ISREG(s.st_mode)   ? FileInfo::Type::file
             : S_ISDIR(s.st_mode) ? FileInfo::Type::folder
             : S_ISLNK(s.st_mode) ? FileInfo::Type::symlink
                                  : FileInfo::Type::other;
  out.size = static_cast<std::uint64_t>(s.st_size);
  out.inode = s.st_ino;
  out.mode = s.st_mode & 07777U;
  out.changed = Time{std::int64_t{s.st_mtim.tv_sec} * 1000 + s.st_mtim.tv_nsec / 1'000'000};
  out.owner = s.st_uid;
  out.links = s.st_nlink;
  return out;
}

std::string temporary_name() {
  static std::atomic<unsigned> counter{0};
  return std::string(kLeftover) + std::to_string(getpid()) + "-" + std::to_string(counter++);
}

/// A complete, synced temporary file beside its destination.
Result<std::string, Error> write_temporary(const Parent& parent, std::string_view bytes,
                                           const std::string& shown) {
  const std::string name = temporary_name();
  unlinkat(parent.fd(), name.c_str(), 0);  // of an earlier process with our number
  const Fd fd(open_beneath(parent.fd(), name, O_WRONLY | O_CREAT | O_EXCL));
  if (!fd.is_open()) return fail(from_errno(errno, shown));
  auto written = write_at(fd, bytes, 0, shown);
  if (written && fsync(fd.get()) != 0) written = fail(from_errno(errno, shown));
  if (!written) {
    unlinkat(parent.fd(), name.c_str(), 0);
    return fail(written.error());
  }
  return name;
}

Result<Done, Error> put_in_place(const Fd& dir, const std::string& path, std::string_view bytes,
                                 unsigned rename_flags, const std::string& shown) {
  CG_TRY_ASSIGN(const Parent parent, parent_of(dir, path, shown));
  CG_TRY_ASSIGN(const std::string temporary, write_temporary(parent, bytes, shown));
  if (renameat2(parent.fd(), temporary.c_str(), parent.fd(), parent.name(), rename_flags) != 0) {
    const int code = errno;
    unlinkat(parent.fd(), temporary.c_str(), 0);
    return fail(from_errno(code, shown));
  }
  if (fsync(parent.fd()) != 0) return fail(from_errno(errno, shown));
  return Done{};
}

}  // namespace

Result<FileInfo, Error> info(const Fd& fd, const std::string& path) {
  struct stat s {};
  if (fstat(fd.get(), &s) != 0) return fail(from_errno(errno, path));
  return to_info(s);
}

Result<Dir, Error> Dir::open(const std::string& path) { return open_as(path, O_RDONLY); }

Result<Dir, Error> Dir::open_for_lookup(const std::string& path) { return open_as(path, O_PATH); }

Result<Dir, Error> Dir::open_as(const std::string& path, int access) {
  Fd fd(open_path(path.c_str(), access | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.is_open()) {
    const int code = errno;
    struct stat s {};
    // O_DIRECTORY with O_NOFOLLOW says ENOTDIR for a symbolic link too.
    const bool link = code == ENOTDIR && lstat(path.c_str(), &s) == 0 && S_ISLNK(s.st_mode);
    return fail(from_errno(link ? ELOOP : code, path));
  }
  return Dir(std::move(fd), path);
}

Result<Dir, Error> Dir::make(const std::string& path) {
  for (std::size_t at = 1; at <= path.size(); ++at) {
    if (at != path.size() && path[at] != '/') continue;
    const std::string part = path.substr(0, at);
    if (mkdir(part.c_str(), kDirMode) != 0 && errno != EEXIST) {
      return fail(from_errno(errno, part));
    }
  }
  return open(path);
}

Result<Dir, Error> Dir::open_dir(const std::string& path) const {
  Fd fd(open_beneath(fd_.get(), path, O_RDONLY | O_DIRECTORY));
  if (!fd.is_open()) return fail(from_errno(errno, path_of(path)));
  return Dir(std::move(fd), path_of(path));
}

Result<Fd, Error> Dir::open_file(const std::string& path, int flags) const {
  // O_NONBLOCK: a pipe that stands where a file belongs must not make us wait.
  Fd fd(open_beneath(fd_.get(), path, flags | O_NONBLOCK));
  if (!fd.is_open()) return fail(from_errno(errno, path_of(path)));
  CG_TRY_ASSIGN(const FileInfo found, info(fd, path_of(path)));
  if (found.type != FileInfo::Type::file) {
    return fail(Error{Error::Kind::not_a_file, path_of(path), 0});
  }
  return fd;
}

Result<std::string, Error> Dir::read(const std::string& path, std::size_t max) const {
  CG_TRY_ASSIGN(const Fd fd, open_file(path, O_RDONLY));
  return read_from(fd, 0, max, path_of(path));
}

Result<Done, Error> Dir::write_atomic(const std::string& path, std::string_view bytes) const {
  return put_in_place(fd_, path, bytes, 0, path_of(path));
}

Result<Done, Error> Dir::write_new(const std::string& path, std::string_view bytes) const {
  return put_in_place(fd_, path, bytes, RENAME_NOREPLACE, path_of(path));
}

Result<Done, Error> Dir::make_dir(const std::string& path) const {
  for (std::size_t at = 1; at <= path.size(); ++at) {
    if (at != path.size() && path[at] != '/') continue;
    CG_TRY_ASSIGN(const Parent parent, parent_of(fd_, path.substr(0, at), path_of(path)));
    if (mkdirat(parent.fd(), parent.name(), kDirMode) == 0) {
      if (fsync(parent.fd()) != 0) return fail(from_errno(errno, path_of(path)));
    } else if (errno != EEXIST) {
      return fail(from_errno(errno, path_of(path)));
    }
  }
  return Done{};
}

Result<Done, Error> Dir::remove(const std::string& path) const {
  auto parent = parent_of(fd_, path, path_of(path));
  if (!parent) {
    if (parent.error().kind == Error::Kind::not_found) return Done{};
    return fail(parent.error());
  }
  if (unlinkat(parent->fd(), parent->name(), 0) != 0 && errno != ENOENT) {
    return fail(from_errno(errno, path_of(path)));
  }
  return Done{};
}

Result<Done, Error> Dir::rename(const std::string& from, const std::string& to) const {
  CG_TRY_ASSIGN(const auto source, parent_of(fd_, from, path_of(from)));
  CG_TRY_ASSIGN(const auto target, parent_of(fd_, to, path_of(to)));
  if (renameat(source.fd(), source.name(), target.fd(), target.name()) != 0) {
    return fail(from_errno(errno, path_of(to)));
  }
  if (fsync(target.fd()) != 0) return fail(from_errno(errno, path_of(to)));
  return Done{};
}

Result<Done, Error> Dir::link(const std::string& from, const std::string& to) const {
  CG_TRY_ASSIGN(const auto source, parent_of(fd_, from, path_of(from)));
  CG_TRY_ASSIGN(const auto target, parent_of(fd_, to, path_of(to)));
  if (linkat(source.fd(), source.name(), target.fd(), target.name(), 0) != 0) {
    return fail(from_errno(errno, path_of(to)));
  }
  return Done{};
}

Result<FileInfo, Error> Dir::stat(const std::string& path) const {
  CG_TRY_ASSIGN(const Parent parent, parent_of(fd_, path, path_of(path), O_PATH));
  struct stat s {};
  if (fstatat(parent.fd(), parent.name(), &s, AT_SYMLINK_NOFOLLOW) != 0) {
    return fail(from_errno(errno, path_of(path)));
  }
  return to_info(s);
}

Result<std::vector<std::string>, Error> Dir::list(const std::string& path, std::size_t max) const {
  const int fd = open_beneath(fd_.get(), path, O_RDONLY | O_DIRECTORY);
  if (fd < 0) return fail(from_errno(errno, path_of(path)));
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(fdopendir(fd), closedir);
  if (!dir) {
    const int code = errno;
    close(fd);
    return fail(from_errno(code, path_of(path)));
  }
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(dir.get());
    if (entry == nullptr) {
      if (errno != 0) return fail(from_errno(errno, path_of(path)));
      break;
    }
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() == max) return fail(Error{Error::Kind::too_big, path_of(path), 0});
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<Done, Error> Dir::sync() const {
  if (fsync(fd_.get()) != 0) return fail(from_errno(errno, path_));
  return Done{};
}

bool is_leftover(std::string_view name) { return name.starts_with(kLeftover); }

}  // namespace cg::os
