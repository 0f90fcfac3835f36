#include "checks.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "audit_text.h"
#include "base/text.h"

namespace cg::program {

namespace {

constexpr unsigned kLandlockVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
constexpr std::size_t kMostExposed = 20;

Finding failed(const std::string& check, const std::string& what, const Problem& problem) {
  return {check, what, Status::fail, std::string(row(problem.code).code) + " " + problem.what};
}

/// Runs `probe` in a child, so that what it tries cannot change this process.
template <class Probe>
bool works_in_child(Probe probe) {
  const pid_t child = fork();
  if (child == 0) _exit(probe() ? 0 : 1);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

}  // namespace

std::string_view name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::warn:
      return "warn";
    case Status::fail:
      return "fail";
  }
  std::abort();
}

std::vector<Finding> check_modes(const Access& access) {
  const auto exposed = workspace::find_exposed(access.workspace, kMostExposed);
  if (!exposed) return {failed("modes", "workspace", exposed.error())};
  if (exposed->empty())
    return {{"modes", "workspace", Status::ok, "every folder 0700, every file 0600, all ours"}};
  std::vector<Finding> findings;
  for (const std::string& path : *exposed) {
    findings.push_back(
        {"modes", "workspace", Status::fail, printable(path) + " is not private, or a link"});
  }
  return findings;
}

std::vector<Finding> check_clock(const Access& access) {
  const Time now = os::SystemClock().now();
  Time last{};
  const auto walked = for_each_entry(access, [&](const audit::Held& held) { last = held.entry.t; });
  if (!walked) return {failed("clock", "last entry", walked.error())};
  if (now < last) {
    return {{"clock", "last entry", Status::fail,
             to_iso(now) + " is before the last entry, " + to_iso(last)}};
  }
  return {{"clock", "last entry", Status::ok, to_iso(now) + ", not before the last entry"}};
}

std::vector<Finding> check_log(const Access& access) {
  const auto verdict = audit::verify(access.workspace.home, access.verify_options(), {});
  if (!verdict) return {failed("log", "integrity", verdict.error())};
  if (!verdict->breaks.empty()) return {failed("log", "integrity", verdict->breaks.front())};
  std::vector<Finding> findings = {
      {"log", "integrity", Status::ok, counted(verdict->entries, "entry holds", "entries hold")}};
  for (const std::string& gap : verdict->gaps)
    findings.push_back({"log", "completeness", Status::warn, gap});
  if (verdict->gaps.empty()) findings.push_back({"log", "completeness", Status::ok, "no gaps"});
  findings.push_back({"log", "anchors", verdict->unanchored == 0 ? Status::ok : Status::warn,
                      counted(verdict->unanchored, "entry", "entries") + " not anchored"});
  return findings;
}

std::vector<Finding> check_kernel() {
  std::vector<Finding> findings;
  utsname system{};
  uname(&system);
  // workspace::open() already needed openat2, so a kernel without it never gets here
  // with a workspace; without one this still tells.
  const bool openat2_works =
      os::Dir::open("/").has_value() && os::Dir::open("/")->open_dir("proc").has_value();
  findings.push_back(
      {"kernel", "openat2", openat2_works ? Status::ok : Status::fail,
       openat2_works ? std::string("files are opened beneath their folder; Linux ") + system.release
                     : "not available: codegenie needs Linux 5.6 or later"});
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, kLandlockVersion);
  findings.push_back({"kernel", "landlock", abi >= 1 ? Status::ok : Status::warn,
                      abi >= 1 ? "ABI " + std::to_string(abi) : "not available"});
  const unsigned action = SECCOMP_RET_KILL_PROCESS;
  const bool seccomp = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  findings.push_back({"kernel", "seccomp", seccomp ? Status::ok : Status::warn,
                      seccomp ? "filters that kill are available" : "not available"});
  const bool namespaces = works_in_child([] { return unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0; });
  findings.push_back(
      {"kernel", "namespaces", namespaces ? Status::ok : Status::warn,
       namespaces ? "user and network namespaces can be made" : "refused to this user"});
  const long secret = syscall(SYS_memfd_secret, 0);
  if (secret >= 0) close(static_cast<int>(secret));
  findings.push_back({"kernel", "memfd_secret", secret >= 0 ? Status::ok : Status::warn,
                      secret >= 0 ? "memory that the kernel itself does not map"
                                  : "not available; locked memory serves"});
  return findings;
}

}  // namespace cg::program
