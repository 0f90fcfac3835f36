#include "act.h"
int main(void) {
  unlink("result");
  return judge("symlink", symlink("/proc/self/environ", "result"));
}
