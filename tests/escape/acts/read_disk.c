#include <dirent.h>

#include "act.h"
int main(void) {
  DIR* folder = opendir("/dev");
  if (!folder) return kept_by("/dev", errno);
  for (struct dirent* entry; (entry = readdir(folder));) {
    char path[300];
    struct stat info;
    snprintf(path, sizeof path, "/dev/%s", entry->d_name);
    if (stat(path, &info) != 0 || !S_ISBLK(info.st_mode)) continue;
    if (can_read(path)) return did(path);
  }
  return kept("block devices", "none");
}
