#include "fetch/net/frame.h"

#include <optional>
#include <type_traits>
#include <utility>

#include "base/base/assert.h"

namespace cg::net {

namespace {

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
  void digest(const hash::Digest& value) { size_ += value.size(); }
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

class Writer {
 public:
  template <class T>
  void number(const T& value) {
    for (std::size_t i = sizeof(T); i-- > 0;) {
      out_ += static_cast<char>(
          static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
  }
  template <class T>
  void choice(const T& value, T last) {
    CG_ASSERT(value <= last);
    out_ += static_cast<char>(value);
  }
  void flag(bool value) { out_ += value ? '\1' : '\0'; }
  void digest(const hash::Digest& value) {
    for (const Byte byte : value) out_ += static_cast<char>(byte);
  }
  template <class T>
  void list(const std::vector<T>& values, std::size_t cap, auto each) {
    CG_ASSERT(values.size() <= cap);
    number(static_cast<std::uint8_t>(values.size()));
    for (const T& value : values) each(value);
  }
  void text(const std::string& value, std::size_t cap) {
    CG_ASSERT(value.size() <= cap);
    number(static_cast<std::uint32_t>(value.size()));
    out_ += value;
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void number(T& value) {
    std::uint64_t read = 0;
    for (const char c : take(sizeof(T))) read = read << 8U | static_cast<unsigned char>(c);
    value = static_cast<T>(read);
  }
  template <class T>
  void choice(T& value, T last) {
    std::uint8_t read = 0;
    number(read);
    if (read > static_cast<std::uint8_t>(last)) good_ = false;
    if (good_) value = static_cast<T>(read);
  }
  void flag(bool& value) {
    std::uint8_t read = 0;
    number(read);
    if (read > 1) good_ = false;
    value = read == 1;
  }
  void digest(hash::Digest& value) {
    const std::string_view bytes = take(value.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) value[i] = static_cast<Byte>(bytes[i]);
  }
  template <class T>
  void list(std::vector<T>& values, std::size_t cap, auto each) {
    std::uint8_t count = 0;
    number(count);
    if (count > cap) good_ = false;
    for (std::size_t i = 0; good_ && i < count; ++i) each(values.emplace_back());
  }
  void text(std::string& value, std::size_t cap) {
    std::uint32_t size = 0;
    number(size);
    if (size > cap) good_ = false;
    value = take(size);
  }
  [[nodiscard]] bool is_done() const { return good_ && rest_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (!good_ || size > rest_.size()) {
      good_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool good_ = true;
};

// One list of fields per message, read by all three of the above. M is the message
// or the const of it.
template <class M, class Wanted>
concept Is = std::is_same_v<std::remove_const_t<M>, Wanted>;

void fields(auto& f, Is<Start> auto& m) {
  f.text(m.host, kMaxHostText);
  f.number(m.port);
  f.choice(m.addresses, Addresses::private_networks);
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
  f.choice(m.wire, Wire::chat);
  f.number(m.port);
  f.list(m.pins, kMaxPins, [&](auto& pin) {
    f.digest(pin.spki);
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
  f.digest(m.request);
  f.digest(m.response);
  f.text(m.model, kMaxModel);
  f.number(m.tokens.input);
  f.number(m.tokens.output);
  f.number(m.tokens.cache_write);
  f.number(m.tokens.cache_read);
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

template <std::size_t I = 0>
std::optional<Message> blank(Kind kind) {
  if constexpr (I < std::variant_size_v<Message>) {
    if (static_cast<std::size_t>(kind) == I + 1) return Message(std::in_place_index<I>);
    return blank<I + 1>(kind);
  } else {
    return std::nullopt;
  }
}

void all_fields(auto& f, auto& message) {
  std::visit([&](auto& m) { fields(f, m); }, message);
}

}  // namespace

Result<FrameHeader, FrameError> parse_header(const std::array<char, kFrameHeader>& bytes) {
  Reader reader(std::string_view(bytes.data(), bytes.size()));
  std::uint32_t length = 0;
  std::uint8_t kind = 0;
  reader.number(length);
  reader.number(kind);
  const std::optional<Message> message = blank(static_cast<Kind>(kind));
  if (!message) return fail(FrameError::unknown_kind);
  if (length == 0) return fail(FrameError::malformed);
  Measure measure;
  all_fields(measure, *message);
  const std::size_t size = length - 1;
  if (size > measure.size()) return fail(FrameError::too_long);
  return FrameHeader{static_cast<Kind>(kind), size};
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
  Writer body;
  all_fields(body, message);
  const std::string bytes = body.take();
  Writer header;
  header.number(static_cast<std::uint32_t>(bytes.size() + 1));
  header.number(static_cast<std::uint8_t>(kind_of(message)));
  return header.take() + bytes;
}

}  // namespace cg::net
