#include <linux/keyctl.h>

#include "act.h"
int main(void) {
  return judge("add_key",
               syscall(SYS_add_key, "user", "cg-escape", "x", 1, KEY_SPEC_PROCESS_KEYRING));
}
