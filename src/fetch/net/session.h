// Session: one broker and one fetch process, for one origin, and the parent's end
// of both conversations.
#pragma once

#include <string>

#include "base/base/result.h"
#include "fetch/net/channel.h"
#include "fetch/net/fetcher.h"
#include "fetch/net/message.h"
#include "fetch/net/process.h"
#include "jail/seal/seal.h"

namespace cg::net {

/// How an origin may be reached, and as whom. From the operator, never from a
/// repository.
struct Access {
  Addresses addresses = Addresses::global;
  /// PEM certificates trusted for this origin besides the system's; 256 KiB at most.
  std::string authorities = {};
  /// Value of the Authorization header, "Bearer …". It travels over the socket pair,
  /// is sent to this origin and to no other, and is in no argument, environment or
  /// message.
  std::string authorization = {};
};

/// What holds the two processes, as they reported it before their first byte.
struct Isolation {
  seal::Applied broker;
  seal::Applied fetch;
};

class Session {
 public:
  /// Both programs started, sealed and ready; the name resolved.
  [[nodiscard]] static Result<Session, Error> start(const Programs& programs, const Origin& origin,
                                                    const Access& access, Deadline deadline);

  /// One request. After an error, is_usable() says whether the processes are still
  /// there for another.
  [[nodiscard]] Result<Answer, Error> get(const Request& request, Sink& sink, Deadline deadline);

  [[nodiscard]] bool is_usable() const { return usable_; }
  /// The broker has dialled as often as it may: a new session can go on.
  [[nodiscard]] bool is_exhausted() const { return exhausted_; }
  [[nodiscard]] const Isolation& isolation() const { return isolation_; }
  [[nodiscard]] pid_t broker_pid() const { return broker_.pid(); }
  [[nodiscard]] pid_t fetch_pid() const { return fetch_.pid(); }

 private:
  Session(Process broker, Channel to_broker, Process fetch, Channel to_fetch)
      : broker_(std::move(broker)),
        to_broker_(std::move(to_broker)),
        fetch_(std::move(fetch)),
        to_fetch_(std::move(to_fetch)) {}

  [[nodiscard]] Result<Answer, Error> take_body(const Head& head, const Request& request,
                                                Sink& sink, Deadline deadline);
  [[nodiscard]] Result<seal::Applied, Error> await_ready(Channel& channel, Process& process,
                                                         Deadline deadline);
  /// Ends both processes: what they say from here on could not be trusted.
  [[nodiscard]] Error give_up(ChannelError error, Process& process);
  [[nodiscard]] Error failure(const Failed& failed);

  Process broker_;
  Channel to_broker_;
  Process fetch_;
  Channel to_fetch_;
  Isolation isolation_;
  bool usable_ = true;
  bool exhausted_ = false;
};

}  // namespace cg::net
