// codegenie: the program. What it can do is in commands.def.
#include <unistd.h>

#include "ci_key.h"
#include "start.h"

int main(int argc, char** argv) {
  // Before anything else: what must not stay in this process.
  cg::program::CiKey ci_key = cg::program::take_ci_key(environ);
  // The table itself is made inside, where a failure is reported.
  return cg::program::start(cg::program::commands, argc, argv, std::move(ci_key));
}
