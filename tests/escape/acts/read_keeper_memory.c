#include <sys/uio.h>

#include "act.h"
int main(void) {
  unsigned long address = 0x400000;
  FILE* maps = fopen(keeper_file("maps"), "r");
  if (maps && fscanf(maps, "%lx", &address) != 1) address = 0x400000;
  char byte;
  struct iovec here = {&byte, 1};
  struct iovec there = {(void*)address, 1};
  return judge("process_vm_readv", process_vm_readv(keeper(), &here, 1, &there, 1, 0));
}
