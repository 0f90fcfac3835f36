#include "base/json/canonical.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/parsing.h"

namespace cg::json {

namespace {

constexpr std::string_view kCharacters = "\b\t\n\f\r\"\\";
constexpr std::string_view kLetters = "btnfr\"\\";
constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::size_t kLongestPointer = 400;
constexpr std::int64_t kLargestExact = (std::int64_t{1} << 53) - 1;

bool needs_escape(char c) { return static_cast<Byte>(c) < 0x20 || c == '"' || c == '\\'; }

constexpr std::uint64_t repeated(unsigned char byte) { return 0x0101010101010101ULL * byte; }

/// True if one of the eight bytes in `word` is zero (Mycroft's test).
constexpr bool has_zero_byte(std::uint64_t word) {
  return ((word - repeated(0x01)) & ~word & repeated(0x80)) != 0;
}

/// True if one of the eight bytes in `word` needs an escape.
bool any_needs_escape(std::uint64_t word) {
  const bool control = ((word - repeated(0x20)) & ~word & repeated(0x80)) != 0;
  return control || has_zero_byte(word ^ repeated('"')) || has_zero_byte(word ^ repeated('\\'));
}

void append_escape(std::string& out, char c) {
  out += '\\';
  if (const std::size_t at = kCharacters.find(c); at != std::string_view::npos) {
    out += kLetters[at];
    return;
  }
  out += "u00";
  out += kHex[static_cast<Byte>(c) >> 4U];
  out += kHex[static_cast<Byte>(c) & 0x0FU];
}

/// The order of UTF-16 code units, told from UTF-8. The two orders differ in one
/// place: U+E000 to U+FFFF (first byte EE, EF) come after the surrogates that
/// stand for U+10000 and up (first byte F0 to F4).
bool utf16_less(std::string_view a, std::string_view b) {
  const auto rank = [](char c) {
    const unsigned byte = static_cast<Byte>(c);
    return byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte;
  };
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (y == b.end()) return false;
  return x == a.end() || rank(*x) < rank(*y);
}

/// One step of a JSON pointer, as in RFC 6901.
std::string pointer_step(std::string_view key) {
  std::string out = "/";
  for (const char c : excerpt(key)) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

class Canonicalizer {
 public:
  Result<Done, CanonicalError> write(const Value& value) {
    using enum Value::Type;
    switch (value.type()) {
      case null:
        out_ += "null";
        return Done{};
      case boolean:
        out_ += *value.as_bool() ? "true" : "false";
        return Done{};
      case integer:
        return write_integer(*value.as_int());
      case real:
        return fail(CanonicalError{CanonicalError::Kind::real_number, ""});
      case string:
        return write_string(*value.as_string());
      case array:
        return write_array(*value.as_array());
      case object:
        return write_object(*value.as_object());
    }
    return Done{};
  }

  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  Result<Done, CanonicalError> write_integer(std::int64_t value) {
    if (value > kLargestExact || value < -kLargestExact) {
      return fail(CanonicalError{CanonicalError::Kind::integer_too_large, ""});
    }
    out_ += std::to_string(value);
    return Done{};
  }

  Result<Done, CanonicalError> write_string(std::string_view text) {
    if (!is_utf8(text)) return fail(CanonicalError{CanonicalError::Kind::not_utf8, ""});
    append_canonical_string(out_, text);
    return Done{};
  }

  /// Writes a child; an error from it gets `step` in front of its place.
  Result<Done, CanonicalError> write_child(const Value& child, std::string_view step) {
    auto written = write(child);
    if (written) return Done{};
    CanonicalError error = std::move(written).error();
    if (error.where.size() < kLongestPointer) error.where.insert(0, pointer_step(step));
    return fail(std::move(error));
  }

  Result<Done, CanonicalError> write_array(const Value::Array& items) {
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ',';
      CG_TRY(write_child(items[i], std::to_string(i)));
    }
    out_ += ']';
    return Done{};
  }

  Result<Done, CanonicalError> write_object(const Value::Object& members) {
    std::vector<const Value::Member*> sorted;
    sorted.reserve(members.size());
    for (const Value::Member& member : members) sorted.push_back(&member);
    std::sort(sorted.begin(), sorted.end(), [](const Value::Member* a, const Value::Member* b) {
      return utf16_less(a->first, b->first);
    });
    out_ += '{';
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto& [key, value] = *sorted[i];
      if (i > 0 && sorted[i - 1]->first == key) {
        return fail(CanonicalError{CanonicalError::Kind::duplicate_key, pointer_step(key)});
      }
      if (i > 0) out_ += ',';
      CG_TRY(write_string(key));
      out_ += ':';
      CG_TRY(write_child(value, key));
    }
    out_ += '}';
    return Done{};
  }

  std::string out_;
};

}  // namespace

std::size_t plain_run(std::string_view text) {
  std::size_t at = 0;
  while (text.size() - at >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    if (any_needs_escape(word)) break;
    at += sizeof word;
  }
  while (at < text.size() && !needs_escape(text[at])) ++at;
  return at;
}

std::string describe(const CanonicalError& error) {
  std::string where = error.where.empty() ? "" : error.where + ": ";
  switch (error.kind) {
    case CanonicalError::Kind::real_number:
      return where + "a number with a fraction or exponent has no canonical form here";
    case CanonicalError::Kind::integer_too_large:
      return where + "an integer beyond 2^53 - 1 has no canonical form";
    case CanonicalError::Kind::not_utf8:
      return where + "not UTF-8";
    case CanonicalError::Kind::duplicate_key:
      return where + "duplicate key";
  }
  return where;
}

Result<std::string, CanonicalError> canonical(const Value& value) {
  Canonicalizer canonicalizer;
  CG_TRY(canonicalizer.write(value));
  return std::move(canonicalizer).take();
}

void append_canonical_string(std::string& out, std::string_view text) {
  out += '"';
  for (;;) {
    const std::size_t run = plain_run(text);
    out.append(text, 0, run);
    if (run == text.size()) break;
    append_escape(out, text[run]);
    text.remove_prefix(run + 1);
  }
  out += '"';
}

}  // namespace cg::json
