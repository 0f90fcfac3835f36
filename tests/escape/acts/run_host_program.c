#include "act.h"
int main(void) {
  char* argv[] = {(char*)given("CG_TOOL"), NULL};
  execv(argv[0], argv);  // a program of ours that ends with 0
  return kept_by("execve", errno);
}
