#include "act.h"
int main(void) {
  char path[64];
  struct stat info;
  snprintf(path, sizeof path, "/proc/%s", given("CG_VICTIM"));
  return judge("a process of the host", stat(path, &info));
}
