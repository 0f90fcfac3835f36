// Client: GETs to one origin, over one connection for as long as it lasts.
#pragma once

#include <memory>
#include <string>

#include "base/base/result.h"
#include "fetch/net/channel.h"
#include "fetch/net/http.h"
#include "fetch/net/message.h"
#include "fetch/net/url.h"
#include "fetch/tls/stream.h"
#include "fetch/tls/trust.h"

namespace cg::fetch {

class Client {
 public:
  /// `context` is null for http. `authorization` may be empty.
  Client(net::Channel& parent, net::Channel& link, net::Origin origin, tls::Context context,
         std::string authorization);

  /// Answers `get` to the parent: Head, Pieces and End, or Failed at any point.
  void answer(const net::Get& get);

 private:
  /// Where an attempt stands when it could not be completed.
  struct Stale {};  // the kept connection was closed before it answered anything
  using Attempt = Result<std::variant<Done, Stale>, net::Failed>;

  [[nodiscard]] Attempt attempt(const net::Get& get, net::Deadline deadline);
  [[nodiscard]] Result<Done, net::Failed> connect(net::Deadline deadline);
  [[nodiscard]] Result<os::Fd, net::Failed> dial(net::Deadline deadline);
  [[nodiscard]] Attempt read_answer(const net::Get& get, net::Deadline deadline);
  [[nodiscard]] Result<Done, net::Failed> pass_on(std::string_view bytes, std::string& body,
                                                  net::ResponseReader& reader);
  [[nodiscard]] Result<Done, net::Failed> unpack(std::uint64_t max_bytes);
  void tell(const net::Message& message);

  net::Channel& parent_;
  net::Channel& link_;
  net::Origin origin_;
  tls::Context context_;
  std::string authorization_;
  std::unique_ptr<tls::Stream> stream_;  // none: dial first
  std::string packed_;                   // a gzip body so far
  bool fresh_ = true;                    // nothing was read from it yet
};

}  // namespace cg::fetch
