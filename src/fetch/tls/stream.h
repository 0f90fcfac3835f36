// Stream: bytes to and from the server, in the clear or under TLS.
#pragma once

#include <memory>
#include <string_view>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "fetch/net/channel.h"
#include "fetch/net/message.h"

namespace cg::tls {

class Stream {
 public:
  virtual ~Stream() = default;

  /// At least one byte, or 0 at the end, however it came: what is complete is for
  /// the reader of HTTP to say.
  [[nodiscard]] virtual Result<std::size_t, net::Failed> read(char* to, std::size_t size,
                                                              net::Deadline deadline) = 0;
  /// All of `bytes`. False if the server is gone.
  [[nodiscard]] virtual Result<bool, net::Failed> write(std::string_view bytes,
                                                        net::Deadline deadline) = 0;
  /// Between answers: nothing came, not even the end. Only then it may be used again.
  [[nodiscard]] virtual bool is_quiet() = 0;
};

/// Waits until the socket is ready. Ends the program if the parent goes away or
/// speaks out of turn.
[[nodiscard]] Result<Done, net::Failed> wait_for(int fd, short events, net::Deadline deadline);
/// Nothing to read on the socket right now.
[[nodiscard]] bool is_silent(int fd);

[[nodiscard]] std::unique_ptr<Stream> plain_stream(os::Fd socket);

}  // namespace cg::tls
