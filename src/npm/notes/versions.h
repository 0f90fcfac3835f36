// Versions: which versions a heading speaks of.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "npm/notes/piece.h"
#include "npm/semver/version.h"

namespace cg::notes {

/// From the first to the last that is meant: one version, or those of "4.x".
struct Span {
  semver::Version first;
  semver::Version last;
};

/// What a section of a changelog is about.
struct Release {
  std::optional<Span> span;  // nothing: what is not published yet, or another package
};

/// "[4.0.0] - 2021-01-03", "v4", "2020-04-21, Version 14.0.0", "package@4.0.0", "Unreleased".
/// Nothing if `title` begins with other words: it is a heading within a section.
[[nodiscard]] std::optional<Release> release_of(std::string_view title, const Wanted& wanted);

/// A line that is no heading, and all the same begins a section: "4.0.0 / 2021-01-03",
/// "* 4.0.0:", "<a name="4.0.0"></a>".
[[nodiscard]] bool is_release_line(std::string_view line);

/// Some of what is meant lies on the way: above `wanted.from`, not above `wanted.to`.
[[nodiscard]] bool is_between(const Span& span, const Wanted& wanted);

/// What kind of release it is, by the number that it counts up. Below 1.0.0 the second number is
/// the major one.
enum class Step : std::uint8_t { patch, minor, major };
[[nodiscard]] Step step_of(const Span& span);

/// What a heading or the name of a guide says of the way that it describes.
enum class Course : std::uint8_t { unsaid, ours, another };
/// "From 3.x to 4.x", "Upgrading to 2.0.0+", "VERSION_11_UPGRADE".
[[nodiscard]] Course course_of(std::string_view title, const Wanted& wanted);

}  // namespace cg::notes
