#include "act.h"
int main(void) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "/proc/1/cwd/../../../../../../../..%s", given("CG_FILE"));
  return judge_read(path);
}
