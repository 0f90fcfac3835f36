#include <linux/io_uring.h>

#include "act.h"
int main(void) {
  struct io_uring_params params = {0};
  return judge("io_uring_setup", syscall(SYS_io_uring_setup, 4, &params));
}
