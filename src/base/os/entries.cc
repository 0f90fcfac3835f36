// Dir::entries(): getdents64 without readdir's copies, and the type where the file
// system tells it.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/os/dir.h"

namespace cg::os {

namespace {

/// The head of a record of getdents64(2); the name follows, then padding.
struct Head {
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t length;
  unsigned char type;
};
constexpr std::size_t kNameAt = offsetof(Head, type) + 1;

FileInfo::Type type_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return FileInfo::Type::file;
  if (S_ISDIR(mode)) return FileInfo::Type::folder;
  return S_ISLNK(mode) ? FileInfo::Type::symlink : FileInfo::Type::other;
}

/// Some file systems leave the type open; then one look at the name settles it.
FileInfo::Type type_of(int dir, const char* name, unsigned char type) {
  if (type != DT_UNKNOWN) return type_of_mode(static_cast<mode_t>(DTTOIF(type)));
  struct stat s {};
  if (fstatat(dir, name, &s, AT_SYMLINK_NOFOLLOW) != 0) return FileInfo::Type::other;
  return type_of_mode(s.st_mode);
}

}  // namespace

Result<std::vector<Entry>, Error> Dir::entries(std::size_t max) const {
  if (lseek(fd_.get(), 0, SEEK_SET) != 0) return fail(from_errno(errno, path_));
  std::vector<Entry> out;
  alignas(Head) std::array<char, 32768> buffer;
  for (;;) {
    const long got = syscall(SYS_getdents64, fd_.get(), buffer.data(), buffer.size());
    if (got < 0) return fail(from_errno(errno, path_));
    if (got == 0) return out;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      Head head{};
      std::memcpy(&head, buffer.data() + at, kNameAt);
      const char* name = buffer.data() + at + kNameAt;
      at += head.length;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
      if (out.size() == max) return fail(Error{Error::Kind::too_big, path_, 0});
      out.push_back({name, type_of(fd_.get(), name, head.type)});
    }
  }
}

}  // namespace cg::os
