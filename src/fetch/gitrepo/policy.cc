#include "fetch/gitrepo/policy.h"

#include <sys/mman.h>

#include <initializer_list>
#include <utility>

#include "base/base/match.h"
#include "fetch/gitrepo/wire.h"

namespace cg::gitrepo {

namespace {

using seal::int_bits;
using seal::Otherwise;
using seal::Rule;

using Rules = std::vector<Rule>;

constexpr unsigned kMaxDescriptors = 512;  // packs stay open
constexpr std::uint64_t kMaxWrittenFile = kMaxFileBytes + (1U << 20U);

void add(Rules& rules, std::initializer_list<const char*> names) {
  for (const char* name : names) rules.push_back({name});
}

Rules reading_rules() {
  Rules rules = {
      {"mmap", {int_bits(2, PROT_EXEC, 0)}},
      {"mprotect", {int_bits(2, PROT_EXEC, 0)}},
  };
  add(rules, {"munmap",      "mremap",          "brk",          "madvise",        "futex",
              "getrandom",   "clock_gettime",   "gettimeofday", "time",           "getpid",
              "gettid",      "getuid",          "geteuid",      "getgid",         "getegid",
              "sched_yield", "restart_syscall", "rt_sigreturn", "rt_sigprocmask", "exit",
              "exit_group"});
  add(rules, {"sigaltstack"});  // asked by the address sanitizer whenever a process ends
  // Which files these reach is for Landlock; what they may do with them too.
  add(rules, {"open",       "openat", "openat2",   "close",      "read",   "pread64",
              "readv",      "lseek",  "fstat",     "stat",       "lstat",  "newfstatat",
              "statx",      "access", "faccessat", "faccessat2", "getcwd", "readlink",
              "readlinkat", "fcntl",  "write",     "getdents64"});
  return rules;
}

/// The same as libgit2 and we do when writing; folders, names, times and sizes.
void add_writing(Rules& rules) {
  add(rules,
      {"pwrite64", "writev", "mkdir",    "mkdirat",   "rename", "renameat",  "renameat2", "link",
       "linkat",   "unlink", "unlinkat", "rmdir",     "fsync",  "fdatasync", "ftruncate", "umask",
       "chmod",    "fchmod", "fchmodat", "utimensat", "utimes", "futimesat", "utime"});
}

std::vector<std::string> writable(const Location& location, const Order& order) {
  using Folders = std::vector<std::string>;
  return match(
      order, [](const InspectOrder&) { return Folders{}; },
      [](const PrepareOrder&) { return Folders{}; }, [](const ShowOrder&) { return Folders{}; },
      [](const ExportOrder& o) { return Folders{o.folder}; },
      [&](const WriteOrder&) {
        return Folders{location.common_dir + "/objects", location.common_dir + "/refs"};
      });
}

}  // namespace

Result<seal::Policy, seal::Error> git_policy(const Location& location, const Order& order) {
  seal::Reach reach;
  reach.readable = {location.git_dir, location.common_dir};
  if (!location.work_tree.empty()) reach.readable.push_back(location.work_tree);
  reach.writable = writable(location, order);
  const bool writes = !reach.writable.empty();
  Rules rules = reading_rules();
  if (writes) add_writing(rules);
  CG_TRY_ASSIGN(seal::Filter filter, seal::Filter::build("git", std::move(rules), Otherwise::kill));
  return seal::Policy{std::move(filter), std::move(reach), seal::Network::empty, kMaxDescriptors,
                      writes ? kMaxWrittenFile : 0};
}

}  // namespace cg::gitrepo
