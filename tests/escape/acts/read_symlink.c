#include "act.h"
int main(void) {
  if (symlink(given("CG_FILE"), "way-out") != 0) return ACT_BROKEN;
  return judge_read("way-out");
}
