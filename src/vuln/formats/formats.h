// Formats: what a scan found, in the languages of other tools.
//
// Equal scans give equal bytes: no clock, no randomness, ids are hashes of what they
// name. A scan repeats text of advisories and lockfiles, which anybody may have
// written. JSON carries it as it is; wherever a person reads it, control and bidi
// characters are made visible, markup loses its meaning and lengths are bounded. Text
// that is not UTF-8 is written as printable() shows it.
#pragma once

#include <cstddef>
#include <string>

#include "base/json/value.h"
#include "vuln/findings/finding.h"

namespace cg::formats {

/// `codegenie/scan/v1`, see doc/schema/scan.json. Keys are added, never renamed.
[[nodiscard]] json::Value json(const findings::Scan& scan);

/// A line for each finding: its object in json() with "schema" before it,
/// `codegenie/scan-finding/v1`. What is suppressed has no line, so that lines can be
/// counted.
[[nodiscard]] std::string jsonl(const findings::Scan& scan);

/// SARIF 2.1.0, one run. A rule is an advisory, a result a copy at its line of the
/// lockfile. Fingerprints do not contain lines, so an alert outlives edits above it;
/// they do not contain the version either: a copy that was updated and is still
/// affected is the same alert. What is suppressed is a result with a suppression.
[[nodiscard]] json::Value sarif(const findings::Scan& scan);

/// CycloneDX 1.6 with vulnerabilities. Lists Scan::components and every copy that has a
/// finding; where the scan has no components, a composition says that the list is
/// incomplete. What is suppressed with one of OpenVEX's labels is `not_affected`,
/// otherwise `in_triage`.
[[nodiscard]] json::Value cyclonedx(const findings::Scan& scan);

/// OpenVEX 0.2.0. VEX speaks of packages where a scan speaks of copies: a package that
/// is open in one place is `affected`, whatever is suppressed elsewhere, and a note
/// says what that is. An ignore without a label of OpenVEX accepts a risk and proves
/// nothing: `under_investigation`. The format has no document without statements; that
/// of an empty scan has an empty list, which readers accept and the schema does not.
[[nodiscard]] json::Value openvex(const findings::Scan& scan);

/// A table for comments on pull requests and issues. Never longer than kMarkdownBytes:
/// what does not fit is counted. Mentions, links, references to issues and HTML in
/// quoted text have no effect.
[[nodiscard]] std::string markdown(const findings::Scan& scan);
inline constexpr std::size_t kMarkdownBytes = 60'000;  // GitHub takes 65 536 characters

/// Workflow commands of GitHub, a line for each finding: `::error file=…,line=…::…`.
[[nodiscard]] std::string gh_annotations(const findings::Scan& scan);

}  // namespace cg::formats
