#include "act.h"
int main(void) {
  for (volatile unsigned long turns = 0;; ++turns) {
  }
}
