#include "jail/seal/seal.h"

#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace cg::seal {

namespace {

Result<Done, Error> limit(__rlimit_resource resource, rlim_t value, const char* name) {
  const rlimit both{value, value};
  if (setrlimit(resource, &both) != 0) return fail(Error{Error::Stage::limits, errno, name});
  return Done{};
}

/// A user namespace first: unprivileged processes get the network one only with
/// it. Where neither can be had (containers, distributions that forbid it) the
/// filter alone stands, which the report then says.
bool enter_empty_network() {
  return unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 || unshare(CLONE_NEWNET) == 0;
}

Result<Done, Error> drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (syscall(SYS_capset, &header, none.data()) != 0) {
    return fail(Error{Error::Stage::capabilities, errno, ""});
  }
  return Done{};
}

Result<Done, Error> forbid_new_privileges() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
    return fail(Error{Error::Stage::no_new_privileges, errno, ""});
  }
  return Done{};
}

Result<Done, Error> make_undumpable() {
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0) {
    return fail(Error{Error::Stage::dumpable, errno, ""});
  }
  return Done{};
}

Result<Done, Error> load(const Filter& filter) {
  const std::span<const sock_filter> program = filter.program();
  std::vector<sock_filter> copy(program.begin(), program.end());
  const sock_fprog loaded{static_cast<unsigned short>(copy.size()), copy.data()};
  // TSYNC: a thread that somebody started must not stay outside.
  const long code =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &loaded);
  if (code == 0) return Done{};
  return fail(
      Error{Error::Stage::filter_load, code > 0 ? EBUSY : errno, std::string(filter.name())});
}

std::string layer(bool held, std::string_view name) {
  return std::string(held ? "" : "-") + std::string(name);
}

}  // namespace

Result<Done, Error> shed(unsigned first) {
  if (close_range(first, ~0U, 0) != 0) {
    return fail(Error{Error::Stage::descriptors, errno, std::to_string(first)});
  }
  CG_TRY(make_undumpable());
  return limit(RLIMIT_CORE, 0, "core");
}

Result<Applied, Error> seal(const Policy& policy) {
  Applied applied;
  applied.empty_network = policy.network == Network::empty && enter_empty_network();
  CG_TRY(forbid_new_privileges());
  applied.no_new_privileges = true;
  CG_TRY_ASSIGN(applied.landlock, restrict_to(policy.reach));
  CG_TRY(limit(RLIMIT_CORE, 0, "core"));
  CG_TRY(limit(RLIMIT_FSIZE, policy.max_file_bytes, "file size"));
  if (policy.processes == Processes::none) CG_TRY(limit(RLIMIT_NPROC, 0, "processes"));
  CG_TRY(limit(RLIMIT_NOFILE, policy.max_descriptors, "descriptors"));
  CG_TRY(drop_capabilities());
  applied.no_capabilities = true;
  CG_TRY(make_undumpable());  // last of these: a change of identity would undo it
  applied.undumpable = true;
  CG_TRY(load(policy.filter));
  applied.filter = true;
  return applied;
}

std::vector<Rule> sealing_calls() {
  return {{"prctl"},  {"landlock_create_ruleset"}, {"seccomp"},   {"landlock_restrict_self"},
          {"capset"}, {"landlock_add_rule"},       {"prlimit64"}, {"setrlimit"}};
}

std::string describe(const Applied& applied) {
  std::string out = layer(applied.no_new_privileges, "no_new_privs");
  out += " " + layer(applied.undumpable, "undumpable");
  out += " " + layer(applied.no_capabilities, "no_caps");
  out += " " + layer(applied.filter, "seccomp");
  const Held& held = applied.landlock;
  if (held.abi == 0) {
    out += " -landlock";
  } else {
    out += " landlock(abi " + std::to_string(held.abi) + ": " + layer(held.files, "files") + " " +
           layer(held.tcp, "tcp") + " " + layer(held.scopes, "scopes") + ")";
  }
  return out + " " + layer(applied.empty_network, "netns");
}

}  // namespace cg::seal
