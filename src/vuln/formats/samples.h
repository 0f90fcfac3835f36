// Scans made by hand, for the tests of this module.
#pragma once

#include <string>
#include <vector>

#include "vuln/findings/finding.h"

namespace cg::formats::test {

/// A finding that has everything a finding usually has.
[[nodiscard]] findings::Finding qs();
[[nodiscard]] findings::Suppression ignore(const std::string& justification);

/// Facts about a repository and an index, and no findings.
[[nodiscard]] findings::Scan empty_scan();
/// The same with qs().
[[nodiscard]] findings::Scan one_finding();
/// Aliases, scopes, missing versions, two copies of one version, expired and labelled
/// ignores, components with an integrity of each kind.
[[nodiscard]] findings::Scan mixed_scan();

/// Texts that a lockfile, an advisory or an ignore may contain.
[[nodiscard]] const std::vector<std::string>& nasty_texts();
/// `text` wherever a finding has text.
[[nodiscard]] findings::Finding nasty(const std::string& text);
/// Every nasty text, open and suppressed, as components and as facts.
[[nodiscard]] findings::Scan nasty_scan();

}  // namespace cg::formats::test
