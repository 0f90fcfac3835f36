#include "npm/semver/version.h"

#include <algorithm>
#include <array>

#include "npm/semver/scan.h"

namespace cg::semver {
namespace {

// A digit more than kMaxNumber has; what is longer cannot be right.
constexpr std::size_t kMostDigits = 17;

std::optional<std::uint64_t> to_number(std::string_view digits) {
  digits = without_zeros(digits);
  if (digits.size() > kMostDigits) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  if (value > kMaxNumber) return std::nullopt;
  return value;
}

void append_prerelease(std::string& out, std::string_view prerelease) {
  char separator = '-';
  for (const std::string_view identifier : Identifiers(prerelease)) {
    out += separator;
    out += is_small_number(identifier) ? without_zeros(identifier) : identifier;
    separator = '.';
  }
}

bool is_canonical(std::string_view prerelease) {
  const Identifiers identifiers(prerelease);
  for (const std::string_view identifier : identifiers) {
    if (identifier.size() > 1 && identifier.front() == '0' && is_small_number(identifier)) {
      return false;
    }
  }
  return true;
}

}  // namespace

/// Most versions by far are three numbers and dots; this reads those and no others.
std::optional<Version> Version::parse_plain(std::string_view text) {
  std::array<std::uint64_t, 3> numbers{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t start = at;
    std::uint64_t value = 0;
    for (; at < text.size() && at - start < kMostDigits && is_digit(text[at]); ++at) {
      value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
    }
    const bool leading_zero = at - start > 1 && text[start] == '0';
    if (at == start || leading_zero || value > kMaxNumber) return std::nullopt;
    numbers[i] = value;
    if (i < 2 && (at == text.size() || text[at++] != '.')) return std::nullopt;
  }
  if (at != text.size()) return std::nullopt;
  return Version(numbers[0], numbers[1], numbers[2]);
}

Result<Version, Error> Version::parse(std::string_view text, const Options& options) {
  if (auto plain = parse_plain(text)) return *std::move(plain);
  // No code point takes more than three bytes per UTF-16 unit.
  if (text.size() > 3 * kMaxVersionLength) return fail(Error::too_long);
  if (text.size() > kMaxVersionLength && utf16_length(text) > kMaxVersionLength) {
    return fail(Error::too_long);
  }
  const auto parts = match_version(trim_spaces(text), options);
  if (!parts) return fail(Error::malformed);
  const auto major = to_number(parts->major);
  const auto minor = to_number(parts->minor);
  const auto patch = to_number(parts->patch);
  if (!major || !minor || !patch) return fail(Error::number_too_large);

  Version version(*major, *minor, *patch);
  version.source_ = text;
  const auto place = [&](std::string_view part) {
    return part.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(part.data() - text.data());
  };
  // Both fit: they are ASCII, and with the rest of the version at most 256 long.
  version.prerelease_at_ = place(parts->prerelease);
  version.prerelease_length_ = static_cast<std::uint8_t>(parts->prerelease.size());
  version.build_at_ = place(parts->build);
  version.build_length_ = static_cast<std::uint8_t>(parts->build.size());
  version.canonical_ = !options.loose || is_canonical(parts->prerelease);
  return version;
}

std::string Version::str() const {
  std::string out = std::to_string(major_);
  out += '.';
  out += std::to_string(minor_);
  out += '.';
  out += std::to_string(patch_);
  if (!has_prerelease()) return out;
  if (canonical_) {
    out += '-';
    out += prerelease_text();
  } else {
    append_prerelease(out, prerelease_text());
  }
  return out;
}

bool Version::same_text(const Version& other) const {
  if (!same_release(other)) return false;
  if (canonical_ && other.canonical_) return prerelease_text() == other.prerelease_text();
  return str() == other.str();
}

int Version::compare_prerelease(const Version& other) const {
  // A version without prerelease comes after those that have one.
  if (!has_prerelease() || !other.has_prerelease()) {
    return static_cast<int>(other.has_prerelease()) - static_cast<int>(has_prerelease());
  }
  return compare_prereleases(prerelease_text(), other.prerelease_text());
}

int Version::compare_build(const Version& other) const {
  const int order = compare(other);
  return order != 0 ? order : compare_builds(build().text(), other.build().text());
}

void sort(std::vector<Version>& versions) {
  // A merge sort: it stays within bounds even where the order is not one.
  std::stable_sort(versions.begin(), versions.end(),
                   [](const Version& a, const Version& b) { return a.compare_build(b) < 0; });
}

}  // namespace cg::semver
