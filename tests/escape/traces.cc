// What can be seen of a machine from /proc and /sys.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <iterator>

#include "base/base/text.h"
#include "host.h"

namespace cg::escape {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kJailGroup = "codegenie-jail-";

/// Empty if it is gone or not ours to read: processes come and go while we look.
std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<pid_t> processes() {
  std::vector<pid_t> found;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator("/proc", code)) {
    const auto pid = parse_u64(entry.path().filename().string());
    if (pid) found.push_back(static_cast<pid_t>(*pid));
  }
  return found;
}

/// The fourth word of /proc/PID/stat; the second, a name, may hold anything.
pid_t parent_of(pid_t pid) {
  const std::string stat = text_of("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || stat.size() < name_end + 5) return -1;
  return static_cast<pid_t>(std::atoi(stat.c_str() + name_end + 4));
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> found;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    found.insert(entry.path().filename());
  }
  return found;
}

std::set<std::string> open_descriptors() {
  std::set<std::string> found;
  std::error_code code;
  for (const std::string& fd : names_in("/proc/self/fd")) {
    const fs::path target = fs::read_symlink("/proc/self/fd/" + fd, code);
    // The one that reads this very folder is gone again.
    if (!code) found.insert(fd + " " + target.string());
  }
  return found;
}

/// Where jails make theirs: in the cgroup that we are in.
fs::path cgroup_folder() {
  const std::string listing = text_of("/proc/self/cgroup");
  fs::path unified;
  for (const std::string_view line : split(listing, '\n')) {
    const auto parts = split(line, ':');
    if (parts.size() < 3) continue;
    const std::string path(line.substr(parts[0].size() + parts[1].size() + 2));
    if (parts[1] == "memory") return "/sys/fs/cgroup/memory" + path;
    if (parts[1].empty()) unified = "/sys/fs/cgroup" + path;
  }
  return unified;
}

/// They are named after the process that makes them and removes them; others may be at work
/// at the same time.
std::set<std::string> abandoned_cgroups() {
  std::set<std::string> found;
  for (const std::string& name : names_in(cgroup_folder())) {
    if (!name.starts_with(kJailGroup)) continue;
    const auto maker = parse_u64(split(std::string_view(name).substr(kJailGroup.size()), '-')[0]);
    if (!maker || kill(static_cast<pid_t>(*maker), 0) != 0) found.insert(name);
  }
  return found;
}

void compare(const std::set<std::string>& before, const std::set<std::string>& after,
             const std::string& what, std::vector<std::string>& out) {
  std::vector<std::string> names;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(names));
  for (const std::string& name : names) out.push_back(what + " appeared: " + name);
  names.clear();
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(names));
  for (const std::string& name : names) out.push_back(what + " gone: " + name);
}

}  // namespace

Traces Traces::now(const std::string& temporary) {
  Traces traces;
  traces.descriptors = open_descriptors();
  const std::string mounts = text_of("/proc/self/mountinfo");
  for (const std::string_view line : split(mounts, '\n')) traces.mounts.emplace(line);
  traces.cgroups = abandoned_cgroups();
  traces.files = names_in(temporary);
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  traces.host_name = host.data();
  return traces;
}

std::vector<std::string> difference(const Traces& before, const Traces& after) {
  std::vector<std::string> found;
  compare(before.descriptors, after.descriptors, "descriptor", found);
  compare(before.mounts, after.mounts, "mount", found);
  // A jail removes what earlier ones left: only what appeared is ours.
  std::set<std::string> cgroups = before.cgroups;
  cgroups.insert(after.cgroups.begin(), after.cgroups.end());
  compare(before.cgroups, cgroups, "cgroup", found);
  compare(before.files, after.files, "temporary file", found);
  if (before.host_name != after.host_name) found.push_back("host is now " + after.host_name);
  return found;
}

std::vector<pid_t> strays(const std::set<pid_t>& known) {
  std::vector<pid_t> found;
  for (const pid_t pid : processes()) {
    if (parent_of(pid) == getpid() && !known.contains(pid)) found.push_back(pid);
  }
  return found;
}

std::vector<pid_t> marked(const std::string& marker) {
  std::vector<pid_t> found;
  for (const pid_t pid : processes()) {
    const std::string environment = text_of("/proc/" + std::to_string(pid) + "/environ");
    if (environment.find(marker) != std::string::npos) found.push_back(pid);
  }
  return found;
}

}  // namespace cg::escape
