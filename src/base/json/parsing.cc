#include "base/json/parsing.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/wide.h"

namespace cg::json {

namespace {

constexpr std::size_t kExcerptBytes = 60;
constexpr std::int64_t kBeyondAnyText = std::numeric_limits<std::int64_t>::max() / 4;

std::optional<std::size_t> first_bad_utf8(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  while ((at = find_non_ascii(at, end)) != end) {
    const std::size_t length = utf8_sequence({at, static_cast<std::size_t>(end - at)});
    if (length == 0) return static_cast<std::size_t>(at - text.data());
    at += length;
  }
  return std::nullopt;
}

/// True if the digits before the exponent stand for zero or the number is below
/// one: then "does not fit a double" means that it is too small.
bool is_tiny(std::string_view text) {
  if (text.front() == '-') text.remove_prefix(1);
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, mark);
  const std::size_t first = digits.find_first_not_of("0.");
  if (first == std::string_view::npos) return true;
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  std::int64_t exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view power = text.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc()) return power.starts_with('-');
  }
  exponent = std::clamp(exponent, -kBeyondAnyText, kBeyondAnyText);
  return point - static_cast<std::int64_t>(first) + exponent <= 0;
}

}  // namespace

Result<Done, ParseError> check_text(std::string_view text, const Limits& limits) {
  using enum ParseError::Kind;
  if (text.size() > limits.max_bytes) {
    return fail(ParseError{too_large, {}, "the limit is " + std::to_string(limits.max_bytes)});
  }
  if (text.starts_with("\xEF\xBB\xBF")) return fail(ParseError{byte_order_mark, {}, ""});
  if (const auto bad = first_bad_utf8(text)) {
    return fail(ParseError{not_utf8, locate(text, *bad), ""});
  }
  return Done{};
}

Position locate(std::string_view text, std::size_t offset, Position from) {
  CG_ASSERT(from.offset <= offset && offset <= text.size());
  for (const char c : text.substr(from.offset, offset - from.offset)) {
    if (c == '\n') {
      ++from.line;
      from.column = 1;
    } else if ((static_cast<Byte>(c) & 0xC0U) != 0x80U) {
      ++from.column;
    }
  }
  from.offset = offset;
  return from;
}

std::string excerpt(std::string_view text) {
  const std::string_view head = cut_utf8(text, kExcerptBytes);
  return printable(head) + (head.size() < text.size() ? "…" : "");
}

std::optional<double> parse_double(std::string_view text) {
  if (text.find_first_not_of("+-.eE0123456789") != std::string_view::npos) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {
    if (!is_tiny(text)) return std::nullopt;
    return text.front() == '-' ? -0.0 : 0.0;
  }
  return value;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

}  // namespace cg::json
