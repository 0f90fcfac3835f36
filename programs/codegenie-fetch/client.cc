#include "client.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/archive/stream.h"
#include "base/base/text.h"
#include "fetch/net/policies.h"
#include "fetch/net/process.h"
#include "fetch/tls/tls.h"

namespace cg::fetch {

namespace {

using net::ChannelError;
using net::Deadline;
using net::Failed;
using net::FailureKind;

constexpr int kOk = 200;
/// The broker keeps the deadline; this is for its answer to arrive.
constexpr std::chrono::milliseconds kGrace{500};

Failed http_failed(net::HttpError error) {
  const FailureKind kind =
      error == net::HttpError::too_large ? FailureKind::too_large : FailureKind::protocol;
  return {kind, std::string(net::describe(error))};
}

/// The parent's texts are checked again: they become bytes on the wire here.
std::string request_bytes(const net::Get& get, const net::Origin& origin,
                          const std::string& authorization) {
  for (const std::string* text : {&get.accept, &get.if_none_match, &get.if_modified_since}) {
    if (!text->empty() && !net::is_header_value(*text)) _exit(net::kEndUnexpected);
  }
  const auto target = net::Target::parse(get.target);
  if (!target) _exit(net::kEndUnexpected);
  const std::string authority = origin.authority();
  return net::write_request({authority, target->str(), get.accept, get.if_none_match,
                             get.if_modified_since, authorization, get.encoding});
}

net::Head head_message(const net::ResponseHead& head) {
  return {static_cast<std::uint16_t>(head.status),
          head.etag,
          head.last_modified,
          head.content_type,
          head.location,
          head.retry_after};
}

}  // namespace

Client::Client(net::Channel& parent, net::Channel& link, net::Origin origin, tls::Context context,
               std::string authorization)
    : parent_(parent),
      link_(link),
      origin_(std::move(origin)),
      context_(std::move(context)),
      authorization_(std::move(authorization)) {}

void Client::tell(const net::Message& message) {
  const auto sent = parent_.send(message, net::kNever);
  if (!sent) net::end_for(sent.error(), net::kParentFd);
}

void Client::answer(const net::Get& get) {
  const Deadline deadline = net::deadline_in(std::chrono::milliseconds(get.limit_ms));
  Attempt done = attempt(get, deadline);
  // A server may close a kept connection at any time; nothing was answered, so ask again.
  if (done && std::holds_alternative<Stale>(*done)) done = attempt(get, deadline);
  if (done) return;
  stream_.reset();
  Failed failed = done.error();
  failed.detail = cut_utf8(failed.detail, net::kMaxDetail);
  tell(failed);
}

Client::Attempt Client::attempt(const net::Get& get, Deadline deadline) {
  const std::string request = request_bytes(get, origin_, authorization_);
  if (stream_ != nullptr && !stream_->is_quiet()) stream_.reset();
  if (stream_ == nullptr) CG_TRY(connect(deadline));
  CG_TRY_ASSIGN(const bool sent, stream_->write(request, deadline));
  if (!sent && !fresh_) {
    stream_.reset();
    return Stale{};
  }
  // One that hung up on our request may have said why before: read on.
  return read_answer(get, deadline);
}

Result<os::Fd, Failed> Client::dial(Deadline deadline) {
  const auto asked =
      link_.send(net::Dial{static_cast<std::uint32_t>(net::left_ms(deadline))}, net::kNever);
  if (!asked) net::end_for(asked.error(), net::kParentFd);
  auto answer = link_.receive_with(deadline + kGrace, net::kParentFd);
  if (!answer) net::end_for(answer.error(), net::kParentFd);
  if (auto* failed = std::get_if<Failed>(&answer->message)) return fail(std::move(*failed));
  return std::move(answer->fd);
}

Result<Done, Failed> Client::connect(Deadline deadline) {
  CG_TRY_ASSIGN(os::Fd socket, dial(deadline));
  fresh_ = true;
  if (origin_.scheme() == net::Scheme::http) {
    stream_ = tls::plain_stream(std::move(socket));
    return Done{};
  }
  CG_TRY_ASSIGN(stream_, tls::tls_stream(context_, origin_, std::move(socket), deadline));
  return Done{};
}

/// Gives the parent what `bytes` add to the answer.
Result<Done, Failed> Client::pass_on(std::string_view bytes, std::string& body,
                                     net::ResponseReader& reader) {
  const bool had_head = reader.has_head();
  const auto taken = reader.feed(bytes, body);
  if (!had_head && reader.has_head()) tell(head_message(reader.head()));
  if (!taken) return fail(http_failed(taken.error()));
  const bool wanted = reader.has_head() && reader.head().status == kOk;
  if (wanted && reader.head().encoding == net::Encoding::gzip) {
    packed_ += body;
  } else if (wanted && !body.empty()) {
    tell(net::Piece{body});
  }
  body.clear();
  // More than the answer: whatever it is, the connection is not to be used again.
  if (*taken < bytes.size()) stream_.reset();
  return Done{};
}

/// Hands out what was packed. Its checksum comes last: the parent keeps nothing of a
/// body that does not end well.
Result<Done, Failed> Client::unpack(std::uint64_t max_bytes) {
  archive::Limits limits;
  limits.max_output = max_bytes;
  const auto unpacked = archive::gunzip(packed_, limits, [&](std::string_view piece) {
    for (; !piece.empty(); piece.remove_prefix(std::min(piece.size(), net::kMaxPiece))) {
      tell(net::Piece{std::string(piece.substr(0, net::kMaxPiece))});
    }
    return archive::Next::more;
  });
  packed_ = std::string();
  if (unpacked) return Done{};
  const archive::Error::Kind kind = unpacked.error().kind;
  const bool large = kind == archive::Error::Kind::output_too_large ||
                     kind == archive::Error::Kind::ratio_too_high;
  return fail(Failed{large ? FailureKind::too_large : FailureKind::protocol,
                     "gzip: " + archive::describe(unpacked.error())});
}

Client::Attempt Client::read_answer(const net::Get& get, Deadline deadline) {
  net::ResponseReader reader(get.max_bytes, get.encoding);
  packed_.clear();
  std::array<char, net::kMaxPiece> buffer{};
  std::string body;
  while (!reader.is_complete()) {
    CG_TRY_ASSIGN(const std::size_t size, stream_->read(buffer.data(), buffer.size(), deadline));
    if (size == 0 && reader.is_untouched()) {
      stream_.reset();
      if (!fresh_) return Stale{};
      return fail(Failed{FailureKind::unreachable, "closed without an answer"});
    }
    if (size == 0) return fail(http_failed(net::HttpError::truncated));
    const auto passed = pass_on({buffer.data(), size}, body, reader);
    if (!passed && (!reader.has_head() || reader.head().status == kOk)) {
      return fail(passed.error());
    }
    if (!passed) {  // the status is the answer; what its body is does not matter
      stream_.reset();
      break;
    }
  }
  fresh_ = false;
  if (!reader.head().keep_alive) stream_.reset();
  if (!packed_.empty()) CG_TRY(unpack(get.max_bytes));
  tell(net::End{});
  return Done{};
}

}  // namespace cg::fetch
