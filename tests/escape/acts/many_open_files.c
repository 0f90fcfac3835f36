#include "act.h"
int main(void) {
  for (int i = 0; i < 4000000; ++i) {
    if (open("/", O_RDONLY) < 0) return kept_by("open", errno);
  }
  return did("4000000 open files");
}
