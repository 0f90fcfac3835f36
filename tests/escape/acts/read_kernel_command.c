#include "act.h"
int main(void) {
  return can_read("/proc/cmdline") ? did("read") : kept("read", "none");
}
