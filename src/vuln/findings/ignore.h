// Ignores: findings that somebody decided to live with, for a reason and a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/json/value.h"
#include "npm/semver/range.h"
#include "vuln/findings/finding.h"

namespace cg::findings {

struct Ignore {
  std::string id;  // of the advisory, or an alias
  std::string package;
  std::optional<semver::Range> versions;
  std::string path;  // of the lockfile or the start of a location
  std::string reason;
  std::string justification;
  std::string owner;
  std::string expires;  // 2027-01-15: the first day on which it does not count
  std::string file;
  std::size_t line = 0;
};

struct IgnoreError {
  std::string file;
  json::Position at;
  std::string what;
};

/// The labels that OpenVEX knows.
[[nodiscard]] const std::vector<std::string_view>& justifications();

/// Reads an ignore file. `id`, `reason`, `owner` and `expires` are mandatory; unknown
/// keys are refused; an expiry further away than `max_days` from `today` is refused.
[[nodiscard]] Result<std::vector<Ignore>, IgnoreError> parse_ignores(const std::string& file,
                                                                     std::string_view yaml,
                                                                     Time today, int max_days);

[[nodiscard]] bool applies(const Ignore& ignore, const Finding& finding);

struct Applied {
  std::vector<const Ignore*> unused;
};

/// Moves what is ignored to `suppressed`. What an expired ignore spoke of stays, and
/// says so.
[[nodiscard]] Applied apply_ignores(const std::vector<Ignore>& ignores, Time today, Scan& scan);

/// As above, but nothing is moved: an ignore that the repository under scan brings along
/// is shown beside the finding, unless policy lets it count.
void mention_ignores(const std::vector<Ignore>& ignores, Scan& scan);

}  // namespace cg::findings
