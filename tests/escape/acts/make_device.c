#include <sys/sysmacros.h>

#include "act.h"
int main(void) {
  const int result = mknod("memory", S_IFCHR | 0600, makedev(1, 1));
  const int code = errno;
  unlink("memory");
  errno = code;
  return judge("mknod", result);
}
