// Host: the parent's end of the spawner.
//
// A program that seals itself makes one before, and everything that starts processes asks it
// from then on. Where there is none (unit tests, other programs) they fork themselves: that
// is what current() is for, the one setting of this kind, set once in
// programs/codegenie/frame.cc.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/child.h"
#include "base/os/error.h"
#include "base/os/fd.h"
#include "jail/spawn/protocol.h"
#include "jail/spawn/spawner.h"

namespace cg::spawn {

class Host;

/// A running program. It is killed and waited for at the latest in the destructor.
class Child {
 public:
  Child(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child& operator=(Child&&) = delete;
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Waits for its end: a status as of waitpid(2). SIGKILL if the spawner went first.
  [[nodiscard]] int wait();
  /// False if it still runs then.
  [[nodiscard]] bool ends_within(std::chrono::milliseconds limit) const;
  /// Kills it and all of its group; wait() then tells how it ended, which may be otherwise.
  void kill();

 private:
  friend class Host;
  Child(Host& host, pid_t pid, os::Fd status)
      : host_(&host), pid_(pid), status_(std::move(status)) {}
  Host* host_;
  pid_t pid_;      // -1 once waited for
  os::Fd status_;  // where the spawner writes how it ended
};

/// Two connected descriptors: AF_UNIX, stream, non-blocking, closed on exec.
struct Pair {
  os::Fd ours;
  os::Fd theirs;
};

class Host {
 public:
  /// Forks the spawner. Before the first thread, and before anything is open that nobody
  /// else should hold. `ci_key` is closed here and lives on in the spawner alone.
  [[nodiscard]] static Result<std::unique_ptr<Host>, os::Error> start(const Places& places,
                                                                      os::Fd ci_key = {});
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  /// Ends the spawner, which ends what it started.
  ~Host();

  /// For several threads at once, as all of these.
  [[nodiscard]] Result<Pair, os::Error> pair();
  /// `fds` are its descriptors 0, 1 …: two for broker and fetch, one for the jail, three for
  /// the rest. The environment is empty, but for those of gpg and codegenie-key.
  [[nodiscard]] Result<Child, os::Error> start(Program program, std::span<const int> fds,
                                               const std::vector<std::string>& words = {});
  /// From here on the spawner answers what a filter hands to `listener`: with EPERM.
  [[nodiscard]] Result<Done, os::Error> watch(const os::Fd& listener);
  /// The calls it refused since it was asked last.
  [[nodiscard]] std::vector<Refusal> take_refusals();
  [[nodiscard]] Result<KernelGrants, os::Error> grants();
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  friend class Child;
  Host(pid_t pid, os::Fd socket, Refused* refused)
      : pid_(pid), socket_(std::move(socket)), refused_(refused) {}
  [[nodiscard]] Result<Reply, os::Error> ask(const Request& request, std::span<const int> fds,
                                             std::vector<os::Fd>& given);

  pid_t pid_;
  os::Fd socket_;
  Refused* refused_;  // a page shared with the spawner
  std::mutex turn_;
};

/// The Host of this process; null if there is none.
[[nodiscard]] Host* current();
void set_current(Host* host);

/// A program of ours and the socket, a blocking one, that is its descriptor 0.
struct Talking {
  Child child;
  os::Fd channel;
};
[[nodiscard]] Result<Talking, os::Error> start_talking(Host& host, Program program);

/// For os::run(): through the spawner if there is one, else as os::launch() does it. Of the
/// command only `words` go to the spawner, which makes the rest itself.
[[nodiscard]] os::Launch launcher(Program program, std::vector<std::string> words = {});

}  // namespace cg::spawn
