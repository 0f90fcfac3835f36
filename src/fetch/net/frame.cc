#include "fetch/net/frame.h"

#include <optional>
#include <utility>

#include "base/base/assert.h"
#include "base/wire/message.h"
#include "base/wire/reader.h"
#include "base/wire/writer.h"

namespace cg::net {

namespace {

using wire::Is;

/// Adds up the most bytes a message can have.
class Measure {
 public:
  template <class T>
  void number(const T&) {
    size_ += sizeof(T);
  }
  template <class T>
  void choice(const T&, T) {
    ++size_;
  }
  void flag(bool) { ++size_; }
  void exactly(const hash::Digest& value) { size_ += value.size(); }
  template <class T>
  void list(const std::vector<T>&, std::size_t cap, auto each) {
    ++size_;
    const T one{};
    for (std::size_t i = 0; i < cap; ++i) each(one);
  }
  void text(const std::string&, std::size_t cap) { size_ += 4 + cap; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

using Writer = wire::Writer<std::uint32_t, std::uint8_t>;
using Reader = wire::Reader<std::uint32_t, std::uint8_t>;

// One list of fields per message, for all three.

void fields(auto& f, Is<Start> auto& m) {
  f.text(m.host, kMaxHostText);
  f.number(m.port);
  f.choice(m.addresses, Addresses::any);
  f.number(m.limit_ms);
}
void fields(auto& f, Is<Ready> auto& m) {
  auto& a = m.applied;
  f.flag(a.no_new_privileges);
  f.flag(a.undumpable);
  f.flag(a.no_capabilities);
  f.flag(a.filter);
  f.flag(a.empty_network);
  f.number(a.landlock.abi);
  f.flag(a.landlock.files);
  f.flag(a.landlock.tcp);
  f.flag(a.landlock.scopes);
}
void fields(auto& f, Is<Failed> auto& m) {
  f.choice(m.kind, kLastFailureKind);
  f.text(m.detail, kMaxDetail);
}
void fields(auto& f, Is<Setup> auto& m) {
  f.choice(m.scheme, Scheme::http);
  f.text(m.host, kMaxHostText);
  f.number(m.port);
  f.text(m.authorities, kMaxAuthorities);
  f.text(m.authorization, kMaxHeaderText);
}
void fields(auto& f, Is<Dial> auto& m) { f.number(m.limit_ms); }
void fields(auto&, Is<Dialled> auto&) {}
void fields(auto& f, Is<Get> auto& m) {
  f.text(m.target, kMaxTarget);
  f.text(m.accept, kMaxHeaderText);
  f.text(m.if_none_match, kMaxHeaderText);
  f.text(m.if_modified_since, kMaxHeaderText);
  f.number(m.max_bytes);
  f.number(m.limit_ms);
  f.choice(m.encoding, Encoding::gzip);
}
void fields(auto& f, Is<Head> auto& m) {
  f.number(m.status);
  f.text(m.etag, kMaxHeaderText);
  f.text(m.last_modified, kMaxHeaderText);
  f.text(m.content_type, kMaxHeaderText);
  f.text(m.location, kMaxHeaderText);
  f.text(m.retry_after, kMaxHeaderText);
}
void fields(auto& f, Is<Piece> auto& m) { f.text(m.bytes, kMaxPiece); }
void fields(auto&, Is<End> auto&) {}
void fields(auto& f, Is<LeafSetup> auto& m) {
  f.choice(m.adapter, Adapter::replay);
  f.choice(m.wire, Wire::plain_chat);
  f.number(m.port);
  f.list(m.pins, kMaxPins, [&](auto& pin) {
    f.exactly(pin.spki);
    f.number(pin.last_day);
  });
  f.flag(m.record);
}
void fields(auto& f, Is<Ask> auto& m) {
  f.text(m.model, kMaxModel);
  f.text(m.system, kMaxSystem);
  f.text(m.body, kMaxBody);
  f.number(m.max_tokens);
  f.number(m.limit_ms);
}
void fields(auto& f, Is<Play> auto& m) {
  f.number(m.status);
  f.text(m.content_type, kMaxHeaderText);
  f.text(m.retry_after, kMaxHeaderText);
  f.text(m.body, kMaxExchanged);
}
void fields(auto& f, Is<Recorded> auto& m) {
  f.text(m.request, kMaxExchanged);
  f.number(m.status);
  f.text(m.content_type, kMaxHeaderText);
  f.text(m.retry_after, kMaxHeaderText);
  f.text(m.response, kMaxExchanged);
}
void fields(auto& f, Is<Exchange> auto& m) {
  f.exactly(m.request);
  f.exactly(m.response);
  f.text(m.model, kMaxModel);
  f.number(m.tokens.input);
  f.number(m.tokens.output);
  f.number(m.tokens.cache_write);
  f.number(m.tokens.cache_read);
  f.flag(m.tokens.known);
  f.text(m.key_source, kMaxSource);
  f.choice(m.key_memory, KeyMemory::locked);
}
void fields(auto& f, Is<Told> auto& m) {
  f.text(m.plan, kMaxPlan);
  fields(f, m.exchange);
}
void fields(auto& f, Is<Violated> auto& m) {
  f.choice(m.fault, kMaxFault);
  f.text(m.where, kMaxDetail);
  fields(f, m.exchange);
}
void fields(auto& f, Is<Unanswered> auto& m) {
  f.choice(m.kind, kLastFailureKind);
  f.text(m.detail, kMaxDetail);
  f.number(m.status);
  f.flag(m.has_retry_after);
  f.number(m.retry_after_s);
  f.flag(m.sent);
}

std::optional<Message> blank(Kind kind) {
  return wire::blank<Message>(static_cast<std::size_t>(kind) - 1);
}

void all_fields(auto& f, auto& message) {
  std::visit([&](auto& m) { fields(f, m); }, message);
}

}  // namespace

Result<FrameHeader, FrameError> parse_header(const std::array<char, kFrameHeader>& bytes) {
  Reader reader(std::string_view(bytes.data(), bytes.size()));
  std::uint32_t length = 0;
  Kind kind{};
  reader.number(length);
  reader.number(kind);
  const std::optional<Message> message = blank(kind);
  if (!message) return fail(FrameError::unknown_kind);
  if (length == 0) return fail(FrameError::malformed);
  Measure measure;
  all_fields(measure, *message);
  const std::size_t size = length - 1;
  if (size > measure.size()) return fail(FrameError::too_long);
  return FrameHeader{kind, size};
}

Result<Message, FrameError> parse_fields(Kind kind, std::string_view bytes) {
  std::optional<Message> message = blank(kind);
  if (!message) return fail(FrameError::unknown_kind);
  Reader reader(bytes);
  all_fields(reader, *message);
  if (!reader.is_done()) return fail(FrameError::malformed);
  return *std::move(message);
}

std::string write_frame(const Message& message) {
  Writer writer;
  writer.number(kind_of(message));
  all_fields(writer, message);
  const auto bytes = writer.take();
  CG_ASSERT(bytes.has_value());
  return wire::with_length<std::uint32_t>(*bytes);
}

}  // namespace cg::net
