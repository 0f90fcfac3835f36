#include <asm/ldt.h>

#include "act.h"
int main(void) {
  struct user_desc entry = {.entry_number = 0, .limit = 1, .seg_32bit = 1};
  return judge("modify_ldt", syscall(SYS_modify_ldt, 1, &entry, sizeof entry));
}
