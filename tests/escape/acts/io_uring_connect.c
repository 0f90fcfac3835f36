// A socket made and connected without the calls socket() and connect(), which is how a
// filter of system calls is gone around.
#include <linux/io_uring.h>
#include <sys/mman.h>

#include "net.h"

enum { OP_SOCKET = 45 };  // newer than the headers of Debian 12 are sure to be

struct ring {
  long fd;
  char* memory;
  struct io_uring_sqe* entries;
  struct io_uring_params params;
};

/// Carries out what entries[0] says; its result, or -1 with errno.
static long carry_out(struct ring* ring) {
  unsigned* const tail = (unsigned*)(ring->memory + ring->params.sq_off.tail);
  unsigned* const array = (unsigned*)(ring->memory + ring->params.sq_off.array);
  array[*tail & (ring->params.sq_entries - 1)] = 0;
  __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
  if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) return -1;
  unsigned* const head = (unsigned*)(ring->memory + ring->params.cq_off.head);
  const struct io_uring_cqe* const done =
      (const struct io_uring_cqe*)(ring->memory + ring->params.cq_off.cqes) +
      (*head & (ring->params.cq_entries - 1));
  const int result = done->res;
  __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

int main(void) {
  struct ring ring = {0};
  ring.fd = syscall(SYS_io_uring_setup, 4, &ring.params);
  if (ring.fd < 0) return kept_by("io_uring_setup", errno);
  ring.memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, (int)ring.fd, 0);
  ring.entries = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, (int)ring.fd, 0x10000000);
  if (ring.memory == MAP_FAILED || (void*)ring.entries == MAP_FAILED) return kept_by("mmap", errno);
  ring.entries[0] = (struct io_uring_sqe){.opcode = OP_SOCKET, .fd = AF_INET, .off = SOCK_STREAM};
  const long fd = carry_out(&ring);
  if (fd < 0) return kept_by("socket", errno);
  const struct sockaddr_in to = loopback("CG_TCP");
  ring.entries[0] = (struct io_uring_sqe){
      .opcode = IORING_OP_CONNECT, .fd = (int)fd, .addr = (uintptr_t)&to, .off = sizeof to};
  return judge("connect", carry_out(&ring));
}
