#include "base/os/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cg::os {

namespace {

Error::Kind kind_of(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return Error::Kind::not_found;
    case EEXIST:
    case ENOTEMPTY:
      return Error::Kind::exists;
    case EACCES:
    case EPERM:
      return Error::Kind::denied;
    case ELOOP:
    case EXDEV:  // openat2: the path would leave the folder
      return Error::Kind::symlink;
    case EISDIR:
      return Error::Kind::not_a_file;
    case EFBIG:
      return Error::Kind::too_big;
    case ENOSPC:
    case EDQUOT:
      return Error::Kind::no_space;
    case EROFS:
      return Error::Kind::read_only;
    default:
      return Error::Kind::io;
  }
}

}  // namespace

Error from_errno(int code, std::string path) { return {kind_of(code), std::move(path), code}; }

std::string describe(const Error& error) {
  switch (error.kind) {
    case Error::Kind::not_found:
      return "not found";
    case Error::Kind::exists:
      return "already exists";
    case Error::Kind::denied:
      return "permission denied";
    case Error::Kind::symlink:
      return "a symbolic link is in the way";
    case Error::Kind::not_a_file:
      return "not a plain file";
    case Error::Kind::too_big:
      return "larger than allowed";
    case Error::Kind::no_space:
      return "no space left on device";
    case Error::Kind::read_only:
      return "read-only file system";
    case Error::Kind::io: {
      char buffer[128];
      return strerror_r(error.code, buffer, sizeof buffer);
    }
  }
  std::abort();
}

}  // namespace cg::os
