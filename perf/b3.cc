// perf_b3 FILE: the BLAKE3 digest of a file, as a program that b3sum can be held
// against.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "trust/hash/blake3.h"

int main(int argc, char** argv) {
  const int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
  struct stat found {};
  if (fd < 0 || fstat(fd, &found) != 0 || found.st_size == 0) {
    std::fputs("usage: perf_b3 FILE\n", stderr);
    return 2;
  }
  const auto size = static_cast<std::size_t>(found.st_size);
  void* bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED) return 1;
  const cg::hash::Digest digest = cg::hash::blake3({static_cast<const cg::Byte*>(bytes), size});
  std::puts(cg::to_hex(digest).c_str());
}
