// Not the file is a link but the folder above it.
#include "act.h"
int main(void) {
  unlink("results");
  return judge("symlink", symlink(given("CG_FOLDER"), "results"));
}
