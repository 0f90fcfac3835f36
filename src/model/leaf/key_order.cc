#include "model/leaf/key_order.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/base/assert.h"
#include "base/base/match.h"
#include "base/base/text.h"

namespace cg::leaf {

namespace {

constexpr std::size_t kMaxName = 32;
constexpr std::size_t kFingerprint = 16;

enum class Kind : std::uint8_t { order = 1, asked, done, listed, refused };

constexpr std::array<std::string_view, 5> kStoreNames = {"auto", "secret-service", "kernel",
                                                         "systemd", "env_ci_explicit"};
constexpr std::array<std::string_view, 7> kStateNames = {
    "held", "removed", "empty", "missing", "locked", "unavailable", "malformed"};
constexpr std::array<std::string_view, 9> kReasonNames = {
    "missing",  "locked",   "empty",       "unavailable", "bad_key",
    "too_long", "same_key", "no_terminal", "cancelled"};
constexpr std::size_t kVerbs = 5;

bool is_fingerprint(std::string_view text) {
  return text.empty() ||
         (text.size() == kFingerprint && std::all_of(text.begin(), text.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
          }));
}

bool is_detail(std::string_view text) {
  return text.size() <= kMaxKeyDetail && is_utf8(text) && printable(text) == text;
}

class Writer {
 public:
  explicit Writer(Kind kind) { number(static_cast<std::uint8_t>(kind)); }

  template <class Enum>
  Writer& choice(Enum value) {
    number(static_cast<std::uint8_t>(value));
    return *this;
  }
  Writer& text(std::string_view value) {
    number(static_cast<std::uint8_t>(value.size()));
    bytes_ += value;
    return *this;
  }
  Writer& fingerprint(std::string_view value) {
    CG_ASSERT(is_fingerprint(value));
    return text(value);
  }
  Writer& detail(const std::string& value) {
    return text(cut_utf8(printable(value), kMaxKeyDetail));
  }
  Writer& report(const StoreReport& value) {
    return choice(value.store)
        .choice(value.state)
        .fingerprint(value.fingerprint)
        .detail(value.detail);
  }
  Writer& number(std::uint8_t value) {
    bytes_ += static_cast<char>(value);
    return *this;
  }
  [[nodiscard]] std::string framed() const {
    CG_ASSERT(bytes_.size() <= kMaxKeyMessage);
    std::string out(1, static_cast<char>(bytes_.size() >> 8U));
    out += static_cast<char>(bytes_.size() & 0xffU);
    return out + bytes_;
  }

 private:
  std::string bytes_;
};

/// Takes fields off the front. After the first that is wrong, all are.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint8_t number(std::size_t end) {
    if (bytes_.empty() || static_cast<unsigned char>(bytes_[0]) >= end) {
      good_ = false;
      return 0;
    }
    const auto value = static_cast<std::uint8_t>(bytes_[0]);
    bytes_.remove_prefix(1);
    return value;
  }
  template <class Enum>
  void choice(Enum& to, std::size_t end) {
    to = static_cast<Enum>(number(end));
  }
  template <class Check>
  void text(std::string& to, Check check) {
    const std::size_t size = number(256);
    if (!good_ || size > bytes_.size() || !check(bytes_.substr(0, size))) {
      good_ = false;
      return;
    }
    to = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  void report(StoreReport& to) {
    choice(to.store, kStoreNames.size());
    choice(to.state, kStateNames.size());
    text(to.fingerprint, is_fingerprint);
    text(to.detail, is_detail);
    if ((to.state == KeyState::held) == to.fingerprint.empty()) good_ = false;
  }
  void refuse() { good_ = false; }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool finished() const { return good_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

KeyAnswer read_done(Reader& reader) {
  KeyDone done;
  reader.report(done.place);
  reader.text(done.previous, is_fingerprint);
  if (done.place.state != KeyState::held) reader.refuse();
  return done;
}

KeyAnswer read_listed(Reader& reader) {
  KeyListed listed;
  const std::size_t count = reader.number(std::size(kKeyStores) + 1);
  for (std::size_t i = 0; i < count && reader.good(); ++i) {
    reader.report(listed.places.emplace_back());
  }
  return listed;
}

KeyAnswer read_refused(Reader& reader) {
  KeyRefused refused;
  reader.choice(refused.reason, kReasonNames.size());
  reader.choice(refused.store, kStoreNames.size());
  reader.text(refused.detail, is_detail);
  return refused;
}

std::string write_listed(const KeyListed& listed) {
  CG_ASSERT(listed.places.size() <= std::size(kKeyStores));
  Writer writer(Kind::listed);
  writer.number(static_cast<std::uint8_t>(listed.places.size()));
  for (const StoreReport& place : listed.places) writer.report(place);
  return writer.framed();
}

}  // namespace

std::string_view name(KeyStore store) { return kStoreNames[static_cast<std::size_t>(store)]; }
std::string_view name(KeyState state) { return kStateNames[static_cast<std::size_t>(state)]; }
std::string_view name(KeyRefused::Reason reason) {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

std::optional<KeyStore> parse_key_store(std::string_view text) {
  for (const KeyStore store :
       {KeyStore::automatic, KeyStore::secret_service, KeyStore::kernel, KeyStore::systemd}) {
    if (text == name(store)) return store;
  }
  return std::nullopt;
}

bool is_key_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName && text[0] >= 'a' && text[0] <= 'z' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

std::optional<std::size_t> key_message_size(std::string_view length) {
  if (length.size() != kKeyLengthBytes) return std::nullopt;
  const std::size_t size = static_cast<std::size_t>(static_cast<unsigned char>(length[0])) << 8U |
                           static_cast<unsigned char>(length[1]);
  if (size == 0 || size > kMaxKeyMessage) return std::nullopt;
  return size;
}

std::string write_key_order(const KeyOrder& order) {
  CG_ASSERT(is_key_name(order.key_name));
  return Writer(Kind::order).choice(order.verb).choice(order.store).text(order.key_name).framed();
}

std::string write_key_answer(const KeyAnswer& answer) {
  return match(
      answer, [](const KeyAsked&) { return Writer(Kind::asked).framed(); },
      [](const KeyDone& done) {
        return Writer(Kind::done).report(done.place).fingerprint(done.previous).framed();
      },
      [](const KeyListed& listed) { return write_listed(listed); },
      [](const KeyRefused& refused) {
        return Writer(Kind::refused)
            .choice(refused.reason)
            .choice(refused.store)
            .detail(refused.detail)
            .framed();
      });
}

std::optional<KeyOrder> parse_key_order(std::string_view message) {
  Reader reader(message);
  if (reader.number(256) != static_cast<std::uint8_t>(Kind::order)) return std::nullopt;
  KeyOrder order;
  reader.choice(order.verb, kVerbs);
  reader.choice(order.store, kStoreNames.size());
  reader.text(order.key_name, is_key_name);
  if (!reader.finished()) return std::nullopt;
  return order;
}

std::optional<KeyAnswer> parse_key_answer(std::string_view message) {
  Reader reader(message);
  KeyAnswer answer;
  switch (static_cast<Kind>(reader.number(256))) {
    case Kind::asked:
      break;
    case Kind::done:
      answer = read_done(reader);
      break;
    case Kind::listed:
      answer = read_listed(reader);
      break;
    case Kind::refused:
      answer = read_refused(reader);
      break;
    default:
      return std::nullopt;
  }
  if (!reader.finished()) return std::nullopt;
  return answer;
}

}  // namespace cg::leaf
