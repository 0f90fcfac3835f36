// Preloaded: whoever takes a lock tries to open a connection first, as code that was taken
// over would.
#include <errno.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int flock(int fd, int operation) {
  const int before = errno;
  (void)socket(AF_INET, SOCK_STREAM, 0);
  errno = before;
  return (int)syscall(SYS_flock, fd, operation);
}
