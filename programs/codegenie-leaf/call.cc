#include "call.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "fetch/net/http.h"
#include "fetch/net/policies.h"
#include "fetch/net/process.h"
#include "fetch/net/url.h"
#include "fetch/tls/tls.h"
#include "http2.h"
#include "model/leaf/key_frame.h"
#include "model/leaf/provider.h"

namespace cg::leaf {

namespace {

using net::ChannelError;
using net::Deadline;
using net::Failed;
using net::FailureKind;
using net::Unanswered;

/// The broker keeps the deadline; this is for its answer to arrive.
constexpr std::chrono::milliseconds kGrace{500};

enum class Sent { no, yes };

Unanswered unanswered(const Failed& failed, Sent sent) {
  return {failed.kind, failed.detail, 0, false, 0, sent == Sent::yes};
}

Result<os::Fd, Failed> dial(net::Channel& link, Deadline deadline) {
  const auto asked =
      link.send(net::Dial{static_cast<std::uint32_t>(net::left_ms(deadline))}, net::kNever);
  if (!asked) net::end_for(asked.error(), net::kParentFd);
  auto answer = link.receive_with(deadline + kGrace, net::kParentFd);
  if (!answer) net::end_for(answer.error(), net::kParentFd);
  if (auto* failed = std::get_if<Failed>(&answer->message)) return fail(std::move(*failed));
  return std::move(answer->fd);
}

/// Exactly `size` bytes from where the key comes from.
Result<Done, Failed> read_key_bytes(char* to, std::size_t size, Deadline deadline) {
  while (size > 0) {
    CG_TRY(tls::wait_for(net::kKeyFd, POLLIN, deadline));
    const ssize_t n = read(net::kKeyFd, to, size);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (n <= 0) return fail(Failed{FailureKind::no_key, "nobody gave one"});
    to += n;
    size -= static_cast<std::size_t>(n);
  }
  return Done{};
}

Failed no_frame() { return {FailureKind::no_key, "what was given is no key"}; }

/// That there is a key, and how long it is. The key itself stays where it is.
Result<KeyHead, Failed> await_key(Deadline deadline) {
  std::array<char, kMaxKeyHead> head{};
  CG_TRY(read_key_bytes(head.data(), 1, deadline));
  const auto size = key_head_size(head[0]);
  if (!size) return fail(no_frame());
  CG_TRY(read_key_bytes(head.data() + 1, *size - 1, deadline));
  auto parsed = parse_key_head({head.data(), *size});
  if (!parsed) return fail(no_frame());
  if (parsed->key_size == 0) return fail(Failed{FailureKind::no_key, parsed->source});
  return *std::move(parsed);
}

Result<Done, Failed> take_key(Secret& secret, std::size_t size, Deadline deadline) {
  CG_TRY(read_key_bytes(secret.room(), size, deadline));
  secret.set_size(size);
  if (!is_key(secret.view())) return fail(no_frame());
  return Done{};
}

Result<Raw, Failed> read_http1(tls::Stream& stream, Deadline deadline) {
  net::ResponseReader reader(net::kMaxExchanged);
  std::array<char, 16U << 10U> buffer{};
  std::string body;
  while (!reader.is_complete()) {
    CG_TRY_ASSIGN(const std::size_t size, stream.read(buffer.data(), buffer.size(), deadline));
    if (size == 0 && reader.is_untouched()) {
      return fail(Failed{FailureKind::unreachable, "closed without an answer"});
    }
    const auto taken = size == 0
                           ? Result<std::size_t, net::HttpError>(fail(net::HttpError::truncated))
                           : reader.feed({buffer.data(), size}, body);
    if (taken) continue;
    const bool large = taken.error() == net::HttpError::too_large;
    return fail(Failed{large ? FailureKind::too_large : FailureKind::protocol,
                       std::string(net::describe(taken.error()))});
  }
  const net::ResponseHead& head = reader.head();
  return Raw{static_cast<std::uint16_t>(head.status), head.content_type, head.retry_after,
             std::move(body)};
}

}  // namespace

Result<Raw, Unanswered> ask_anthropic(Means& means, const std::string& request, Deadline deadline) {
  if (means.pins.empty()) {
    return fail(unanswered({FailureKind::no_pin, "no pin is set, or all have run out"}, Sent::no));
  }
  const auto head = await_key(deadline);
  if (!head) return fail(unanswered(head.error(), Sent::no));
  means.key_source = head->source;
  const auto origin = net::Origin::parse(net::Scheme::https, std::string(kHost), kPort);
  if (!origin) return fail(unanswered({FailureKind::setup, "the host"}, Sent::no));
  auto socket = dial(means.link, deadline);
  if (!socket) return fail(unanswered(socket.error(), Sent::no));
  const auto stream =
      tls::tls_stream(means.context, *origin, *std::move(socket), deadline, tls::Speaks::http2);
  if (!stream) return fail(unanswered(stream.error(), Sent::no));
  const auto taken = take_key(means.secret, head->key_size, deadline);
  if (!taken) return fail(unanswered(taken.error(), Sent::no));
  auto raw = post(
      **stream,
      {kHost, provider_of(net::Wire::messages).path, kApiVersion, means.secret.view(), request},
      deadline);
  if (!raw) return fail(unanswered(raw.error(), Sent::yes));
  return *std::move(raw);
}

Result<Raw, Unanswered> ask_loopback(Means& means, std::uint16_t port, const std::string& request,
                                     Deadline deadline) {
  auto socket = dial(means.link, deadline);
  if (!socket) return fail(unanswered(socket.error(), Sent::no));
  const auto stream = tls::plain_stream(*std::move(socket));
  const std::string authority = std::string(kLoopbackHost) + ":" + std::to_string(port);
  const auto sent = stream->write(
      net::write_post(authority, provider_of(net::Wire::chat).path, request), deadline);
  if (!sent) return fail(unanswered(sent.error(), Sent::yes));
  auto raw = read_http1(*stream, deadline);
  if (!raw) return fail(unanswered(raw.error(), Sent::yes));
  return *std::move(raw);
}

}  // namespace cg::leaf
