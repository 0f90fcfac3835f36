// Words about findings that several formats share, and untrusted text made safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.h"
#include "vuln/findings/finding.h"

namespace cg::formats {

/// `text` if it is UTF-8, which JSON demands; otherwise as printable() shows it.
[[nodiscard]] std::string utf8(std::string_view text);

/// One line of at most `max` bytes without deceptive characters; `…` marks a cut.
[[nodiscard]] std::string shown(std::string_view text, std::size_t max);

/// "7.5" for 75.
[[nodiscard]] std::string score(int tenths);

/// How loudly tools that know three grades tell it.
enum class Urgency { error, warning, note };
[[nodiscard]] Urgency urgency_of(advisory::Level level);

/// "qs 6.7.0"; the name alone if the version is not known.
[[nodiscard]] std::string copy_name(const findings::Finding& finding);
/// "moderate: qs 6.7.0 (GHSA-…)".
[[nodiscard]] std::string title(const findings::Finding& finding);
/// What is wrong with which copy, in a sentence or three.
[[nodiscard]] std::string message(const findings::Finding& finding);
/// What to do about it, in a sentence or two.
[[nodiscard]] std::string advice(const findings::Finding& finding);
/// The advisory's summary without a full stop, or words that stand for it.
[[nodiscard]] std::string summary(const findings::Finding& finding);
/// `only our own config (owner @web, until 2027-01-15)`.
[[nodiscard]] std::string ignored_because(const findings::Suppression& suppression);

/// True for the labels of OpenVEX that say why something is not affected.
[[nodiscard]] bool is_vex_label(std::string_view justification);

/// Of a copy under an advisory, whatever its version and line: the same alert in SARIF
/// after an update that did not help. findings::identity() is what a baseline goes by.
[[nodiscard]] std::string fingerprint(const findings::Finding& finding);

[[nodiscard]] json::Value texts(const std::vector<std::string>& items);
/// Adds a member unless `text` is empty.
void add_text(json::Value::Object& object, std::string_view key, std::string_view text);

}  // namespace cg::formats
