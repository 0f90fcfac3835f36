#include "trust/record/cursor.h"

#include "base/base/text.h"
#include "base/json/canonical.h"

namespace cg::record {

namespace {

constexpr std::string_view kShort = "\b\t\n\f\r\"\\";
constexpr std::string_view kShortNames = "btnfr\"\\";

/// The character a canonical escape stands for; `text` begins behind the backslash.
std::optional<char> unescape(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t at = kShortNames.find(text[0]);
  if (at != std::string_view::npos) {
    text.remove_prefix(1);
    return kShort[at];
  }
  if (text.size() < 5 || !text.starts_with("u00")) return std::nullopt;
  const int high = hex_digit(text[3]);
  const int low = hex_digit(text[4]);
  if (high < 0 || high > 1 || low < 0) return std::nullopt;
  const char c = static_cast<char>(high * 16 + low);
  if (kShort.find(c) != std::string_view::npos) return std::nullopt;  // has a shorter name
  text.remove_prefix(5);
  return c;
}

}  // namespace

bool Cursor::take(std::string_view literal) {
  if (!left_.starts_with(literal)) return false;
  left_.remove_prefix(literal.size());
  return true;
}

std::optional<std::uint64_t> Cursor::take_number() {
  std::size_t n = 0;
  while (n < left_.size() && left_[n] >= '0' && left_[n] <= '9') ++n;
  const std::optional<std::uint64_t> value = parse_u64(left_.substr(0, n));
  if (value) left_.remove_prefix(n);
  return value;
}

std::optional<hash::Digest> Cursor::take_digest() {
  if (left_.size() < 66 || left_[0] != '"' || left_[65] != '"') return std::nullopt;
  const std::optional<hash::Digest> digest = hash::parse_digest(left_.substr(1, 64));
  if (digest) left_.remove_prefix(66);
  return digest;
}

std::optional<std::string_view> Cursor::take_plain_string() {
  if (left_.empty() || left_[0] != '"') return std::nullopt;
  const std::size_t end = 1 + json::plain_run(left_.substr(1));
  if (end == left_.size() || left_[end] != '"') return std::nullopt;
  const std::string_view text = left_.substr(1, end - 1);
  left_.remove_prefix(end + 1);
  return text;
}

std::optional<std::string> Cursor::take_string(std::size_t cap) {
  if (left_.empty() || left_[0] != '"') return std::nullopt;
  std::string_view rest = left_.substr(1);
  std::string out;
  for (;;) {
    const std::size_t run = json::plain_run(rest);
    if (out.size() + run > cap || run == rest.size()) return std::nullopt;
    out.append(rest.substr(0, run));
    rest.remove_prefix(run);
    if (rest[0] == '"') break;
    if (rest[0] != '\\') return std::nullopt;
    rest.remove_prefix(1);
    const std::optional<char> c = unescape(rest);
    if (!c || out.size() == cap) return std::nullopt;
    out += *c;
  }
  left_ = rest.substr(1);
  if (!is_utf8(out)) return std::nullopt;
  return out;
}

std::optional<std::string_view> Cursor::take_all_but(std::size_t keep) {
  if (left_.size() < keep) return std::nullopt;
  const std::string_view text = left_.substr(0, left_.size() - keep);
  left_.remove_prefix(text.size());
  return text;
}

}  // namespace cg::record
