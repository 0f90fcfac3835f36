#include "act.h"
int main(void) {
  union {
    struct file_handle handle;
    char room[sizeof(struct file_handle) + 128];
  } h = {.handle = {.handle_bytes = 128}};
  int mount = 0;
  if (name_to_handle_at(AT_FDCWD, "/usr", &h.handle, &mount, 0) != 0) {
    h.handle.handle_bytes = 8;  // inode 2 of generation 0: the top of many file systems
    h.handle.handle_type = 1;
    h.handle.f_handle[0] = 2;
  }
  const int fd = open("/usr", O_RDONLY | O_DIRECTORY);
  return judge("open_by_handle_at", open_by_handle_at(fd, &h.handle, O_RDONLY));
}
