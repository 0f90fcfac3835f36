#include "npm/semver/scan.h"

#include <algorithm>
#include <array>

namespace cg::semver {
namespace {

// The bounds that node-semver puts on repetition in its expressions. They matter only
// in loose ranges, where what does not match is dropped and what matches is then
// found to be too long.
constexpr std::size_t kMaxDigits = 256;
constexpr std::size_t kMaxIdentifierTail = 250;

constexpr bool is_letter_or_dash(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

constexpr bool is_identifier_char(char c) { return is_digit(c) || is_letter_or_dash(c); }

std::size_t digits_end(std::string_view text, std::size_t at, std::size_t most) {
  const std::size_t limit = text.size() - at > most ? at + most : text.size();
  while (at < limit && is_digit(text[at])) ++at;
  return at;
}

/// A number at `at`; `at` itself if there is none.
std::size_t number_end(std::string_view text, std::size_t at, const Options& options) {
  if (at == text.size() || !is_digit(text[at])) return at;
  if (options.loose) return digits_end(text, at, kMaxDigits);
  return text[at] == '0' ? at + 1 : digits_end(text, at + 1, kMaxDigits);
}

enum class Wildcards { refused, accepted };

std::size_t part_end(std::string_view text, std::size_t at, const Options& options,
                     Wildcards wildcards) {
  if (wildcards == Wildcards::accepted && at < text.size() && is_wildcard(text[at])) return at + 1;
  return number_end(text, at, options);
}

/// An identifier of a prerelease at `at`; `at` itself if there is none.
std::size_t identifier_end(std::string_view text, std::size_t at, const Options& options) {
  const std::size_t digits = digits_end(text, at, kMaxDigits);
  if (digits == text.size() || !is_letter_or_dash(text[digits])) {
    return number_end(text, at, options);
  }
  std::size_t end = digits + 1;
  const std::size_t limit = std::min(text.size(), end + kMaxIdentifierTail);
  while (end < limit && is_identifier_char(text[end])) ++end;
  return end;
}

std::size_t identifiers_end(std::string_view text, std::size_t at, const Options& options) {
  std::size_t end = identifier_end(text, at, options);
  while (end > at && end < text.size() && text[end] == '.') {
    const std::size_t next = identifier_end(text, end + 1, options);
    if (next == end + 1) break;
    end = next;
  }
  return end;
}

bool is_build(std::string_view text) {
  std::size_t length = 0;
  for (const char c : text) {
    if (c == '.' ? length == 0 : !is_identifier_char(c)) return false;
    length = c == '.' ? 0 : length + 1;
    if (length > kMaxIdentifierTail) return false;
  }
  return length > 0;
}

/// What follows the patch, up to the end of `text`, is nothing or a prerelease.
bool take_prerelease(Parts& parts, std::string_view text, std::size_t at, const Options& options) {
  const std::string_view rest = text.substr(at);
  if (rest.empty()) return true;
  if (rest.front() == '-' && is_prerelease(rest.substr(1), options)) {
    parts.prerelease = rest.substr(1);
    return true;
  }
  if (!options.loose) return false;
  if (is_prerelease(rest, options)) {
    parts.prerelease = rest;
    return true;
  }
  // As the expression backtracks: the patch gives its last digit to the prerelease.
  if (parts.patch.size() < 2 || !is_prerelease(text.substr(at - 1), options)) return false;
  parts.patch.remove_suffix(1);
  parts.prerelease = text.substr(at - 1);
  return true;
}

std::optional<Parts> match_parts(std::string_view text, const Options& options,
                                 Wildcards wildcards) {
  Parts parts;
  const std::array<std::string_view*, 3> fields{&parts.major, &parts.minor, &parts.patch};
  std::size_t at = 0;
  for (std::string_view* field : fields) {
    if (field != fields.front()) {
      if (at == text.size()) {
        if (wildcards == Wildcards::accepted) return parts;
        return std::nullopt;
      }
      if (text[at++] != '.') return std::nullopt;
    }
    const std::size_t end = part_end(text, at, options, wildcards);
    if (end == at) return std::nullopt;
    *field = text.substr(at, end - at);
    at = end;
  }
  if (!take_prerelease(parts, text, at, options)) return std::nullopt;
  return parts;
}

std::string_view skip_prefix(std::string_view text, const Options& options) {
  if (!options.loose) {
    if (text.starts_with('v')) text.remove_prefix(1);
    return text;
  }
  while (!text.empty()) {
    const bool sign = text.front() == 'v' || text.front() == '=';
    const std::size_t length = sign ? 1 : space_at(text, 0);
    if (length == 0) break;
    text.remove_prefix(length);
  }
  return text;
}

std::size_t loose_version_end(std::string_view text, std::size_t at) {
  constexpr Options kLoose{.loose = true};
  for (int part = 0; part < 3; ++part) {
    if (part > 0 && (at == text.size() || text[at++] != '.')) return 0;
    const std::size_t end = number_end(text, at, kLoose);
    if (end == at) return 0;
    at = end;
  }
  if (at < text.size() && text[at] == '-') {
    const std::size_t end = identifiers_end(text, at + 1, kLoose);
    if (end > at + 1) return end;
  }
  return identifiers_end(text, at, kLoose);
}

std::size_t partial_end(std::string_view text, std::size_t at) {
  constexpr Options kStrict{};
  at = part_end(text, at, kStrict, Wildcards::accepted);
  for (int part = 1; part < 3; ++part) {
    if (at == text.size() || text[at] != '.') return at;
    const std::size_t end = part_end(text, at + 1, kStrict, Wildcards::accepted);
    if (end == at + 1) return at;
    at = end;
  }
  if (at == text.size() || text[at] != '-') return at;
  const std::size_t end = identifiers_end(text, at + 1, kStrict);
  return end > at + 1 ? end : at;
}

}  // namespace

std::size_t space_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at, 3);
  if (rest.empty()) return 0;
  if (rest.front() == ' ' || (rest.front() >= '\t' && rest.front() <= '\r')) return 1;
  if (static_cast<unsigned char>(rest.front()) < 0x80) return 0;
  if (rest.starts_with("\xC2\xA0")) return 2;
  if (rest.size() < 3) return 0;
  if (rest.starts_with("\xE2\x80")) {
    const auto last = static_cast<unsigned char>(rest[2]);
    const bool blank = (last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9;
    return blank || last == 0xAF ? 3 : 0;
  }
  const bool other = rest == "\xE1\x9A\x80" || rest == "\xE2\x81\x9F" || rest == "\xE3\x80\x80" ||
                     rest == "\xEF\xBB\xBF";
  return other ? 3 : 0;
}

std::string_view trim_spaces(std::string_view text) {
  while (const std::size_t length = space_at(text, 0)) text.remove_prefix(length);
  for (bool more = true; more;) {
    more = false;
    for (const std::size_t length : {1U, 2U, 3U}) {
      if (text.size() < length || space_at(text, text.size() - length) != length) continue;
      text.remove_suffix(length);
      more = true;
      break;
    }
  }
  return text;
}

std::size_t utf16_length(std::string_view text) {
  std::size_t length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80) continue;  // continues a code point
    length += byte >= 0xF0 ? 2 : 1;
  }
  return length;
}

std::optional<Parts> match_version(std::string_view text, const Options& options) {
  text = skip_prefix(text, options);
  const std::size_t plus = text.find('+');
  auto parts = match_parts(text.substr(0, plus), options, Wildcards::refused);
  if (!parts || plus == std::string_view::npos) return parts;
  parts->build = text.substr(plus + 1);
  if (!is_build(parts->build)) return std::nullopt;
  return parts;
}

std::optional<Parts> match_partial(std::string_view text, const Options& options) {
  return match_parts(text, options, Wildcards::accepted);
}

bool is_prerelease(std::string_view text, const Options& options) {
  return !text.empty() && identifiers_end(text, 0, options) == text.size();
}

std::size_t version_like_end(std::string_view text, std::size_t at) {
  const std::size_t end = loose_version_end(text, at);
  return end > 0 ? end : partial_end(text, at);
}

}  // namespace cg::semver
