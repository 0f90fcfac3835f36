// Preloaded into a program: counts what it does to files and, at number CG_FAULT_AT,
// kills it, or lets that call fail for want of space, or writes half and then fails.
// CG_FAULT_FIRED names a file that gets a byte when it happens. Standard streams are
// left alone.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Opened before the program can seal itself, at a number that nobody else takes.
static int fired_fd = -1;
__attribute__((constructor)) static void open_fired(void) {
  const char* fired = getenv("CG_FAULT_FIRED");
  if (!fired) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, fired, O_CREAT | O_WRONLY | O_APPEND, 0600);
  fired_fd = fcntl(fd, F_DUPFD_CLOEXEC, 900);
  close(fd);
}

static void tell_fired(void) {
  const char* fired = getenv("CG_FAULT_FIRED");
  if (!fired || syscall(SYS_write, fired_fd, "1", 1) == 1) return;
  // A program that closed what it was born with.
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, fired, O_CREAT | O_WRONLY, 0600);
  syscall(SYS_write, fd, "1", 1);
  close(fd);
}

static int wanted(void) {
  static int at = -1;
  static int count = 0;
  if (at < 0) {
    const char* text = getenv("CG_FAULT_AT");
    at = text ? atoi(text) : 0;
  }
  return at > 0 && ++count == at;
}

// Returns 0 if the call is to fail with ENOSPC after half of it was done.
static int strike(void) {
  const char* mode = getenv("CG_FAULT_MODE");
  tell_fired();
  if (mode && strcmp(mode, "kill") == 0) {
    syscall(SYS_tgkill, getpid(), getpid(), SIGKILL);
    syscall(SYS_kill, getpid(), SIGKILL);
  }
  errno = ENOSPC;
  return mode && strcmp(mode, "short") == 0 ? 0 : -1;
}

ssize_t write(int fd, const void* bytes, size_t size) {
  if (fd > 2 && wanted()) {
    if (strike() != 0) return -1;
    return syscall(SYS_write, fd, bytes, size / 2);
  }
  return syscall(SYS_write, fd, bytes, size);
}

static ssize_t faulty_pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  // Once space is gone it stays gone for the rest of a write that was cut short.
  static int full = 0;
  if (full) {
    full = 0;
    errno = ENOSPC;
    return -1;
  }
  if (wanted()) {
    if (strike() != 0) return -1;
    full = 1;
    return syscall(SYS_pwrite64, fd, bytes, size / 2, offset);
  }
  return syscall(SYS_pwrite64, fd, bytes, size, offset);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  return faulty_pwrite(fd, bytes, size, offset);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
  return faulty_pwrite(fd, bytes, size, offset);
}

#define FAULTY(name, number, parameters, ...)    \
  int name parameters {                          \
    if (wanted()) {                              \
      strike();                                  \
      errno = ENOSPC;                            \
      return -1;                                 \
    }                                            \
    return (int)syscall(number, __VA_ARGS__);    \
  }

FAULTY(fsync, SYS_fsync, (int fd), fd)
FAULTY(fdatasync, SYS_fdatasync, (int fd), fd)
FAULTY(ftruncate, SYS_ftruncate, (int fd, off_t size), fd, size)
FAULTY(ftruncate64, SYS_ftruncate, (int fd, off64_t size), fd, size)
FAULTY(mkdirat, SYS_mkdirat, (int dir, const char* path, mode_t mode), dir, path, mode)
FAULTY(mkdir, SYS_mkdirat, (const char* path, mode_t mode), AT_FDCWD, path, mode)
FAULTY(unlinkat, SYS_unlinkat, (int dir, const char* path, int flags), dir, path, flags)
FAULTY(rename, SYS_renameat, (const char* from, const char* to), AT_FDCWD, from, AT_FDCWD, to)
FAULTY(renameat2, SYS_renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
       a, from, b, to, flags)
