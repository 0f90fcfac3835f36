#include "checks.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>

#include "base/base/text.h"
#include "base/os/open.h"
#include "jail/seal/landlock.h"
#include "text/audit_text.h"

namespace cg::program {

namespace {

constexpr std::size_t kMostExposed = 20;

Finding failed(const std::string& check, const std::string& what, const Problem& problem) {
  return {check, what, Status::fail, std::string(row(problem.code).code) + " " + problem.what};
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
  const auto report = audit::verify(access.workspace.home, access.verify_options(), {});
  if (!report) return {failed("log", "integrity", report.error())};
  if (!report->breaks.empty()) return {failed("log", "integrity", report->breaks.front())};
  std::vector<Finding> findings = {
      {"log", "integrity", Status::ok, counted(report->entries, "entry holds", "entries hold")}};
  for (const std::string& gap : report->gaps)
    findings.push_back({"log", "completeness", Status::warn, gap});
  if (report->gaps.empty()) findings.push_back({"log", "completeness", Status::ok, "no gaps"});
  findings.push_back({"log", "anchors", report->unanchored == 0 ? Status::ok : Status::warn,
                      counted(report->unanchored, "entry", "entries") + " not anchored"});
  return findings;
}

std::vector<Finding> check_kernel(const spawn::KernelGrants& grants) {
  std::vector<Finding> findings;
  utsname system{};
  uname(&system);
  const int here = os::open_path(".", O_PATH | O_CLOEXEC);
  if (here >= 0) close(here);
  findings.push_back(
      {"kernel", "openat2", here >= 0 ? Status::ok : Status::fail,
       here >= 0 ? std::string("files are opened beneath their folder; Linux ") + system.release
                 : "not available: codegenie needs Linux 5.6 or later"});
  const int abi = seal::landlock_abi();
  findings.push_back({"kernel", "landlock", abi >= 1 ? Status::ok : Status::warn,
                      abi >= 1 ? "ABI " + std::to_string(abi) : "not available"});
  const bool seccomp = grants.killing_filters != 0;
  findings.push_back({"kernel", "seccomp", seccomp ? Status::ok : Status::warn,
                      seccomp ? "filters that kill are available" : "not available"});
  const bool namespaces = grants.namespaces != 0;
  findings.push_back(
      {"kernel", "namespaces", namespaces ? Status::ok : Status::warn,
       namespaces ? "user and network namespaces can be made" : "refused to this user"});
  const bool secret = grants.secret_memory != 0;
  findings.push_back({"kernel", "memfd_secret", secret ? Status::ok : Status::warn,
                      secret ? "memory that the kernel itself does not map"
                             : "not available; locked memory serves"});
  return findings;
}

}  // namespace cg::program
