// CG_SUID is this same program, owned by root and with the setuid bit.
#include "act.h"
int main(int argc, char** argv) {
  (void)argv;
  if (argc == 2)
    return geteuid() == 0 && getuid() != 0 ? did("became root") : kept("setuid", "ignored");
  char* again[] = {(char*)given("CG_SUID"), "again", NULL};
  execv(again[0], again);
  return kept_by("execve", errno);
}
