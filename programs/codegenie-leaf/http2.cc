#include "http2.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "base/base/text.h"
#include "fetch/net/http.h"
#include "memory.h"

namespace cg::leaf {

namespace {

using net::Failed;
using net::FailureKind;

constexpr std::size_t kMaxFields = 64;
constexpr std::size_t kMaxFieldBytes = 32U << 10U;
constexpr std::size_t kMaxRead = 4U << 20U;
constexpr std::uint32_t kWindow = 1U << 20U;

/// One exchange, as the callbacks see it grow.
struct Exchange {
  std::string_view unsent;  // of our body
  std::string length;       // of it, in digits: fields are not copied
  std::int32_t stream = -1;
  Raw raw;
  std::size_t fields = 0;
  std::size_t field_bytes = 0;
  unsigned seen = 0;         // which of the kept fields, by bit
  bool has_head = false;     // a final one: what comes after are trailers
  bool is_complete = false;  // the server said that this was all
  bool is_closed = false;
  const char* trouble = nullptr;
  bool is_large = false;
};

Exchange& of(void* user) { return *static_cast<Exchange*>(user); }

int give_up(Exchange& exchange, const char* why) {
  exchange.trouble = why;
  return NGHTTP2_ERR_CALLBACK_FAILURE;
}

/// What was sent twice, or cannot be, counts as not sent.
void keep(Exchange& exchange, unsigned bit, std::string_view value, std::string& to) {
  const bool again = (exchange.seen & bit) != 0;
  exchange.seen |= bit;
  to = again || !net::is_header_value(value) ? std::string() : std::string(value);
}

void take_status(Exchange& exchange, std::string_view value) {
  const auto status = value.size() == 3 ? parse_u64(value) : std::nullopt;
  exchange.raw = {};  // an interim answer leaves nothing behind
  exchange.seen = 0;
  exchange.raw.status = static_cast<std::uint16_t>(status.value_or(0));
}

int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
              std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
              std::uint8_t, void* user) {
  Exchange& exchange = of(user);
  exchange.field_bytes += name_size + value_size;
  if (++exchange.fields > kMaxFields || exchange.field_bytes > kMaxFieldBytes) {
    return give_up(exchange, "too many headers");
  }
  if (frame->hd.stream_id != exchange.stream || exchange.has_head) return 0;
  const std::string_view key(reinterpret_cast<const char*>(name), name_size);
  const std::string_view text(reinterpret_cast<const char*>(value), value_size);
  if (key == ":status") take_status(exchange, text);
  if (key == "content-type") keep(exchange, 1, text, exchange.raw.content_type);
  if (key == "retry-after") keep(exchange, 2, text, exchange.raw.retry_after);
  return 0;
}

int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  Exchange& exchange = of(user);
  if (frame->hd.stream_id != exchange.stream) return 0;
  const bool is_content = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
  if (frame->hd.type == NGHTTP2_HEADERS && exchange.raw.status >= 200) exchange.has_head = true;
  if (is_content && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) exchange.is_complete = true;
  return 0;
}

int on_data(nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* data,
            std::size_t size, void* user) {
  Exchange& exchange = of(user);
  if (stream != exchange.stream) return 0;
  if (size > net::kMaxExchanged - exchange.raw.body.size()) {
    exchange.is_large = true;
    return give_up(exchange, "more than 1 MiB");
  }
  exchange.raw.body.append(reinterpret_cast<const char*>(data), size);
  return 0;
}

int on_close(nghttp2_session*, std::int32_t stream, std::uint32_t, void* user) {
  if (stream == of(user).stream) of(user).is_closed = true;
  return 0;
}

ssize_t read_body(nghttp2_session*, std::int32_t, std::uint8_t* to, std::size_t size,
                  std::uint32_t* flags, nghttp2_data_source* source, void*) {
  Exchange& exchange = of(source->ptr);
  const std::size_t taken = std::min(size, exchange.unsent.size());
  std::memcpy(to, exchange.unsent.data(), taken);
  exchange.unsent.remove_prefix(taken);
  if (exchange.unsent.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(taken);
}

struct FreeSession {
  void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
};
using Session = std::unique_ptr<nghttp2_session, FreeSession>;

Session make_session(Exchange& exchange) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* options = nullptr;
  nghttp2_session* session = nullptr;
  if (nghttp2_session_callbacks_new(&callbacks) != 0 || nghttp2_option_new(&options) != 0) {
    return nullptr;
  }
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  nghttp2_option_set_max_settings(options, 32);
  nghttp2_session_client_new3(&session, callbacks, &exchange, options, forgetting_memory());
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_option_del(options);
  return Session(session);
}

nghttp2_nv field(std::string_view name, std::string_view value, unsigned flags = 0) {
  // The library takes mutable pointers and writes through none of them.
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(),
          static_cast<std::uint8_t>(flags | NGHTTP2_NV_FLAG_NO_COPY_NAME |
                                    NGHTTP2_NV_FLAG_NO_COPY_VALUE)};
}

bool submit(nghttp2_session* session, const Post& request, Exchange& exchange) {
  const std::array<nghttp2_settings_entry, 4> settings{{
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 0},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kWindow},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kMaxFieldBytes},
  }};
  exchange.length = std::to_string(request.body.size());
  const std::array<nghttp2_nv, 9> fields{{
      field(":method", "POST"),
      field(":scheme", "https"),
      field(":authority", request.authority),
      field(":path", request.path),
      field("content-type", "application/json"),
      field("content-length", exchange.length),
      field("accept", "application/json"),
      field("anthropic-version", request.version),
      field("x-api-key", request.key, NGHTTP2_NV_FLAG_NO_INDEX),
  }};
  nghttp2_data_provider body{};
  body.source.ptr = &exchange;
  body.read_callback = read_body;
  if (nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) != 0) {
    return false;
  }
  exchange.stream =
      nghttp2_submit_request(session, nullptr, fields.data(), fields.size(), &body, nullptr);
  return exchange.stream > 0;
}

/// False if the server is gone.
Result<bool, Failed> flush(nghttp2_session* session, tls::Stream& stream, net::Deadline deadline) {
  for (;;) {
    const std::uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session, &bytes);
    if (size < 0) return fail(Failed{FailureKind::protocol, "HTTP/2: nothing can be sent"});
    if (size == 0) return true;
    CG_TRY_ASSIGN(const bool sent, stream.write({reinterpret_cast<const char*>(bytes),
                                                 static_cast<std::size_t>(size)},
                                                deadline));
    if (!sent) return false;
  }
}

Failed trouble_of(const Exchange& exchange, ssize_t code) {
  const FailureKind kind = exchange.is_large ? FailureKind::too_large : FailureKind::protocol;
  const char* why =
      exchange.trouble != nullptr ? exchange.trouble : nghttp2_strerror(static_cast<int>(code));
  return {kind, std::string("HTTP/2: ") + why};
}

/// Reads and answers until the stream is over.
Result<Done, Failed> converse(nghttp2_session* session, tls::Stream& stream, Exchange& exchange,
                              net::Deadline deadline) {
  std::array<char, 16U << 10U> buffer{};
  std::size_t total = 0;
  while (!exchange.is_complete) {
    CG_TRY_ASSIGN(const bool open, flush(session, stream, deadline));
    if (nghttp2_session_want_read(session) == 0) {  // it makes no sense; that was said, too
      return fail(Failed{FailureKind::protocol, "HTTP/2: the connection was given up"});
    }
    // One that hung up on our request may have said why before: read on.
    CG_TRY_ASSIGN(const std::size_t size, stream.read(buffer.data(), buffer.size(), deadline));
    if (size == 0) {
      const FailureKind kind = open && total > 0 ? FailureKind::protocol : FailureKind::unreachable;
      return fail(Failed{kind, "closed before the end of the answer"});
    }
    total += size;
    if (total > kMaxRead) return fail(Failed{FailureKind::too_large, "HTTP/2: more than 4 MiB"});
    const ssize_t taken = nghttp2_session_mem_recv(
        session, reinterpret_cast<const std::uint8_t*>(buffer.data()), size);
    if (taken < 0) return fail(trouble_of(exchange, taken));
    if (exchange.is_closed && !exchange.is_complete) {
      return fail(Failed{FailureKind::protocol, "HTTP/2: the stream was reset"});
    }
  }
  return Done{};
}

}  // namespace

Result<Raw, Failed> post(tls::Stream& stream, const Post& request, net::Deadline deadline) {
  Exchange exchange;
  exchange.unsent = request.body;
  const Session session = make_session(exchange);
  if (session == nullptr || !submit(session.get(), request, exchange)) {
    return fail(Failed{FailureKind::setup, "HTTP/2 does not start"});
  }
  CG_TRY(converse(session.get(), stream, exchange, deadline));
  if (!exchange.has_head) return fail(Failed{FailureKind::protocol, "HTTP/2: no answer"});
  return std::move(exchange.raw);
}

}  // namespace cg::leaf
