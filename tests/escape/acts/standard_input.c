#include "act.h"
int main(void) {
  char byte;
  const ssize_t got = read(0, &byte, 1);
  if (got > 0) return did("read what was meant for somebody else");
  return got == 0 ? kept("standard input", "none") : kept_by("standard input", errno);
}
