// ProcessFetcher: the Fetcher that codegenie uses. It opens no socket of its own.
//
// For each origin it starts a pair of programs, codegenie-broker to dial and
// codegenie-fetch to speak TLS and HTTP, and keeps the pair: many requests to one
// host go over one connection. The pairs end with this object, or with the process
// however it ends.
#pragma once

#include <list>
#include <map>
#include <vector>

#include "fetch/net/fetcher.h"
#include "fetch/net/process.h"
#include "fetch/net/session.h"

namespace cg::net {

class ProcessFetcher final : public Fetcher {
 public:
  /// `access` for origins that need more than the default.
  explicit ProcessFetcher(Programs programs, std::map<Origin, Access> access = {});

  /// Not for several threads at once.
  [[nodiscard]] Result<Answer, Error> get(const Request& request, Sink& sink) override;

  struct Live {
    Origin origin;
    Isolation isolation;
    pid_t broker;
    pid_t fetch;
  };
  /// The pairs that run now, for the log and for `doctor`. At most four are kept; a
  /// fifth origin ends the one that was used longest ago.
  [[nodiscard]] std::vector<Live> live() const;

 private:
  struct Kept {
    Origin origin;
    Session session;
  };
  [[nodiscard]] Result<Session*, Error> session_for(const Origin& origin, Deadline deadline);
  void drop_unusable();

  Programs programs_;
  std::map<Origin, Access> access_;
  std::list<Kept> kept_;  // the last used first
};

}  // namespace cg::net
