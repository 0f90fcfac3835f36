#include <linux/bpf.h>

#include "act.h"
int main(void) {
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.map_type = BPF_MAP_TYPE_ARRAY;
  attr.key_size = attr.value_size = 4;
  attr.max_entries = 1;
  return judge("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof attr));
}
