#include "act.h"
int main(void) {
  unsigned long address = 0;
  FILE* file = fopen("/proc/kallsyms", "r");
  if (!file) return kept_by("kallsyms", errno);
  for (int line = 0; line < 100 && fscanf(file, "%lx%*[^\n]", &address) == 1; ++line) {
    if (address > 0x1000000) return did("saw where the kernel lies");
  }
  return kept("kallsyms", "zeros");
}
