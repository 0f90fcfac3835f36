#include <dirent.h>

#include "act.h"
int main(void) {
  DIR* folder = opendir("/sys");
  if (!folder) return kept_by("/sys", errno);
  for (struct dirent* entry; (entry = readdir(folder));) {
    if (entry->d_name[0] != '.') return did("/sys");
  }
  return kept("/sys", "none");
}
