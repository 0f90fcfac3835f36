#include "act.h"
int main(void) {
  unlink("result");
  return judge("symlink", symlink(given("CG_FILE"), "result"));
}
