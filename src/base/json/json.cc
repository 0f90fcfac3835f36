#include "base/json/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/base/bytes.h"
#include "base/base/defuse.h"
#include "base/json/canonical.h"
#include "base/json/parsing.h"

namespace cg::json {

namespace {

constexpr std::string_view kEscapes = "\"\\/bfnrt";
constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
constexpr std::size_t kUnitDigits = 4;

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

void append_utf8(std::string& out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0U | c >> 6U);
    put(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    put(0xE0U | c >> 12U);
    put(0x80U | (c >> 6U & 0x3FU));
    put(0x80U | (c & 0x3FU));
  } else {
    put(0xF0U | c >> 18U);
    put(0x80U | (c >> 12U & 0x3FU));
    put(0x80U | (c >> 6U & 0x3FU));
    put(0x80U | (c & 0x3FU));
  }
}

/// What the letter after a backslash stands for; 0 if it stands for nothing.
char simple_escape(char letter) {
  const std::size_t at = kEscapes.find(letter);
  return at == std::string_view::npos ? '\0' : kMeanings[at];
}

/// Reads one text from front to back. `at_` is the next byte; every step leaves
/// it behind what the step has read.
class JsonParser {
 public:
  JsonParser(std::string_view text, const Limits& limits)
      : text_(text),
        max_depth_(std::min(limits.max_depth, kDepthCeiling)),
        nodes_left_(limits.max_nodes) {}

  Result<Value, ParseError> run() {
    skip_space();
    CG_TRY_ASSIGN(Value value, parse_value());
    skip_space();
    if (at_ < text_.size()) return error(ParseError::Kind::trailing_data, at_);
    return value;
  }

 private:
  /// The byte at `at_`. A NUL at the end is harmless: no rule expects one.
  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void skip_space() {
    while (next() == ' ' || next() == '\n' || next() == '\r' || next() == '\t') ++at_;
  }

  std::size_t skip_digits() {
    const std::size_t start = at_;
    while (is_digit(next())) ++at_;
    return at_ - start;
  }

  Position position(std::size_t offset) {
    // Going back happens at most once: for an error, which ends the parse.
    reached_ = locate(text_, offset, offset < reached_.offset ? Position{} : reached_);
    return reached_;
  }

  Failure<ParseError> error(ParseError::Kind kind, std::size_t offset, std::string detail = "") {
    return fail(ParseError{kind, position(offset), std::move(detail)});
  }

  Failure<ParseError> expected(std::string_view what) {
    return error(ParseError::Kind::syntax, at_,
                 "expected " + std::string(what) + (at_ < text_.size() ? "" : ", found the end"));
  }

  Result<Value, ParseError> parse_value() {
    if (nodes_left_ == 0) return error(ParseError::Kind::too_many_nodes, at_);
    --nodes_left_;
    const Position start = position(at_);
    CG_TRY_ASSIGN(Value value, parse_unplaced());
    return std::move(value).located_at(start);
  }

  Result<Value, ParseError> parse_unplaced() {
    switch (next()) {
      case '{':
        return parse_object();
      case '[':
        return parse_array();
      case '"': {
        CG_TRY_ASSIGN(std::string text, parse_string());
        return Value(std::move(text));
      }
      default:
        break;
    }
    if (is_digit(next()) || next() == '-') return parse_number();
    if (take_word("true")) return Value(true);
    if (take_word("false")) return Value(false);
    if (take_word("null")) return Value();
    return expected("a value");
  }

  Result<Done, ParseError> enter() {
    if (depth_ == max_depth_) return error(ParseError::Kind::too_deep, at_);
    ++depth_;
    ++at_;
    skip_space();
    return Done{};
  }

  Result<Value, ParseError> parse_array() {
    CG_TRY(enter());
    Value::Array items;
    if (!take(']')) {
      do {
        skip_space();
        CG_TRY_ASSIGN(Value item, parse_value());
        items.push_back(std::move(item));
        skip_space();
      } while (take(','));
      if (!take(']')) return expected("`,` or `]`");
    }
    --depth_;
    return Value(std::move(items));
  }

  Result<Value, ParseError> parse_object() {
    CG_TRY(enter());
    ObjectBuilder members;
    if (!take('}')) {
      do {
        skip_space();
        CG_TRY(parse_member(members));
        skip_space();
      } while (take(','));
      if (!take('}')) return expected("`,` or `}`");
    }
    --depth_;
    return Value(std::move(members).take());
  }

  Result<Done, ParseError> parse_member(ObjectBuilder& members) {
    if (next() != '"') return expected("a key in double quotes");
    const std::size_t start = at_;
    CG_TRY_ASSIGN(std::string key, parse_string());
    if (members.has(key)) return error(ParseError::Kind::duplicate_key, start, excerpt(key));
    skip_space();
    if (!take(':')) return expected("`:`");
    skip_space();
    CG_TRY_ASSIGN(Value value, parse_value());
    members.add(std::move(key), std::move(value));
    return Done{};
  }

  Result<std::string, ParseError> parse_string() {
    ++at_;
    std::string out;
    for (;;) {
      const std::size_t start = at_;
      while (at_ < text_.size() && static_cast<Byte>(text_[at_]) >= 0x20 && text_[at_] != '"' &&
             text_[at_] != '\\') {
        ++at_;
      }
      out.append(text_, start, at_ - start);
      if (take('"')) return out;
      if (at_ == text_.size()) return expected("`\"`");
      if (text_[at_] != '\\')
        return error(ParseError::Kind::control_character, at_, "write it as an escape");
      CG_TRY(parse_escape(out));
    }
  }

  Result<Done, ParseError> parse_escape(std::string& out) {
    const std::size_t start = at_++;
    const char letter = next();
    if (letter == 'u') {
      ++at_;
      return parse_unicode_escape(out, start);
    }
    const char meaning = simple_escape(letter);
    if (meaning == 0) return error(ParseError::Kind::bad_escape, start);
    ++at_;
    out += meaning;
    return Done{};
  }

  Result<Done, ParseError> parse_unicode_escape(std::string& out, std::size_t start) {
    CG_TRY_ASSIGN(const std::uint32_t unit, parse_code_unit(start));
    if (is_low_surrogate(unit)) return error(ParseError::Kind::lone_surrogate, start);
    if (!is_high_surrogate(unit)) {
      append_utf8(out, unit);
      return Done{};
    }
    if (!take_word("\\u")) return error(ParseError::Kind::lone_surrogate, start);
    CG_TRY_ASSIGN(const std::uint32_t low, parse_code_unit(start));
    if (!is_low_surrogate(low)) return error(ParseError::Kind::lone_surrogate, start);
    append_utf8(out, 0x10000U + ((unit - 0xD800U) << 10U) + (low - 0xDC00U));
    return Done{};
  }

  Result<std::uint32_t, ParseError> parse_code_unit(std::size_t start) {
    std::uint32_t unit = 0;
    const char* first = text_.data() + at_;
    const char* last = first + std::min(kUnitDigits, text_.size() - at_);
    const auto [end, failed] = std::from_chars(first, last, unit, 16);
    if (failed != std::errc() || end != first + kUnitDigits)
      return error(ParseError::Kind::bad_escape, start);
    at_ += kUnitDigits;
    return unit;
  }

  Result<Value, ParseError> parse_number() {
    const std::size_t start = at_;
    take('-');
    const bool leading_zero = next() == '0';
    const std::size_t digits = skip_digits();
    bool well_formed = digits > 0 && !(leading_zero && digits > 1);
    bool integer = true;
    if (take('.')) {
      integer = false;
      well_formed = skip_digits() > 0 && well_formed;
    }
    if (take('e') || take('E')) {
      integer = false;
      if (!take('+')) take('-');
      well_formed = skip_digits() > 0 && well_formed;
    }
    if (!well_formed) return error(ParseError::Kind::bad_number, start);
    const std::string_view number = text_.substr(start, at_ - start);
    return integer ? to_integer(number, start) : to_double(number, start);
  }

  Result<Value, ParseError> to_integer(std::string_view number, std::size_t start) {
    if (number == "-0") return Value(-0.0);
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (failed != std::errc())
      return error(ParseError::Kind::number_out_of_range, start, excerpt(number));
    return Value(value);
  }

  Result<Value, ParseError> to_double(std::string_view number, std::size_t start) {
    const std::optional<double> value = parse_double(number);
    if (!value) return error(ParseError::Kind::number_out_of_range, start, excerpt(number));
    return Value(*value);
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::size_t nodes_left_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  Position reached_;
};

enum class Layout { compact, pretty };

class Writer {
 public:
  explicit Writer(Layout layout) : layout_(layout) {}

  void write(const Value& value) {
    using enum Value::Type;
    switch (value.type()) {
      case null:
        out_ += "null";
        break;
      case boolean:
        out_ += *value.as_bool() ? "true" : "false";
        break;
      case integer:
        out_ += std::to_string(*value.as_int());
        break;
      case real:
        write_double(*value.as_double());
        break;
      case string:
        append_canonical_string(out_, *value.as_string());
        break;
      case array:
        write_list('[', *value.as_array(), ']');
        break;
      case object:
        write_list('{', *value.as_object(), '}');
        break;
    }
  }

  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  void write(const Value::Member& member) {
    append_canonical_string(out_, member.first);
    out_ += layout_ == Layout::pretty ? ": " : ":";
    write(member.second);
  }

  template <class List>
  void write_list(char open, const List& list, char close) {
    out_ += open;
    ++depth_;
    bool first = true;
    for (const auto& item : list) {
      if (!first) out_ += ',';
      first = false;
      break_line();
      write(item);
    }
    --depth_;
    if (!list.empty()) break_line();
    out_ += close;
  }

  void break_line() {
    if (layout_ == Layout::compact) return;
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  void write_double(double value) {
    if (!std::isfinite(value)) {
      out_ += "null";
      return;
    }
    std::array<char, 32> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    const std::string_view digits(buffer.data(),
                                  static_cast<std::size_t>(written.ptr - buffer.data()));
    out_ += digits;
    // Without a mark it would read back as an integer.
    if (digits.find_first_of(".e") == std::string_view::npos) out_ += ".0";
  }

  Layout layout_;
  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

Result<Value, ParseError> parse_json(std::string_view text, const Limits& limits) {
  CG_TRY(check_text(text, limits));
  return JsonParser(text, limits).run();
}

std::string write_json(const Value& value) {
  Writer writer(Layout::compact);
  writer.write(value);
  return std::move(writer).take();
}

std::string write_json_pretty(const Value& value) {
  Writer writer(Layout::pretty);
  writer.write(value);
  return defused_json(std::move(writer).take()) + "\n";
}

}  // namespace cg::json
