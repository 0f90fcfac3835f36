// Report: a case in the words of those who read it.
//
// Equal cases give equal bytes. Facts come first, machinery after. Whatever the gates
// have not checked is said to be unchecked. Untrusted text has no effect in any output:
// no markup, HTML, mention, link, control or bidi character survives, and a name that
// could not be a package's never stands in a command.
#pragma once

#include <cstddef>
#include <string>

#include "base/json/value.h"
#include "fix/report/case.h"
#include "vuln/findings/finding.h"

namespace cg::report {

inline constexpr std::size_t kPrBodyBytes = 60'000;  // GitHub takes 65 536 characters
inline constexpr std::size_t kMinPrBodyBytes = 4'000;

/// For a pull request: never longer than `max_bytes` (at least kMinPrBodyBytes); what
/// does not fit is counted.
[[nodiscard]] std::string pr_body(const Case& c, std::size_t max_bytes = kPrBodyBytes);

/// The same with nothing folded or left out.
[[nodiscard]] std::string markdown(const Case& c);

/// One page on its own: no script, no outside resource, light and dark.
[[nodiscard]] std::string html(const Case& c);

/// Subject, body and trailers. Depends on the decisions alone, not on ids or clocks.
[[nodiscard]] std::string commit_message(const Case& c, const Branch& branch);
/// Of the branch that a case would have if it had one.
[[nodiscard]] std::string commit_message(const Case& c);

/// What a person has to do: every copy that is not fixed, why, what would be needed and
/// the commands to begin with. Empty if nothing is left.
[[nodiscard]] std::string handoff(const Case& c);

/// What `after` says, and `fixed` for what the case fixed.
[[nodiscard]] json::Value openvex(const Case& c, const findings::Scan& after);
/// What `before` found, each marked resolved, or exploitable if a copy is left.
[[nodiscard]] json::Value cyclonedx_vex(const Case& c, const findings::Scan& before);

/// "CVE-2021-44906" where the advisory has such a name, else its id. Not made printable.
[[nodiscard]] std::string label(const Case& c, std::string_view advisory);

}  // namespace cg::report
