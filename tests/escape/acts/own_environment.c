#include "act.h"
int main(void) {
  return getenv("CG_LEAK") ? did("saw a variable of the host") : kept("environment", "none");
}
