// Each process stays below the limit of a process; together they are far above.
#include <sys/mman.h>
#include <sys/wait.h>

#include "act.h"
enum { PROCESSES = 16, EACH = 64 << 20 };
int main(void) {
  int ready[2];
  if (pipe(ready) != 0) return ACT_BROKEN;
  for (int i = 0; i < PROCESSES; ++i) {
    if (fork() != 0) continue;
    alarm(60);
    char* mine = mmap(NULL, EACH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mine == MAP_FAILED) _exit(1);
    memset(mine, 1, EACH);
    close(ready[0]);
    (void)!write(ready[1], "x", 1);
    close(ready[1]);
    for (;;) pause();
  }
  close(ready[1]);
  char byte;
  int full = 0;
  while (full < PROCESSES && read(ready[0], &byte, 1) == 1) ++full;
  return full == PROCESSES ? did("1 GiB") : kept("memory", "ended");
}
