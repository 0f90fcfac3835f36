// Whoever opens it to read waits for ever.
#include "act.h"
int main(void) {
  unlink("result");
  return judge("mkfifo", mkfifo("result", 0600));
}
