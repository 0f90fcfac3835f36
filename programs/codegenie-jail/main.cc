// codegenie-jail: steps run apart from the host (src/jail/inside/jail_main.h).
#include <unistd.h>

#include <new>

#include "base/base/assert.h"
#include "jail/inside/jail_main.h"

int main() {
  constexpr int kEndBug = 70;
  cg::set_assertion_handler([](const char*, const char*, int) noexcept { _exit(kEndBug); });
  std::set_new_handler([] { _exit(kEndBug); });
  return cg::inside::jail_main();
}
