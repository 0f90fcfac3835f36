// With a handle any file of a file system can be opened, whatever is mounted over it.
#include "act.h"
int main(void) {
  union {
    struct file_handle handle;
    char room[sizeof(struct file_handle) + 128];
  } h = {.handle = {.handle_bytes = 128}};
  int mount = 0;
  return judge("name_to_handle_at", name_to_handle_at(AT_FDCWD, "/usr", &h.handle, &mount, 0));
}
