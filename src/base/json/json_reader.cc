#include "base/json/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/base/assert.h"
#include "base/json/json.h"
#include "base/json/parsing.h"

namespace cg::json {

namespace {

using Error = ParseError::Kind;

constexpr std::uint64_t kMixA = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kMixB = 0xD6E8FEB86659FD93ULL;
constexpr std::size_t kFewKeys = 12;  // up to here, comparing all pairs is cheapest

__extension__ using Wide = unsigned __int128;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<Wide>(a ^ kMixA) * (b ^ kMixB);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

std::uint64_t load8(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

std::uint64_t load4(const char* from) {
  std::uint32_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

struct Ends {
  std::uint64_t first;
  std::uint64_t last;
};

/// All bytes of a text of up to sixteen, else its ends. Parts may overlap: two loads of
/// a fixed size are cheaper than one of a varying size.
Ends ends_of(const char* at, std::size_t size) {
  constexpr std::size_t kWord = 8;
  constexpr std::size_t kHalf = 4;
  if (size >= kWord) return {load8(at), load8(at + size - kWord)};
  if (size >= kHalf) return {load4(at), load4(at + size - kHalf)};
  if (size == 0) return {0, 0};
  const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(at[i])}; };
  return {byte(0) << 8U | byte(size / 2), byte(size - 1)};
}

/// Cheaper than a fingerprint, and of the ends alone: only to tell most keys apart.
std::uint64_t quick_print(std::string_view key) {
  const Ends ends = ends_of(key.data(), key.size());
  return (ends.first ^ key.size()) * kMixA ^ ends.last * kMixB;
}

bool ends_scalar(char c) {
  return std::string_view(" \n\r\t,:[]{}\"").find(c) != std::string_view::npos;
}

std::size_t digits(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && is_digit(text[at + count])) ++count;
  return count;
}

/// The length of the JSON number that `text` starts with; 0 if it starts with none.
std::size_t number_size(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = digits(text, at);
  if (whole == 0 || (whole > 1 && text[at] == '0')) return 0;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits(text, at + 1);
    if (fraction == 0) return 0;
    at += 1 + fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const bool sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
    const std::size_t exponent = digits(text, at + (sign ? 2 : 1));
    if (exponent == 0) return 0;
    at += (sign ? 2 : 1) + exponent;
  }
  return at;
}

}  // namespace

std::uint64_t fingerprint(std::string_view key, std::uint64_t seed) {
  constexpr std::size_t kPair = 16;
  std::uint64_t state = seed ^ key.size();
  while (key.size() > kPair) {
    state = mix(state ^ load8(key.data()), load8(key.data() + kPair / 2));
    key.remove_prefix(kPair);
  }
  const Ends ends = ends_of(key.data(), key.size());
  return mix(state ^ ends.first, ends.last);
}

JsonReader::JsonReader(std::string_view text, const Limits& limits)
    : text_(text),
      index_(text),
      // Where the text lies differs from run to run; nothing that comes out depends on it.
      seed_(reinterpret_cast<std::uintptr_t>(text.data()) * kMixB),
      max_depth_(std::min(limits.max_depth, kDepthCeiling)) {
  if (auto checked = check_text(text, limits); !checked) {
    fail(checked.error().kind, "", static_cast<std::uint32_t>(checked.error().at.offset));
  }
}

bool JsonReader::fail(ParseError::Kind kind, const char* detail, std::uint32_t where) {
  if (failed_) return false;
  failed_ = true;
  kind_ = kind;
  detail_ = detail;
  where_ = where;
  if (index_.control() < where) {  // what was wrong first is the reason
    kind_ = Error::control_character;
    detail_.clear();
    where_ = index_.control();
  }
  return false;
}

ParseError JsonReader::error() const {
  CG_ASSERT(failed_);
  return {kind_, locate(text_, where_), detail_};
}

bool JsonReader::enter(char open) {
  const std::uint32_t mark = index_.mark();
  if (failed_) return false;
  if (at(mark) != open) {
    return fail(Error::syntax, open == '{' ? "expected an object" : "expected an array", mark);
  }
  if (first_key_.size() == max_depth_) return fail(Error::too_deep, "", mark);
  index_.advance();
  first_key_.push_back(static_cast<std::uint32_t>(keys_.size()));
  fresh_ = true;
  return true;
}

bool JsonReader::leave(std::uint32_t close) {
  index_.advance();
  end_ = close + 1;
  fresh_ = false;
  const std::uint32_t first = first_key_.back();
  first_key_.pop_back();
  if (first == JsonIndex::kNone) return true;
  const bool differ = keys_.size() - first < 2 || keys_differ(first);
  keys_.resize(first);
  return differ;
}

/// Behind a bracket or a value: what comes next inside of it, or its end.
inline bool JsonReader::member_or_end(char close, bool& end) {
  const std::uint32_t mark = index_.mark();
  if (failed_) return false;
  const char c = at(mark);
  end = c == close;
  if (end) return leave(mark);
  if (!fresh_) {
    if (c != ',') {
      return fail(Error::syntax, close == '}' ? "expected `,` or `}`" : "expected `,` or `]`",
                  mark);
    }
    index_.advance();
  }
  fresh_ = false;
  return true;
}

inline bool JsonReader::string(std::string_view& out) {
  const std::uint32_t open = index_.mark();
  if (at(open) != '"') return fail(Error::syntax, "expected a string", open);
  index_.advance();
  const std::uint32_t close = index_.mark();
  if (close == text_.size()) return fail(Error::syntax, "a string without an end", open);
  index_.advance();
  end_ = close + 1;
  const std::string_view raw(text_.data() + open + 1, close - open - 1);
  out = raw;
  // Not decode(out, out): a reference would keep `out` in memory for the usual case too,
  // and writing two halves and reading one whole is what processors are slow at.
  return !index_.may_have_escape(open) || raw.find('\\') == std::string_view::npos ||
         decode(raw, out);
}

bool JsonReader::begin_object() { return enter('{'); }
bool JsonReader::begin_array() { return enter('['); }

bool JsonReader::begin_object_of_known_keys() {
  if (!enter('{')) return false;
  first_key_.back() = JsonIndex::kNone;
  return true;
}

bool JsonReader::next_key(Key& key) {
  bool end = false;
  if (!member_or_end('}', end) || end) return false;
  const std::uint32_t offset = index_.mark();
  std::string_view text;
  if (!string(text)) return false;
  key.text = text;
  key.offset = offset;
  if (first_key_.back() != JsonIndex::kNone) {
    Seen& seen = keys_.emplace_back();
    seen.data = text.data();
    seen.size = text.size();
    seen.print = quick_print(text);
    seen.offset = offset;
  }
  const std::uint32_t colon = index_.mark();
  if (at(colon) != ':') return fail(Error::syntax, "expected `:`", colon);
  index_.advance();
  return true;
}

bool JsonReader::next_item() {
  bool end = false;
  return member_or_end(']', end) && !end;
}

JsonReader::Kind JsonReader::peek() {
  if (failed_) return Kind::none;
  const char c = at(index_.mark());
  switch (c) {
    case '{':
      return Kind::object;
    case '[':
      return Kind::array;
    case '"':
      return Kind::string;
    case 't':
    case 'f':
      return Kind::boolean;
    case 'n':
      return Kind::null;
    default:
      return is_digit(c) || c == '-' ? Kind::number : Kind::none;
  }
}

bool JsonReader::decode(std::string_view raw, std::string_view& out) {
  const std::string_view quoted(raw.data() - 1, raw.size() + 2);
  auto value = parse_json(quoted, {.max_bytes = quoted.size()});
  if (!value) {
    const std::size_t offset = static_cast<std::size_t>(quoted.data() - text_.data());
    return fail(value.error().kind, value.error().detail.c_str(),
                static_cast<std::uint32_t>(offset + value.error().at.offset));
  }
  out = decoded_.emplace_back(*value->as_string());
  return true;
}

bool JsonReader::read_string(std::string_view& out) { return !failed_ && string(out); }

/// A word or number that starts at the mark and ends where space or a mark follows.
bool JsonReader::scalar(Kind kind) {
  const std::uint32_t start = index_.mark();
  const std::string_view rest = text_.substr(start);
  std::size_t size = 0;
  if (kind == Kind::number) {
    size = number_size(rest);
  } else {
    const std::string_view word = rest[0] == 't' ? "true" : rest[0] == 'f' ? "false" : "null";
    size = rest.starts_with(word) ? word.size() : 0;
  }
  if (size == 0 || (size < rest.size() && !ends_scalar(rest[size]))) {
    return fail(kind == Kind::number ? Error::bad_number : Error::syntax,
                kind == Kind::number ? "" : "expected a value", start);
  }
  index_.advance();
  end_ = start + static_cast<std::uint32_t>(size);
  return true;
}

bool JsonReader::read_bool(bool& out) {
  if (peek() != Kind::boolean) return fail(Error::syntax, "expected true or false", next_offset());
  out = at(index_.mark()) == 't';
  return scalar(Kind::boolean);
}

bool JsonReader::read_int(std::int64_t& out) {
  const std::uint32_t start = next_offset();
  if (peek() != Kind::number) return fail(Error::syntax, "expected a number", start);
  if (!scalar(Kind::number)) return false;
  const auto [stop, error] = std::from_chars(text_.data() + start, text_.data() + end_, out);
  if (error == std::errc() && stop == text_.data() + end_) return true;
  return fail(Error::bad_number, "expected an integer", start);
}

bool JsonReader::skip() {
  const std::size_t depth = first_key_.size();
  std::string_view ignored;
  Key key;
  do {
    if (first_key_.size() > depth) {
      const bool more = objects_.back() ? next_key(key) : next_item();
      if (!more) {
        objects_.pop_back();
        continue;
      }
    }
    switch (const Kind kind = peek()) {
      case Kind::object:
        if (begin_object()) objects_.push_back(true);
        break;
      case Kind::array:
        if (begin_array()) objects_.push_back(false);
        break;
      case Kind::string:
        static_cast<void>(string(ignored));
        break;
      case Kind::number:
      case Kind::boolean:
      case Kind::null:
        static_cast<void>(scalar(kind));
        break;
      case Kind::none:
        return fail(Error::syntax, "expected a value", next_offset());
    }
  } while (!failed_ && first_key_.size() > depth);
  return !failed_;
}

bool JsonReader::finish() {
  if (failed_) return false;
  const std::uint32_t mark = index_.mark();
  if (mark != text_.size()) return fail(Error::trailing_data, "", mark);
  return index_.control() == JsonIndex::kNone || fail(Error::syntax, "", mark);
}

bool JsonReader::keys_differ(std::uint32_t first_of_object) {
  const auto first = keys_.begin() + first_of_object;
  const auto same = [](const Seen& a, const Seen& b) {
    return a.print == b.print && a.text() == b.text();
  };
  const Seen* twice = nullptr;
  if (keys_.end() - first <= static_cast<std::ptrdiff_t>(kFewKeys)) {
    for (auto a = first; a != keys_.end(); ++a) {
      for (auto b = first; b != a; ++b) {
        if (same(*a, *b)) twice = &*a;
      }
    }
  } else {
    std::sort(first, keys_.end(), [](const Seen& a, const Seen& b) {
      return a.print != b.print ? a.print < b.print : a.text() < b.text();
    });
    const auto found = std::adjacent_find(first, keys_.end(), same);
    if (found != keys_.end()) twice = found->offset > (found + 1)->offset ? &*found : &*(found + 1);
  }
  if (twice == nullptr) return true;
  return fail(Error::duplicate_key, excerpt(twice->text()).c_str(), twice->offset);
}

}  // namespace cg::json
