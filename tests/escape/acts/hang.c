#include "act.h"
int main(void) {
  for (;;) pause();
}
