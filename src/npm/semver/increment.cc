// The next version, and the version cut short.
#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "npm/semver/scan.h"
#include "npm/semver/version.h"

namespace cg::semver {
namespace {

constexpr std::array<std::pair<std::string_view, Release>, 9> kReleases{{
    {"major", Release::major},
    {"premajor", Release::premajor},
    {"minor", Release::minor},
    {"preminor", Release::preminor},
    {"patch", Release::patch},
    {"prepatch", Release::prepatch},
    {"prerelease", Release::prerelease},
    {"release", Release::release},
    {"pre", Release::pre},
}};

bool ends_in_prerelease(Release release) {
  switch (release) {
    case Release::premajor:
    case Release::preminor:
    case Release::prepatch:
    case Release::prerelease:
    case Release::pre:
      return true;
    case Release::major:
    case Release::minor:
    case Release::patch:
    case Release::release:
      return false;
  }
  return false;
}

std::string join(const std::vector<std::string>& identifiers) {
  std::string out;
  for (const std::string& identifier : identifiers) {
    if (&identifier != &identifiers.front()) out += '.';
    out += identifier;
  }
  return out;
}

bool all_of(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// JavaScript makes a number of it: npm asks that way whether an identifier counts.
bool looks_like_a_number(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  if (text.size() > 2 && text.front() == '0') {
    const std::string_view rest = text.substr(2);
    if (text[1] == 'x' || text[1] == 'X') return all_of(rest, "0123456789abcdefABCDEF");
    if (text[1] == 'o' || text[1] == 'O') return all_of(rest, "01234567");
    if (text[1] == 'b' || text[1] == 'B') return all_of(rest, "01");
  }
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text == "Infinity") return true;
  const std::size_t e = text.find_first_of("eE");
  if (!all_of(text.substr(0, e), kDigits)) return false;
  if (e == std::string_view::npos) return true;
  std::string_view exponent = text.substr(e + 1);
  if (exponent.starts_with('-')) exponent.remove_prefix(1);
  return all_of(exponent, kDigits);
}

/// A version being changed: numbers and the identifiers of its prerelease.
struct Draft {
  std::uint64_t major;
  std::uint64_t minor;
  std::uint64_t patch;
  std::vector<std::string> prerelease;

  void raise_major() { *this = {major + 1, 0, 0, {}}; }
  void raise_minor() { *this = {major, minor + 1, 0, {}}; }
  void raise_patch() { *this = {major, minor, patch + 1, {}}; }
  void raise_release(Release release);
  void raise_last_number(const std::string& base);
  [[nodiscard]] bool starts_with(std::string_view identifier) const;
  [[nodiscard]] bool counts_after(std::string_view identifier) const;
};

/// A prerelease of the very version that is asked for becomes that version.
void Draft::raise_release(Release release) {
  const bool pre = !prerelease.empty();
  if (release == Release::major) {
    if (minor != 0 || patch != 0 || !pre) ++major;
    minor = 0;
    patch = 0;
  } else if (release == Release::minor) {
    if (patch != 0 || !pre) ++minor;
    patch = 0;
  } else if (!pre) {
    ++patch;
  }
  prerelease.clear();
}

/// The last number counts up; where there is none, one is put at the end.
void Draft::raise_last_number(const std::string& base) {
  for (auto it = prerelease.rbegin(); it != prerelease.rend(); ++it) {
    if (!is_small_number(*it)) continue;
    std::uint64_t number = 0;
    std::from_chars(it->data(), it->data() + it->size(), number);
    *it = std::to_string(number + 1);
    return;
  }
  prerelease.push_back(base);
}

bool Draft::starts_with(std::string_view identifier) const {
  std::size_t i = 0;
  for (const std::string_view part : Identifiers(identifier)) {
    if (i == prerelease.size() || compare_identifiers(prerelease[i], part) != 0) return false;
    ++i;
  }
  return true;
}

bool Draft::counts_after(std::string_view identifier) const {
  std::size_t i = 0;
  for ([[maybe_unused]] const std::string_view part : Identifiers(identifier)) ++i;
  return i < prerelease.size() && looks_like_a_number(prerelease[i]);
}

Result<Done, Error> raise_prerelease(Draft& draft, std::string_view identifier,
                                     IdentifierBase base) {
  const std::string number = base == IdentifierBase::one ? "1" : "0";
  const bool counted = [&] {
    for (const std::string& part : draft.prerelease) {
      if (is_small_number(part)) return true;
    }
    return draft.prerelease.empty();
  }();
  if (!counted && base == IdentifierBase::none && identifier == join(draft.prerelease)) {
    return fail(Error::nothing_to_increment);
  }
  draft.raise_last_number(number);
  if (identifier.empty()) return Done{};
  if (draft.starts_with(identifier) && draft.counts_after(identifier)) return Done{};
  draft.prerelease = {std::string(identifier)};
  if (base != IdentifierBase::none) draft.prerelease.push_back(number);
  return Done{};
}

void raise_numbers(Draft& draft, Release release) {
  switch (release) {
    case Release::premajor:
      draft.raise_major();
      break;
    case Release::preminor:
      draft.raise_minor();
      break;
    case Release::prepatch:
      draft.raise_patch();
      break;
    case Release::prerelease:
      if (draft.prerelease.empty()) draft.raise_patch();
      break;
    case Release::release:
      draft.prerelease.clear();
      break;
    case Release::pre:
      break;
    case Release::major:
    case Release::minor:
    case Release::patch:
      draft.raise_release(release);
      break;
  }
}

}  // namespace

std::optional<Release> parse_release(std::string_view name) {
  for (const auto& [known, release] : kReleases) {
    if (known == name) return release;
  }
  return std::nullopt;
}

Result<Version, Error> Version::incremented(Release release, std::string_view identifier,
                                            IdentifierBase base, const Options& options) const {
  const bool pre = ends_in_prerelease(release);
  if (pre && identifier.empty() && base == IdentifierBase::none) return fail(Error::bad_identifier);
  if (pre && !identifier.empty() && !is_prerelease(identifier, options)) {
    return fail(Error::bad_identifier);
  }
  if (release == Release::release && !has_prerelease()) return fail(Error::nothing_to_increment);

  Draft draft{major_, minor_, patch_, {}};
  for (const std::string_view part : prerelease()) {
    const bool number = !canonical_ && is_small_number(part);
    draft.prerelease.emplace_back(number ? without_zeros(part) : part);
  }
  raise_numbers(draft, release);
  if (pre) CG_TRY(raise_prerelease(draft, identifier, base));

  std::string text = Version(draft.major, draft.minor, draft.patch).str();
  if (!draft.prerelease.empty()) text += '-' + join(draft.prerelease);
  if (!build().empty()) text += '+' + std::string(build().text());
  CG_TRY_ASSIGN(Version next, parse(text, {.loose = true}));
  next.canonical_ = true;  // a loose identifier stays as it was given
  return next;
}

Version Version::without_build() const {
  Version version(major_, minor_, patch_);
  if (!has_prerelease()) return version;
  const std::size_t at = version.str().size() + 1;
  version.source_ = str();
  version.prerelease_at_ = static_cast<std::uint16_t>(at);
  version.prerelease_length_ = static_cast<std::uint8_t>(version.source_.size() - at);
  return version;
}

std::optional<Version> Version::truncated(Release release) const {
  switch (release) {
    case Release::major:
      return Version(major_, 0, 0);
    case Release::minor:
      return Version(major_, minor_, 0);
    case Release::patch:
      return Version(major_, minor_, patch_);
    case Release::premajor:
    case Release::preminor:
    case Release::prepatch:
    case Release::prerelease:
      return without_build();
    case Release::release:
    case Release::pre:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace cg::semver
