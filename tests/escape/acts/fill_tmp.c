// Clears away afterwards, for who comes next.
#include "act.h"

enum { FILES = 64, PIECES = 16 };

static const char* name_of(int file) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/fill-%d", file);
  return path;
}

/// 0, or errno.
static int fill(int file) {
  static char piece[1 << 20];
  memset(piece, 1, sizeof piece);
  const int fd = open(name_of(file), O_WRONLY | O_CREAT, 0600);
  if (fd < 0) return errno;
  int code = 0;
  for (int i = 0; i < PIECES && code == 0; ++i) {
    if (write(fd, piece, sizeof piece) < 0) code = errno;
  }
  close(fd);
  return code;
}

int main(void) {
  int code = 0;
  for (int file = 0; file < FILES && code == 0; ++file) code = fill(file);
  for (int file = 0; file < FILES; ++file) unlink(name_of(file));
  return code == 0 ? did("1 GiB") : kept_by("write", code);
}
