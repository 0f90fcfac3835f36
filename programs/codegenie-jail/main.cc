// codegenie-jail: steps run apart from the host (src/jail/sandbox/jail_main.h).
#include "jail/sandbox/jail_main.h"
#include "jail/seal/program.h"

int main() {
  cg::seal::end_at_bugs();
  return cg::sandbox::jail_main();
}
