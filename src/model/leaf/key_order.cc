#include "model/leaf/key_order.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/wire/message.h"
#include "base/wire/reader.h"
#include "base/wire/writer.h"

namespace cg::leaf {

namespace {

constexpr std::size_t kMaxName = 32;
constexpr std::size_t kFingerprint = 16;

/// The first byte of a message; the answers follow in the order of KeyAnswer.
constexpr std::uint8_t kOrder = 1;
constexpr std::uint8_t kFirstAnswer = 2;

constexpr std::array<std::string_view, 5> kStoreNames = {"auto", "secret-service", "kernel",
                                                         "systemd", "env_ci_explicit"};
constexpr std::array<std::string_view, 7> kStateNames = {
    "held", "removed", "empty", "missing", "locked", "unavailable", "malformed"};
constexpr std::array<std::string_view, 9> kReasonNames = {
    "missing",  "locked",   "empty",       "unavailable", "bad_key",
    "too_long", "same_key", "no_terminal", "cancelled"};

bool is_fingerprint(std::string_view text) {
  return text.empty() ||
         (text.size() == kFingerprint && std::all_of(text.begin(), text.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
          }));
}

using wire::Is;
using Writer = wire::Writer<std::uint8_t>;
using Reader = wire::Reader<std::uint8_t>;

// One list of fields per message, for both.

template <class F>
void fingerprint(F& f, auto& value) {
  if constexpr (!F::kReads) CG_ASSERT(is_fingerprint(value));
  f.text(value, kFingerprint);
  f.require(is_fingerprint(value));
}

template <class F>
void detail(F& f, auto& value) {
  if constexpr (F::kReads) {
    f.text(value, kMaxKeyDetail);
    f.require(is_utf8(value) && printable(value) == value);
  } else {
    f.text(cut_utf8(printable(value), kMaxKeyDetail), kMaxKeyDetail);
  }
}

void fields(auto& f, Is<StoreReport> auto& m) {
  f.choice(m.store, KeyStore::env_ci);
  f.choice(m.state, KeyState::malformed);
  fingerprint(f, m.fingerprint);
  detail(f, m.detail);
  f.require((m.state == KeyState::held) != m.fingerprint.empty());
}
void fields(auto& f, Is<KeyOrder> auto& m) {
  f.choice(m.verb, KeyVerb::deliver);
  f.choice(m.store, KeyStore::env_ci);
  f.text(m.key_name, kMaxName);
  f.require(is_key_name(m.key_name));
}
void fields(auto&, Is<KeyAsked> auto&) {}
void fields(auto& f, Is<KeyDone> auto& m) {
  fields(f, m.place);
  fingerprint(f, m.previous);
  f.require(m.place.state == KeyState::held);
}
void fields(auto& f, Is<KeyListed> auto& m) {
  f.list(m.places, std::size(kKeyStores), [&](auto& place) { fields(f, place); });
}
void fields(auto& f, Is<KeyRefused> auto& m) {
  f.choice(m.reason, KeyRefused::Reason::cancelled);
  f.choice(m.store, KeyStore::env_ci);
  detail(f, m.detail);
}

std::string framed(std::uint8_t kind, const auto& message) {
  Writer writer;
  writer.number(kind);
  fields(writer, message);
  const auto bytes = writer.take();
  CG_ASSERT(bytes && bytes->size() <= kMaxKeyMessage);
  return wire::with_length<std::uint16_t>(*bytes);
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
  const std::uint64_t size = wire::big_endian(length);
  if (size == 0 || size > kMaxKeyMessage) return std::nullopt;
  return size;
}

std::string write_key_order(const KeyOrder& order) {
  CG_ASSERT(is_key_name(order.key_name));
  return framed(kOrder, order);
}

std::string write_key_answer(const KeyAnswer& answer) {
  const auto kind = static_cast<std::uint8_t>(kFirstAnswer + answer.index());
  return std::visit([&](const auto& m) { return framed(kind, m); }, answer);
}

std::optional<KeyOrder> parse_key_order(std::string_view message) {
  Reader reader(message);
  std::uint8_t kind = 0;
  reader.number(kind);
  KeyOrder order;
  fields(reader, order);
  if (kind != kOrder || !reader.is_done()) return std::nullopt;
  return order;
}

std::optional<KeyAnswer> parse_key_answer(std::string_view message) {
  Reader reader(message);
  std::uint8_t kind = 0;
  reader.number(kind);
  auto answer = wire::blank<KeyAnswer>(std::size_t{kind} - kFirstAnswer);
  if (!answer) return std::nullopt;
  std::visit([&](auto& m) { fields(reader, m); }, *answer);
  if (!reader.is_done()) return std::nullopt;
  return answer;
}

}  // namespace cg::leaf
