// Watch: what a step executes and whom it speaks to, for the record.
//
// This is never a fence. It looks at memory that the step may change between our look and
// the kernel's, and lets every call go on. A step that wants to can make it record the
// wrong thing; what the step then reaches is decided by the namespaces and the filter.
// So it shows what software does that does not know it is watched.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/os/fd.h"
#include "jail/sandbox/step.h"

namespace cg::inside {

class Watch {
 public:
  /// `listener` of a seccomp filter; one that is not open watches nothing.
  explicit Watch(os::Fd listener);

  /// To poll for reading; -1 once there is nothing left to watch.
  [[nodiscard]] int fd() const { return listener_.get(); }
  /// Looks at one call that waits and lets it go on.
  void look();
  void stop() { listener_ = os::Fd(); }
  [[nodiscard]] sandbox::Trace take() &&;

 private:
  void note(std::set<std::string>& list, const std::string& entry);
  void note_start(const sandbox::Start& told, const std::vector<std::string>& words);

  os::Fd listener_;
  bool kept_;
  bool cut_ = false;
  std::vector<char> request_;  // as large as this kernel's
  std::vector<char> response_;
  std::set<sandbox::Start> started_;
  std::set<std::string> shell_;
  std::set<std::string> commands_;
  std::set<std::string> connections_;
};

/// "tcp 127.0.0.1:4873", "udp [::1]:53", "unix /run/x", "unix @abstract"; empty if `address`
/// (a sockaddr as the kernel takes it) names nobody. `type` is SOCK_STREAM or another.
[[nodiscard]] std::string connection_text(const std::string& address, int type);

}  // namespace cg::inside
