#include "base/os/open.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cg::os {

int open_path(const char* path, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags);
  // openat2 refuses what open() passes over.
  if ((flags & O_CREAT) != 0) how.mode = mode & 07777U;
  return static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
}

}  // namespace cg::os
