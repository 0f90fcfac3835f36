#include "act.h"
int main(void) {
  static char piece[1 << 16];
  memset(piece, 'x', sizeof piece);
  for (;;) {
    if (write(1, piece, sizeof piece) < 0) return kept_by("write", errno);
  }
}
