// What comes after us has to walk this, or throw it away whole.
#include "act.h"
int main(void) {
  for (int i = 0; i < 3000; ++i) {
    if (mkdir("deeper-and-deeper", 0700) != 0 || chdir("deeper-and-deeper") != 0) {
      return kept_by("mkdir", errno);
    }
  }
  return did("3000 folders in each other");
}
