#include "act.h"
int main(void) {
  const int fd = open(given("CG_FILE"), O_WRONLY | O_APPEND);
  return judge("append", fd < 0 ? -1 : write(fd, "x", 1));
}
