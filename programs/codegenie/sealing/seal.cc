#include "sealing/seal.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/os/open.h"
#include "sealing/calls.h"
#include "sealing/reach.h"
#include "signing.h"

namespace cg::program {

namespace {

Problem unsealed(const std::string& layer, const std::string& why) {
  return {ErrorCode::seal_failed,
          "codegenie could not shut itself in: " + layer,
          {{"found", why}},
          "nothing was read and nothing was done",
          {"codegenie explain CG-SEAL-001"}};
}

std::string words_of(int code) { return os::describe(os::from_errno(code, "")); }

bool write_whole(const char* path, const std::string& text) {
  const os::Fd fd(os::open_path(path, O_WRONLY | O_CLOEXEC));
  return fd.is_open() &&
         write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// Our own user and group keep their numbers, so that "is this file ours" stays a question
/// with an answer; everybody else's show as nobody's.
bool map_ourselves(uid_t user, gid_t group) {
  const std::string uid = std::to_string(user);
  const std::string gid = std::to_string(group);
  return write_whole("/proc/self/uid_map", uid + " " + uid + " 1\n") &&
         write_whole("/proc/self/setgroups", "deny") &&
         write_whole("/proc/self/gid_map", gid + " " + gid + " 1\n");
}

/// Without privileges a network namespace comes only with a user namespace.
Result<Done, std::string> leave_the_network() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(CLONE_NEWNET) == 0) return Done{};
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return fail(words_of(errno));
  // Half of it would be worse than nothing: every file would look like nobody's.
  if (!map_ourselves(user, group)) return fail(std::string());
  return Done{};
}

/// Of root's powers, that over the modes of files stays: which files, Landlock says. Of those
/// that a user namespace of our own brings, none: the modes of our files are to hold.
Result<Done, Problem> drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> held{};
  if (syscall(SYS_capget, &header, held.data()) != 0) {
    return fail(unsealed("capabilities", words_of(errno)));
  }
  constexpr std::uint32_t kKept = (1U << CAP_DAC_OVERRIDE) | (1U << CAP_DAC_READ_SEARCH);
  const std::uint32_t kept = geteuid() == 0 ? held[0].effective & kKept : 0;
  held = {};
  held[0].effective = kept;
  held[0].permitted = kept;
  if (syscall(SYS_capset, &header, held.data()) != 0) {
    return fail(unsealed("capabilities", words_of(errno)));
  }
  return Done{};
}

/// The filter's listener; a closed one if calls are not handed over.
Result<os::Fd, int> load(const seal::Filter& filter, SocketCalls sockets) {
  const std::span<const sock_filter> program = filter.program();
  const sock_fprog loaded{static_cast<unsigned short>(program.size()),
                          const_cast<sock_filter*>(program.data())};
  unsigned flags = SECCOMP_FILTER_FLAG_TSYNC;
  if (sockets == SocketCalls::reported) {
    flags |= SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
  }
  const long code = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &loaded);
  if (code < 0) return fail(errno);
  if (sockets == SocketCalls::refused) {
    return code == 0 ? Result<os::Fd, int>(os::Fd()) : fail(EBUSY);
  }
  return os::Fd(static_cast<int>(code));
}

Result<Done, Problem> load_filter(Seal& seal) {
  for (const SocketCalls sockets : {SocketCalls::reported, SocketCalls::refused}) {
    const auto filter = program_filter(sockets);
    if (!filter) return fail(unsealed("seccomp", seal::describe(filter.error())));
    const auto listener = load(*filter, sockets);
    // A tracer or another supervisor may hold the place; the calls fail all the same then.
    if (!listener && sockets == SocketCalls::reported) continue;
    if (!listener) return fail(unsealed("seccomp", words_of(listener.error())));
    seal.reports = listener->is_open() && seal.host->watch(*listener).has_value();
    return Done{};
  }
  return Done{};
}

std::string named(std::uint64_t number, std::initializer_list<std::pair<int, const char*>> names,
                  const char* what) {
  for (const auto& [value, text] : names) {
    if (number == static_cast<std::uint64_t>(value)) return text;
  }
  return std::string(what) + " " + std::to_string(number);
}

}  // namespace

Result<Seal, Problem> seal_program(const Entry& entry, const cli::Invocation& invocation,
                                   Session& session) {
  auto places = spawn::places_of_this_program();
  if (!places) return fail(unsealed("spawner", os::describe(places.error())));
  places->gpg_env = gpg_environment(session.environment);
  places->key_env = key_environment(session.environment);
  Seal seal;
  auto host = spawn::Host::start(*places, std::move(session.ci_key.memory));
  if (!host) return fail(unsealed("spawner", os::describe(host.error())));
  seal.host = *std::move(host);
  const seal::Reach reach = reach_of(entry, invocation, session);
  const auto left = leave_the_network();
  if (!left && left.error().empty()) {
    return fail(unsealed("user namespace", "it was made and could not be mapped"));
  }
  seal.empty_network = left.has_value();
  if (!left) seal.network_detail = left.error();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return fail(unsealed("no_new_privs", words_of(errno)));
  }
  auto held = seal::restrict_to(reach);
  if (!held) return fail(unsealed("Landlock", seal::describe(held.error())));
  seal.landlock = *held;
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  CG_TRY(drop_capabilities());
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  CG_TRY(load_filter(seal));
  return seal;
}

RefusedCall describe(const spawn::Refusal& refusal) {
  char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, refusal.number);
  RefusedCall out{name != nullptr ? name : std::to_string(refusal.number), ""};
  std::free(name);
  if (out.call != "socket" && out.call != "socketpair") {
    out.detail = "descriptor " + std::to_string(refusal.args[0]);
    return out;
  }
  out.detail = named(refusal.args[0],
                     {{AF_INET, "AF_INET"},
                      {AF_INET6, "AF_INET6"},
                      {AF_UNIX, "AF_UNIX"},
                      {AF_NETLINK, "AF_NETLINK"},
                      {AF_VSOCK, "AF_VSOCK"},
                      {AF_PACKET, "AF_PACKET"}},
                     "family");
  out.detail +=
      ", " +
      named(refusal.args[1] & 0xfU,
            {{SOCK_STREAM, "SOCK_STREAM"}, {SOCK_DGRAM, "SOCK_DGRAM"}, {SOCK_RAW, "SOCK_RAW"}},
            "type");
  return out;
}

}  // namespace cg::program
