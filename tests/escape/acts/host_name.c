#include "act.h"
int main(void) {
  char name[256] = "";
  if (gethostname(name, sizeof name - 1) != 0) return kept_by("gethostname", errno);
  return strcmp(name, given("CG_HOST_NAME")) == 0 ? did("saw the host's name")
                                                  : kept("name", "other");
}
