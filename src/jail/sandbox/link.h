// Link: frames over a file descriptor, whole ones only.
//
// For a socket, a pipe pair or a console alike: read, write, send and poll are all it
// uses. Who uses it over a pipe ignores SIGPIPE.
#pragma once

#include <optional>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "jail/sandbox/wire.h"

namespace cg::sandbox {

enum class LinkError {
  closed,  // the other end is gone
  broken,  // bytes that are no frame
};

class Link {
 public:
  /// One descriptor for both ways, or one for each.
  explicit Link(os::Fd both) : in_(std::move(both)) {}
  Link(os::Fd in, os::Fd out) : in_(std::move(in)), out_(std::move(out)) {}

  [[nodiscard]] Result<Message, LinkError> receive();
  /// A message over its caps is `broken`, and nothing is sent.
  [[nodiscard]] Result<Done, LinkError> send(const Message& message);

  /// To poll for reading.
  [[nodiscard]] int fd() const { return in_.get(); }

 private:
  os::Fd in_;
  os::Fd out_;  // not open: in_ is for both
};

}  // namespace cg::sandbox
