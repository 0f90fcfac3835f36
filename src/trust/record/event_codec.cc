#include "trust/record/event_codec.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/canonical.h"
#include "trust/record/cursor.h"
#include "trust/record/event_any.h"

namespace cg::record {

namespace {

constexpr std::uint64_t kMaxNumber = (1ULL << 53U) - 1;  // what every JSON reader can hold

struct Writer {
  std::string out = "{";

  void operator()(std::string_view name, const std::string& text, std::size_t cap) {
    key(name);
    json::append_canonical_string(
        out, is_utf8(text) ? cut_utf8(text, cap) : cut_utf8(printable(text), cap));
  }
  void operator()(std::string_view name, std::uint64_t value, std::size_t) {
    key(name);
    out += std::to_string(std::min(value, kMaxNumber));
  }
  void operator()(std::string_view name, const hash::Digest& digest, std::size_t) {
    key(name);
    ((out += '"') += to_hex(digest)) += '"';
  }
  void operator()(std::string_view name, const std::string& text, Added added) {
    if (!text.empty()) (*this)(name, text, added.cap);
  }
  void operator()(std::string_view name, std::uint64_t value, Added) {
    if (value != 0) (*this)(name, value, 0);
  }

 private:
  void key(std::string_view name) {
    if (out.size() > 1) out += ',';
    ((out += '"') += name) += "\":";
  }
};

struct Reader {
  Cursor cursor;
  bool first = true;
  bool ok = true;

  void operator()(std::string_view name, std::string& text, std::size_t cap) {
    key(name);
    if (!ok) return;
    std::optional<std::string> found = cursor.take_string(cap);
    ok = found.has_value();
    if (ok) text = *std::move(found);
  }
  void operator()(std::string_view name, std::uint64_t& value, std::size_t) {
    key(name);
    if (!ok) return;
    const std::optional<std::uint64_t> found = cursor.take_number();
    ok = found && *found <= kMaxNumber;
    if (ok) value = *found;
  }
  void operator()(std::string_view name, hash::Digest& digest, std::size_t) {
    key(name);
    if (!ok) return;
    const std::optional<hash::Digest> found = cursor.take_digest();
    ok = found.has_value();
    if (ok) digest = *found;
  }
  // One that is there says something: an event has one spelling.
  void operator()(std::string_view name, std::string& text, Added added) {
    if (!is_next(name)) return;
    (*this)(name, text, added.cap);
    ok = ok && !text.empty();
  }
  void operator()(std::string_view name, std::uint64_t& value, Added) {
    if (!is_next(name)) return;
    (*this)(name, value, 0);
    ok = ok && value != 0;
  }

 private:
  [[nodiscard]] bool take_key(Cursor& at, std::string_view name) const {
    return at.take(first ? "{\"" : ",\"") && at.take(name) && at.take("\":");
  }
  [[nodiscard]] bool is_next(std::string_view name) const {
    Cursor ahead = cursor;
    return ok && take_key(ahead, name);
  }
  void key(std::string_view name) {
    ok = ok && take_key(cursor, name);
    first = false;
  }
};

struct Lister {
  std::vector<FieldRow> rows;
  void operator()(std::string_view name, const std::string&, std::size_t cap) {
    rows.push_back({name, "text", cap});
  }
  void operator()(std::string_view name, std::uint64_t, std::size_t) {
    rows.push_back({name, "number", 0});
  }
  void operator()(std::string_view name, const hash::Digest&, std::size_t) {
    rows.push_back({name, "digest", 0});
  }
  void operator()(std::string_view name, const auto& value, Added added) {
    (*this)(name, value, added.cap);
    rows.back().added_later = true;
  }
};

template <class E>
Result<Event, EventError> decode_as(std::string_view body) {
  E event;
  Reader reader{Cursor(body)};
  E::fields(event, reader);
  if (!reader.ok || !reader.cursor.take("}") || !reader.cursor.at_end()) {
    return fail(EventError::bad_body);
  }
  return Event(std::move(event));
}

template <std::size_t I = 0>
Result<Event, EventError> decode_any(std::string_view kind, std::string_view body) {
  if constexpr (I == std::variant_size_v<AnyEvent>) {
    return fail(EventError::unknown_kind);
  } else {
    using E = std::variant_alternative_t<I, AnyEvent>;
    if (kind == E::kKind) return decode_as<E>(body);
    return decode_any<I + 1>(kind, body);
  }
}

template <class E>
constexpr Severity severity_of() {
  if constexpr (requires { E::kSeverity; }) {
    return E::kSeverity;
  } else {
    return Severity::note;
  }
}

template <std::size_t... I>
std::vector<EventRow> rows(std::index_sequence<I...>) {
  const auto row = []<class E>(const E& event) {
    Lister lister;
    E::fields(event, lister);
    return EventRow{E::kKind, E::kSays, E::kHome, severity_of<E>(), std::move(lister.rows)};
  };
  return {row(std::variant_alternative_t<I, AnyEvent>{})...};
}

}  // namespace

std::string_view kind_of(const Event& event) {
  return std::visit([]<class E>(const E&) { return E::kKind; }, event.any().value);
}

Home home_of(const Event& event) {
  return std::visit([]<class E>(const E&) { return E::kHome; }, event.any().value);
}

Severity severity_of(const Event& event) {
  return std::visit([]<class E>(const E&) { return severity_of<E>(); }, event.any().value);
}

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::block:
      break;
  }
  return "block";
}

std::string encode_body(const Event& event) {
  Writer writer;
  std::visit([&]<class E>(const E& e) { E::fields(e, writer); }, event.any().value);
  return writer.out + "}";
}

Result<Event, EventError> decode_body(std::string_view kind, std::string_view body) {
  return decode_any(kind, body);
}

std::vector<EventRow> event_table() {
  return rows(std::make_index_sequence<std::variant_size_v<AnyEvent>>());
}

}  // namespace cg::record
