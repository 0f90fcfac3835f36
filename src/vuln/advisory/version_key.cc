#include "vuln/advisory/version_key.h"

#include <algorithm>

#include "base/base/assert.h"
#include "base/base/bytes.h"

namespace cg::advisory {

namespace {

constexpr char kEnd = '\x00';
constexpr char kNumber = '\x01';
constexpr char kText = '\x02';
constexpr char kRelease = '\xFF';
constexpr std::size_t kMaxKey = 1024;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_identifier_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

void put_number(std::string& out, std::uint64_t value) {
  std::size_t size = 0;
  while (size < 8 && value >> (8 * size) != 0) ++size;
  out += static_cast<char>(size);
  while (size-- > 0) out += static_cast<char>(value >> (8 * size) & 0xFFU);
}

void put_identifier(std::string& out, std::string_view text) {
  if (!semver::is_numeric(text)) {
    out += kText;
    out += text;
    out += kEnd;
    return;
  }
  const std::string_view digits = semver::without_zeros(text);
  out += kNumber;
  out += static_cast<char>(digits.size());  // a version has at most 256 characters
  out += digits;
}

/// Walks over a key; each take… is false at the first byte that no key has there.
struct Walker {
  std::string_view left;

  bool take_number(std::uint64_t& value) {
    if (left.empty()) return false;
    const std::size_t size = static_cast<Byte>(left[0]);
    if (size > 7 || left.size() <= size || (size > 0 && left[1] == '\0')) return false;
    value = 0;
    for (const char c : left.substr(1, size)) value = value << 8U | static_cast<Byte>(c);
    left.remove_prefix(1 + size);
    return value <= semver::kMaxNumber;
  }

  /// The identifier after its mark, which is gone already.
  bool take_identifier(char mark, std::string_view& text) {
    return mark == kNumber ? take_digits(text) : mark == kText && take_text(text);
  }

 private:
  bool take_digits(std::string_view& text) {
    const std::size_t size = left.empty() ? 0 : static_cast<Byte>(left[0]);
    if (size == 0 || left.size() <= size) return false;
    text = left.substr(1, size);
    left.remove_prefix(1 + size);
    return std::all_of(text.begin(), text.end(), is_digit) && (text[0] != '0' || size == 1);
  }
  bool take_text(std::string_view& text) {
    const std::size_t end = left.find(kEnd);
    if (end == std::string_view::npos || end == 0) return false;
    text = left.substr(0, end);
    left.remove_prefix(end + 1);
    return std::all_of(text.begin(), text.end(), is_identifier_character) &&
           !std::all_of(text.begin(), text.end(), is_digit);
  }
};

/// The spelling goes to `out` if it is given. Returns what is left after the key.
std::optional<std::string_view> walk(std::string_view bytes, std::string* out) {
  Walker walker{bytes};
  for (int i = 0; i < 3; ++i) {
    std::uint64_t number = 0;
    if (!walker.take_number(number)) return std::nullopt;
    if (out != nullptr) *out += (i == 0 ? "" : ".") + std::to_string(number);
  }
  for (char before = '-';; before = '.') {
    if (walker.left.empty()) return std::nullopt;
    const char mark = walker.left[0];
    walker.left.remove_prefix(1);
    if (mark == kRelease && before == '-') return walker.left;
    if (mark == kEnd && before == '.') return walker.left;
    std::string_view identifier;
    if (!walker.take_identifier(mark, identifier)) return std::nullopt;
    if (out != nullptr) (*out += before) += identifier;
  }
}

/// "1.2-beta" as "1.2.0-beta"; nothing if the numbers are more than three or none.
std::optional<std::string> padded(std::string_view text) {
  const std::size_t size = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string core(text.substr(0, size));
  const auto dots = std::count(core.begin(), core.end(), '.');
  if (core.empty() || dots > 2) return std::nullopt;
  for (auto i = dots; i < 2; ++i) core += ".0";
  return core + std::string(text.substr(size));
}

}  // namespace

Result<semver::Version, semver::Error> parse_bound(std::string_view text) {
  if (text == "0") return semver::Version::parse("0.0.0-0");
  if (text.size() > semver::kMaxVersionLength) return fail(semver::Error::too_long);
  if (auto strict = semver::Version::parse(text)) return strict;
  while (text.starts_with('v') || text.starts_with('=') || text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  const auto full = padded(text);
  if (!full) return fail(semver::Error::malformed);
  return semver::Version::parse(*full, {.loose = true});
}

VersionKey::VersionKey(const semver::Version& version) {
  for (const std::uint64_t number : {version.major(), version.minor(), version.patch()}) {
    put_number(bytes_, number);
  }
  if (!version.has_prerelease()) {
    bytes_ += kRelease;
    return;
  }
  for (const std::string_view identifier : version.prerelease()) put_identifier(bytes_, identifier);
  bytes_ += kEnd;
}

std::optional<VersionKey> VersionKey::parse(std::string_view bytes) {
  if (bytes.empty() || key_length(bytes) != bytes.size()) return std::nullopt;
  return VersionKey(std::string(bytes));
}

std::string VersionKey::text() const {
  std::string out;
  const auto rest = walk(bytes_, &out);
  CG_ASSERT(rest && rest->empty());
  return out;
}

std::size_t key_length(std::string_view bytes) {
  bytes = bytes.substr(0, kMaxKey);
  const auto rest = walk(bytes, nullptr);
  return rest ? bytes.size() - rest->size() : 0;
}

}  // namespace cg::advisory
