// Host: what an act could reach on this machine, made by the test, and a look at it
// afterwards.
//
// Files with secrets, a home with keys, listeners on loopback and as sockets, a segment of
// shared memory, a process to be killed, a descriptor left open, a variable, a terminal,
// something on standard input. Whoever touches any of it is noticed: files are watched from the
// outside, listeners are asked who came. Nothing here is anybody's but the test's.
#pragma once

#include <sys/types.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/os/fd.h"
#include "support/support.h"

namespace cg::escape {

/// What can be seen of this machine and must be the same afterwards.
struct Traces {
  std::set<std::string> descriptors;  // of this process
  std::set<std::string> mounts;       // of this process
  std::set<std::string> cgroups;      // of jails whose maker is gone
  std::set<std::string> files;        // where temporary files go
  std::string host_name;
  [[nodiscard]] static Traces now(const std::string& temporary);
};
/// What `after` has and `before` has not, or the other way round, one line each.
[[nodiscard]] std::vector<std::string> difference(const Traces& before, const Traces& after);

/// Processes that came from this one and outlived their parents.
[[nodiscard]] std::vector<pid_t> strays(const std::set<pid_t>& known);
/// Processes with `marker` in their environment, wherever they stand.
[[nodiscard]] std::vector<pid_t> marked(const std::string& marker);

class Host {
 public:
  Host();
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// What acts are told: CG_FILE and the like.
  [[nodiscard]] std::vector<std::string> env() const;
  /// A folder to be copied into a chamber, with the programs of these acts in it.
  [[nodiscard]] std::string tree_with(const std::vector<std::string>& acts) const;
  /// A folder that chambers show, with a setuid program in it.
  [[nodiscard]] std::string visible() const;
  /// Somebody who wants to be served at CG_FREE_PORT: true if the door was open.
  [[nodiscard]] bool knock() const;

  /// What was reached since the last time it was asked, one line each: files, listeners,
  /// the process to be killed.
  [[nodiscard]] std::vector<std::string> reached();
  /// What is there and was not at the start: processes, descriptors, mounts, cgroups,
  /// temporary files. For when every chamber is closed; `known` are the test's own processes.
  [[nodiscard]] std::vector<std::string> left_behind(std::set<pid_t> known = {}) const;
  /// Ends what a control run left behind; how many there were.
  [[nodiscard]] std::size_t end_strays();
  [[nodiscard]] const std::string& secret() const { return secret_; }

 private:
  void make_files();
  void make_listeners();
  void make_victim();
  void watch();
  void add_watch(const std::string& path);
  [[nodiscard]] std::vector<std::string> file_events();

  test::ScratchDir scratch_;
  std::string name_;
  std::string secret_;
  std::string shm_file_;
  int shm_key_ = 0;
  int shm_id_ = -1;
  int tcp_port_ = 0;
  int udp_port_ = 0;
  int free_port_ = 0;
  pid_t victim_ = -1;
  os::Fd tcp_;
  os::Fd udp_;
  os::Fd abstract_;
  os::Fd path_;
  os::Fd leaked_;
  os::Fd input_;
  os::Fd terminal_;
  os::Fd watch_;
  std::map<int, std::string> watched_;
  Traces before_;
};

}  // namespace cg::escape
