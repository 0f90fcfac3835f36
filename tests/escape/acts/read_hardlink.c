#include "act.h"
int main(void) {
  if (link(given("CG_FILE"), "second-name") != 0) return kept_by("link", errno);
  return judge_read("second-name");
}
