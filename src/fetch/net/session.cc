#include "fetch/net/session.h"

#include <signal.h>

#include <utility>

#include "base/base/assert.h"
#include "base/base/match.h"
#include "base/base/text.h"
#include "fetch/net/body.h"
#include "fetch/net/http.h"
#include "fetch/net/policies.h"

namespace cg::net {

namespace {

constexpr int kNotModified = 304;
/// The processes keep the deadline themselves; this is for one that does not.
constexpr std::chrono::milliseconds kGrace{1'000};

Error::Kind kind_of_failure(FailureKind kind) {
  switch (kind) {
    case FailureKind::unresolved:
      return Error::Kind::unresolved;
    case FailureKind::unreachable:
    case FailureKind::exhausted:
      return Error::Kind::unreachable;
    case FailureKind::timeout:
      return Error::Kind::timeout;
    case FailureKind::tls:
      return Error::Kind::tls;
    case FailureKind::protocol:
      return Error::Kind::protocol;
    case FailureKind::too_large:
      return Error::Kind::too_large;
    case FailureKind::setup:
      return Error::Kind::setup;
    case FailureKind::no_key:
    case FailureKind::no_pin:
    case FailureKind::pin_mismatch:
    case FailureKind::status:
      break;  // fetch has no reason to say these
  }
  return Error::Kind::violation;
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

Error status_error(const Head& head) {
  if (is_redirect(head.status)) {
    return {Error::Kind::redirect, "", head.status, printable(head.location), ""};
  }
  return {Error::Kind::http_status, "", head.status, "", printable(head.retry_after)};
}

bool is_sendable(std::string_view text) { return text.empty() || is_header_value(text); }

Error setup_error(const os::Error& error) {
  return {Error::Kind::setup, error.path + ": " + os::describe(error)};
}

/// What fetch passes on was checked there, and is checked again: it has read what a
/// server sent.
bool is_plausible(const Head& head) {
  return head.status >= 200 && head.status <= 599 && is_sendable(head.etag) &&
         is_sendable(head.last_modified) && is_sendable(head.content_type) &&
         is_sendable(head.location) && is_sendable(head.retry_after);
}

struct Started {
  Process process;
  os::Fd ours;
};

Result<Started, Error> start_program(spawn::Program which, const std::string& program,
                                     const os::Fd& link) {
  auto pair = socket_pair();
  if (!pair) return fail(setup_error(pair.error()));
  auto process = Process::start(which, program, pair->theirs, link);
  if (!process) return fail(setup_error(process.error()));
  return Started{*std::move(process), std::move(pair->ours)};
}

Result<Done, Error> check(const Access& access) {
  if (access.authorities.size() > kMaxAuthorities) {
    return fail(Error{Error::Kind::setup, "more than 256 KiB of certificates"});
  }
  if (!is_sendable(access.authorization)) {
    return fail(Error{Error::Kind::setup, "the authorization cannot be sent as a header"});
  }
  return Done{};
}

/// Ended by its filter.
bool is_filtered(const Process::End& end) {
  const auto* signalled = std::get_if<os::Signalled>(&end);
  return signalled != nullptr && signalled->signal == SIGSYS;
}

std::string ending_text(const Process::End& end) {
  return match(
      end,
      [](const os::Exited& e) { return "a program ended with code " + std::to_string(e.code); },
      [](const os::Signalled& s) {
        return "a program was ended by signal " + std::to_string(s.signal);
      });
}

std::uint32_t limit_of(Deadline deadline) { return static_cast<std::uint32_t>(left_ms(deadline)); }

}  // namespace

Result<Session, Error> Session::start(const Programs& programs, const Origin& origin,
                                      const Access& access, Deadline deadline) {
  CG_TRY(check(access));
  auto link = socket_pair();
  if (!link) return fail(setup_error(link.error()));
  CG_TRY_ASSIGN(Started broker, start_program(spawn::Program::broker, programs.broker, link->ours));
  CG_TRY_ASSIGN(Started fetch, start_program(spawn::Program::fetch, programs.fetch, link->theirs));
  link = Pair{};  // only they hold it now: each sees the other's end

  Session session(std::move(broker.process),
                  Channel(std::move(broker.ours), Order(kBrokerOrder), Speaker::asker),
                  std::move(fetch.process),
                  Channel(std::move(fetch.ours), Order(kFetchOrder), Speaker::asker));
  const auto asked_broker = session.to_broker_.send(
      Start{origin.host(), origin.port(), access.addresses, limit_of(deadline)}, deadline);
  if (!asked_broker) return fail(session.give_up(asked_broker.error(), session.broker_));
  const auto asked_fetch =
      session.to_fetch_.send(Setup{origin.scheme(), origin.host(), origin.port(),
                                   access.authorities, access.authorization},
                             deadline);
  if (!asked_fetch) return fail(session.give_up(asked_fetch.error(), session.fetch_));
  CG_TRY_ASSIGN(session.isolation_.broker,
                session.await_ready(session.to_broker_, session.broker_, deadline));
  CG_TRY_ASSIGN(session.isolation_.fetch,
                session.await_ready(session.to_fetch_, session.fetch_, deadline));
  return session;
}

Result<seal::Applied, Error> Session::await_ready(Channel& channel, Process& process,
                                                  Deadline deadline) {
  const auto message = channel.receive(deadline);
  if (!message) return fail(give_up(message.error(), process));
  if (const auto* failed = std::get_if<Failed>(&*message)) return fail(failure(*failed));
  return std::get<Ready>(*message).applied;
}

Error Session::failure(const Failed& failed) {
  exhausted_ = failed.kind == FailureKind::exhausted;
  return {kind_of_failure(failed.kind), printable(failed.detail)};
}

Error Session::give_up(ChannelError error, Process& process) {
  usable_ = false;
  const Process::End end = process.stop();
  Process& other = &process == &fetch_ ? broker_ : fetch_;
  if (is_filtered(end) || is_filtered(other.stop())) {
    return {Error::Kind::violation, "a system call that it may not make"};
  }
  switch (error) {
    case ChannelError::timeout:
      return {Error::Kind::timeout, ""};
    case ChannelError::broken:
      return {Error::Kind::violation, "a message that does not belong there"};
    case ChannelError::closed:
    case ChannelError::interrupted:
      break;
  }
  return {Error::Kind::setup, ending_text(end)};
}

Result<Answer, Error> Session::get(const Request& request, Sink& sink, Deadline deadline) {
  if (!is_sendable(request.accept) || !is_sendable(request.if_none_match) ||
      !is_sendable(request.if_modified_since)) {
    return fail(Error{Error::Kind::request, "a header text is too long or not ASCII"});
  }
  CG_ASSERT(usable_);
  const Deadline last = deadline + kGrace;
  const auto asked = to_fetch_.send(
      Get{request.url.target().str(), request.accept, request.if_none_match,
          request.if_modified_since, request.max_bytes, limit_of(deadline), request.encoding},
      last);
  if (!asked) return fail(give_up(asked.error(), fetch_));
  const auto message = to_fetch_.receive(last);
  if (!message) return fail(give_up(message.error(), fetch_));
  if (const auto* failed = std::get_if<Failed>(&*message)) return fail(failure(*failed));
  const Head& head = std::get<Head>(*message);
  if (!is_plausible(head)) return fail(give_up(ChannelError::broken, fetch_));
  return take_body(head, request, sink, last);
}

Result<Answer, Error> Session::take_body(const Head& head, const Request& request, Sink& sink,
                                         Deadline deadline) {
  BodyCount count;
  for (;;) {
    auto message = to_fetch_.receive(deadline);
    if (!message) return fail(give_up(message.error(), fetch_));
    if (const auto* failed = std::get_if<Failed>(&*message)) return fail(failure(*failed));
    const auto* piece = std::get_if<Piece>(&*message);
    if (piece == nullptr) break;  // the order leaves End alone
    // fetch keeps these itself; it is not trusted to.
    if (head.status != kOk || piece->bytes.size() > request.max_bytes - count.size()) {
      return fail(give_up(ChannelError::broken, fetch_));
    }
    count.add(piece->bytes);
    const auto written = sink.write(piece->bytes);
    if (!written) {
      usable_ = false;  // the rest of the body is still on its way
      return fail(Error{Error::Kind::storage, os::describe(written.error())});
    }
  }
  if (head.status == kOk) {
    return Answer{
        Fetched{head.etag, head.last_modified, head.content_type, count.size(), count.sha256()}};
  }
  const bool conditional = !request.if_none_match.empty() || !request.if_modified_since.empty();
  if (head.status == kNotModified && conditional) {
    return Answer{NotModified{head.etag, head.last_modified}};
  }
  return fail(status_error(head));
}

}  // namespace cg::net
