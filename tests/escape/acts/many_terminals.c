#include "act.h"
int main(void) {
  for (int count = 0; count < 10000; ++count) {
    if (open("/dev/ptmx", O_RDWR | O_NOCTTY) < 0) return kept_by("/dev/ptmx", errno);
  }
  return did("10 000 terminals");
}
