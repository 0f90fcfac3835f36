#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/os/dir.h"

namespace cg::os {

Fd::~Fd() {
  if (fd_ >= 0) close(fd_);
}

Result<Done, Error> write_at(const Fd& fd, std::string_view bytes, std::uint64_t offset,
                             const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(from_errno(errno, path));
    if (n == 0) return fail(from_errno(ENOSPC, path));
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return Done{};
}

Result<std::string, Error> read_at(const Fd& fd, std::uint64_t offset, std::size_t size,
                                   const std::string& path) {
  std::string bytes;
  int code = 0;
  bytes.resize_and_overwrite(size, [&](char* buffer, std::size_t room) {
    std::size_t have = 0;
    while (have < room) {
      const ssize_t n =
          pread(fd.get(), buffer + have, room - have, static_cast<off_t>(offset + have));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) code = errno;
      if (n <= 0) break;
      have += static_cast<std::size_t>(n);
    }
    return have;
  });
  if (code != 0) return fail(from_errno(code, path));
  return bytes;
}

Result<std::string, Error> read_from(const Fd& fd, std::uint64_t offset, std::size_t max,
                                     const std::string& path) {
  CG_TRY_ASSIGN(const FileInfo found, info(fd, path));
  const std::uint64_t left = found.size > offset ? found.size - offset : 0;
  if (left > max) return fail(Error{Error::Kind::too_big, path, 0});
  return read_at(fd, offset, static_cast<std::size_t>(left), path);
}

Result<Done, Error> cut(const Fd& fd, std::uint64_t size, const std::string& path) {
  if (ftruncate(fd.get(), static_cast<off_t>(size)) != 0) return fail(from_errno(errno, path));
  return Done{};
}

Result<Done, Error> sync_data(const Fd& fd, const std::string& path) {
  if (fdatasync(fd.get()) != 0) return fail(from_errno(errno, path));
  return Done{};
}

Result<Lock, Error> Lock::hold(const Fd& fd, Mode mode, const std::string& path) {
  const int operation = mode == Mode::shared ? LOCK_SH : LOCK_EX;
  while (flock(fd.get(), operation) != 0) {
    if (errno != EINTR) return fail(from_errno(errno, path));
  }
  return Lock(fd.get());
}

Lock::~Lock() {
  if (fd_ >= 0) flock(fd_, LOCK_UN);
}

}  // namespace cg::os
