#include <sys/mman.h>

#include "act.h"
enum { PIECE = 8 << 20, MOST = 1 << 30 };
int main(void) {
  for (long all = 0; all < MOST; all += PIECE) {
    char* more = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED) return kept_by("mmap", errno);
    memset(more, 1, PIECE);
  }
  return did("1 GiB");
}
