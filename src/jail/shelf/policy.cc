#include "jail/shelf/policy.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <initializer_list>
#include <utility>

namespace cg::shelf {

namespace {

using seal::int_bits;
using seal::int_is;
using seal::is_null;
using seal::Otherwise;
using seal::Rule;

}  // namespace

Result<seal::Policy, seal::Error> shelf_policy(const std::string& folder) {
  std::vector<Rule> rules = {
      {"mmap", {int_bits(2, PROT_EXEC, 0)}},
      {"mprotect", {int_bits(2, PROT_EXEC, 0)}},
      // As send() makes it: to whoever is connected, and nobody else.
      {"sendto", {int_is(3, MSG_NOSIGNAL | MSG_DONTWAIT), is_null(4)}},
      {"accept4", {int_is(3, SOCK_CLOEXEC | SOCK_NONBLOCK)}},
  };
  for (const char* name : {"munmap",
                           "mremap",
                           "brk",
                           "madvise",
                           "futex",
                           "getrandom",
                           "clock_gettime",
                           "gettimeofday",
                           "time",
                           "getpid",
                           "gettid",
                           "sched_yield",
                           "restart_syscall",
                           "rt_sigreturn",
                           "rt_sigprocmask",
                           "exit",
                           "exit_group",
                           "poll",
                           "ppoll",
                           "read",
                           "write",
                           "close",
                           "openat2",
                           "fstat",
                           "newfstatat",
                           "statx",
                           "sendfile",
                           "sigaltstack"}) {
    rules.push_back({name});
  }
  CG_TRY_ASSIGN(seal::Filter filter,
                seal::Filter::build("shelf", std::move(rules), Otherwise::kill));
  seal::Reach reach;
  reach.readable = {folder};
  // The listeners belong to the network it was started in; it can make no others.
  return seal::Policy{std::move(filter), std::move(reach), seal::Network::shared, kMaxDescriptors};
}

}  // namespace cg::shelf
