// What the acts share.
//
// An act is a program that tries one thing that must not work in a chamber. It ends with 0
// if it did it, with 42 if it was kept from it (and the last word it prints says how), and
// with anything else if it could not even try. What it needs to know of the host, its
// target, it is told by environment variables: an act is not there to guess.
#ifndef CG_ACT_H
#define CG_ACT_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { ACT_DID = 0, ACT_BROKEN = 2, ACT_KEPT = 42 };

static inline int did(const char* what) {
  printf("did: %s\n", what);
  fflush(stdout);
  return ACT_DID;
}

/// Kept from it in a way that has no errno.
static inline int kept(const char* what, const char* how) {
  printf("kept: %s: %s\n", what, how);
  fflush(stdout);
  return ACT_KEPT;
}

static inline int kept_by(const char* what, int code) {
  const char* name = strerrorname_np(code);
  return kept(what, name ? name : "unknown");
}

/// For calls that return -1 and set errno.
static inline int judge(const char* what, long result) {
  return result >= 0 ? did(what) : kept_by(what, errno);
}

static inline const char* given(const char* name) {
  const char* value = getenv(name);
  if (value) return value;
  fprintf(stderr, "not told %s\n", name);
  exit(ACT_BROKEN);
}

static inline int given_number(const char* name) { return atoi(given(name)); }

/// True if it can be opened and gives at least one byte.
static inline int can_read(const char* path) {
  const int fd = open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0) return 0;
  char byte;
  const ssize_t got = read(fd, &byte, 1);
  const int code = errno;
  close(fd);
  errno = got == 0 ? ENODATA : code;
  return got == 1;
}

static inline int judge_read(const char* path) {
  return can_read(path) ? did(path) : kept_by(path, errno);
}

/// Opened for writing, but never written to: a control run leaves the file as it is. A
/// device that swallows everything in its place counts for nothing.
static inline int judge_writable(const char* path) {
  struct stat info;
  const int fd = open(path, O_WRONLY | O_NONBLOCK);
  if (fd >= 0 && fstat(fd, &info) == 0 && S_ISCHR(info.st_mode) && info.st_rdev == 0x103) {
    return kept(path, "covered");
  }
  return judge(path, fd);
}

/// A file without a name: gone with the program.
static inline int judge_folder_writable(const char* path) {
  const int fd = open(path, O_TMPFILE | O_WRONLY, 0600);
  return judge(path, fd < 0 ? -1 : write(fd, "x", 1));
}

/// Who is responsible for us: the parent, or the first process if that is out of sight.
static inline pid_t keeper(void) { return getppid() > 0 ? getppid() : 1; }

static inline const char* keeper_file(const char* name) {
  static char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)keeper(), name);
  return path;
}

#endif
