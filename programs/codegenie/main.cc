// codegenie: the program. What it can do is in commands.def.
#include "start.h"

int main(int argc, char** argv) {
  // The table itself is made inside, where a failure is reported.
  return cg::program::start(cg::program::commands, argc, argv);
}
