// Dir: everything beneath one open folder, and nothing else.
//
// Every path is resolved by openat2 with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and
// RESOLVE_NO_MAGICLINKS at the moment of use, so a path cannot leave the folder
// even while somebody swaps its parts. What is not promised: hard links that were
// planted inside the folder, and bind mounts, look like what they point to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/os/error.h"
#include "base/os/fd.h"

namespace cg::os {

struct FileInfo {
  enum class Type { file, folder, symlink, other };
  Type type = Type::other;
  std::uint64_t size = 0;
  std::uint64_t inode = 0;
  unsigned mode = 0;  // permission bits
  unsigned owner = 0;
  std::uint64_t links = 0;
  Time changed{};  // what it holds
};

/// A name in a folder and what stands under it.
struct Entry {
  std::string name;
  FileInfo::Type type = FileInfo::Type::other;
};

[[nodiscard]] Result<FileInfo, Error> info(const Fd& fd, const std::string& path);

class Dir {
 public:
  /// Opens a folder by any path. The last part must not be a symbolic link.
  [[nodiscard]] static Result<Dir, Error> open(const std::string& path);
  /// The same without the right to list it or to sync it: for reading one file in it by name,
  /// where nothing else in it is our business.
  [[nodiscard]] static Result<Dir, Error> open_for_lookup(const std::string& path);
  /// Makes one folder, mode 0700, and those above it; fine if it is there.
  [[nodiscard]] static Result<Dir, Error> make(const std::string& path);

  [[nodiscard]] Result<Dir, Error> open_dir(const std::string& path) const;
  /// `flags` as for open(2); O_CLOEXEC and O_NOFOLLOW are added, new files get 0600.
  [[nodiscard]] Result<Fd, Error> open_file(const std::string& path, int flags) const;

  /// The bytes of a plain file of at most `max` bytes.
  [[nodiscard]] Result<std::string, Error> read(const std::string& path, std::size_t max) const;
  /// All or nothing: temporary file, fsync, rename, fsync of the folder.
  [[nodiscard]] Result<Done, Error> write_atomic(const std::string& path,
                                                 std::string_view bytes) const;
  /// As write_atomic, but fails with `exists` rather than replace a file.
  [[nodiscard]] Result<Done, Error> write_new(const std::string& path,
                                              std::string_view bytes) const;
  [[nodiscard]] Result<Done, Error> make_dir(const std::string& path) const;  // 0700, parents too
  [[nodiscard]] Result<Done, Error> remove(const std::string& path) const;    // file; fine if gone
  /// A folder of this one and all that is in it; fine if it is gone.
  [[nodiscard]] Result<Done, Error> remove_tree(const std::string& name) const;
  /// Both beneath; `to` is replaced in one step. Durable when it returns.
  [[nodiscard]] Result<Done, Error> rename(const std::string& from, const std::string& to) const;
  /// A second name for a file; fails with `exists` if the name is taken.
  [[nodiscard]] Result<Done, Error> link(const std::string& from, const std::string& to) const;
  [[nodiscard]] Result<FileInfo, Error> stat(const std::string& path) const;  // symlinks as such
  /// Names in a folder beneath ("." for this one), sorted, at most `max` of them.
  [[nodiscard]] Result<std::vector<std::string>, Error> list(const std::string& path,
                                                             std::size_t max) const;
  /// What this folder itself holds, in the order of the file system, at most `max` of
  /// it. Costs one call of the kernel per few hundred names. Moves the read position
  /// of fd(), so two threads must not do it at once.
  [[nodiscard]] Result<std::vector<Entry>, Error> entries(std::size_t max) const;
  [[nodiscard]] Result<Done, Error> sync() const;

  [[nodiscard]] const Fd& fd() const { return fd_; }
  /// As it was opened, for messages.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path_of(const std::string& name) const { return path_ + "/" + name; }

 private:
  [[nodiscard]] static Result<Dir, Error> open_as(const std::string& path, int access);
  Dir(Fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Fd fd_;
  std::string path_;
};

/// Temporary files of write_atomic that a killed process left: readers pass over
/// them, writers remove them.
[[nodiscard]] bool is_leftover(std::string_view name);

/// Writes all of `bytes` at `offset`.
[[nodiscard]] Result<Done, Error> write_at(const Fd& fd, std::string_view bytes,
                                           std::uint64_t offset, const std::string& path);
/// Reads from `offset` to the end of the file, at most `max` bytes of it.
[[nodiscard]] Result<std::string, Error> read_from(const Fd& fd, std::uint64_t offset,
                                                   std::size_t max, const std::string& path);

/// Exactly `size` bytes at `offset`, fewer only at the end of the file.
[[nodiscard]] Result<std::string, Error> read_at(const Fd& fd, std::uint64_t offset,
                                                 std::size_t size, const std::string& path);

/// Makes what was written to `fd` survive a power cut.
[[nodiscard]] Result<Done, Error> sync_data(const Fd& fd, const std::string& path);

/// Cuts a file to `size` bytes.
[[nodiscard]] Result<Done, Error> cut(const Fd& fd, std::uint64_t size, const std::string& path);

/// Holds flock(2) on a folder or file until it goes out of scope. The kernel lets
/// go of it when the process dies, however it dies.
class Lock {
 public:
  enum class Mode { shared, exclusive };
  [[nodiscard]] static Result<Lock, Error> hold(const Fd& fd, Mode mode, const std::string& path);
  Lock(Lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  Lock& operator=(Lock&&) = delete;
  ~Lock();

 private:
  explicit Lock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace cg::os
