// codegenie-jail: steps run apart from the host (src/jail/inside/jail_main.h).
#include "jail/inside/jail_main.h"
#include "jail/seal/program.h"

int main() {
  cg::seal::end_at_bugs();
  return cg::inside::jail_main();
}
