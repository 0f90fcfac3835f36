#include "base/yaml/yaml.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "base/json/parsing.h"
#include "base/yaml/reader.h"

namespace cg::yaml {

namespace {

using Kind = ParseError::Kind;
using Type = YamlEvent::Type;

constexpr std::string_view kDigits = "0123456789";

// --- the core schema ---

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text;
}

/// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text) {
  text = without_sign(text);
  const std::size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    if (!consists_of(without_sign(text.substr(mark + 1)), kDigits)) return false;
    text = text.substr(0, mark);
  }
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (point == std::string_view::npos) return consists_of(whole, kDigits);
  const std::string_view fraction = text.substr(point + 1);
  if (whole.empty()) return consists_of(fraction, kDigits);
  return consists_of(whole, kDigits) && (fraction.empty() || consists_of(fraction, kDigits));
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_infinite_or_nan(std::string_view text) {
  return is_one_of(text, {".nan", ".NaN", ".NAN"}) ||
         is_one_of(without_sign(text), {".inf", ".Inf", ".INF"});
}

std::optional<Value> to_integer(std::string_view digits, int base) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, failed] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (failed != std::errc()) return std::nullopt;
  return Value(value);
}

/// The value of a number, nothing if it does not fit.
std::optional<Value> resolve_number(std::string_view text) {
  if (text == "-0") return Value(-0.0);  // as in JSON
  if (consists_of(without_sign(text), kDigits)) return to_integer(text, 10);
  if (text.starts_with("0o")) return to_integer(text.substr(2), 8);
  if (text.starts_with("0x")) return to_integer(text.substr(2), 16);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::optional<double> value = json::parse_double(text);
  return value ? std::optional<Value>(*value) : std::nullopt;
}

bool is_number(std::string_view text) {
  const std::string_view digits = text.substr(std::min<std::size_t>(text.size(), 2));
  return (text.starts_with("0o") && consists_of(digits, "01234567")) ||
         (text.starts_with("0x") && consists_of(digits, "0123456789abcdefABCDEF")) ||
         is_float(text) || is_infinite_or_nan(text);
}

/// What a plain scalar stands for; nothing if it is a number that does not fit.
std::optional<Value> resolve(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return Value();
  if (is_one_of(text, {"true", "True", "TRUE"})) return Value(true);
  if (is_one_of(text, {"false", "False", "FALSE"})) return Value(false);
  return is_number(text) ? resolve_number(text) : std::optional<Value>(text);
}

// --- events to values ---

class Builder {
 public:
  Builder(std::string_view text, const Limits& limits) : reader_(text, limits) {}

  Result<Value, ParseError> run() {
    if (reader_.next().type == Type::stream_end) return Value();
    if (reader_.event().type == Type::failed) return fail(reader_.error());
    reader_.next();
    CG_TRY_ASSIGN(Value value, read_node());
    reader_.next();  // the end of the document
    reader_.next();
    if (reader_.event().type == Type::stream_end) return value;
    if (reader_.event().type == Type::failed) return fail(reader_.error());
    return fail(ParseError{Kind::several_documents, position(), ""});
  }

 private:
  /// Events come in order, so lines are counted once.
  const Position& position() {
    const std::size_t at = std::max(reader_.event().begin, reached_.offset);
    reached_ = json::locate(reader_.source(), at, reached_);
    return reached_;
  }

  Result<Value, ParseError> read_node() {
    if (reader_.event().type == Type::failed) return fail(reader_.error());
    const Position start = position();
    CG_TRY_ASSIGN(Value value, read_unplaced());
    return std::move(value).located_at(start);
  }

  Result<Value, ParseError> read_unplaced() {
    if (reader_.event().type == Type::sequence_start) return read_sequence();
    if (reader_.event().type == Type::mapping_start) return read_mapping();
    const std::string_view text = reader_.event().text;
    if (reader_.event().style != ScalarStyle::plain) return Value(text);
    std::optional<Value> value = resolve(text);
    if (value) return *std::move(value);
    return fail(ParseError{Kind::number_out_of_range, reached_,
                           json::excerpt(text) + " (a string needs quotes)"});
  }

  Result<Value, ParseError> read_sequence() {
    Value::Array items;
    while (reader_.next().type != Type::sequence_end) {
      CG_TRY_ASSIGN(Value item, read_node());
      items.push_back(std::move(item));
    }
    return Value(std::move(items));
  }

  Result<Value, ParseError> read_mapping() {
    Value::Object members;  // the reader sees to it that their keys differ
    while (reader_.next().type != Type::mapping_end) {
      if (reader_.event().type == Type::failed) return fail(reader_.error());
      std::string key(reader_.event().text);
      reader_.next();
      CG_TRY_ASSIGN(Value value, read_node());
      members.emplace_back(std::move(key), std::move(value));
    }
    return Value(std::move(members));
  }

  YamlReader reader_;
  Position reached_;
};

}  // namespace

Result<Value, ParseError> parse_yaml(std::string_view text, const Limits& limits) {
  return Builder(text, limits).run();
}

}  // namespace cg::yaml
