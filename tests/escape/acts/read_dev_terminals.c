// A terminal in /dev/pts that is not this program's.
#include <dirent.h>

#include "act.h"
int main(void) {
  DIR* folder = opendir("/dev/pts");
  if (!folder) return kept_by("/dev/pts", errno);
  for (struct dirent* entry; (entry = readdir(folder));) {
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') return did(entry->d_name);
  }
  return kept("/dev/pts", "none");
}
