// Filling a folder until it is full, for the acts that differ in which one.
#pragma once

#include "act.h"

enum { FILES = 64, PIECES = 16 };

static const char* name_of(const char* folder, int file) {
  static char path[64];
  snprintf(path, sizeof path, "%s/fill-%d", folder, file);
  return path;
}

/// 0, or errno.
static int fill(const char* folder, int file) {
  static char piece[1 << 20];
  memset(piece, 1, sizeof piece);
  const int fd = open(name_of(folder, file), O_WRONLY | O_CREAT, 0600);
  if (fd < 0) return errno;
  int code = 0;
  for (int i = 0; i < PIECES && code == 0; ++i) {
    if (write(fd, piece, sizeof piece) < 0) code = errno;
  }
  close(fd);
  return code;
}

/// 1 GiB in `folder`, if nobody stops it; cleared away afterwards, for who comes next.
static int fill_folder(const char* folder) {
  int code = 0;
  for (int file = 0; file < FILES && code == 0; ++file) code = fill(folder, file);
  for (int file = 0; file < FILES; ++file) unlink(name_of(folder, file));
  return code == 0 ? did("1 GiB") : kept_by("write", code);
}
