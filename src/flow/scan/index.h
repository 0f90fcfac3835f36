// The advisory index as a run meets it: opened, judged by policy, replaced.
#pragma once

#include "flow/workspace/access.h"
#include "flow/workspace/policy.h"
#include "vuln/vulnindex/bundle.h"
#include "vuln/vulnindex/place.h"

namespace cg::scan {

[[nodiscard]] Problem problem_of(const vulnindex::Error& error);

/// The index of the workspace, whatever its age.
[[nodiscard]] Result<vulnindex::Index, Problem> open_any_index(const workspace::Access& access);
/// The same, refused if it is older than policy allows.
[[nodiscard]] Result<vulnindex::Index, Problem> open_fresh_index(const workspace::Access& access,
                                                                 const workspace::Policy& policy,
                                                                 Time now);

/// "3 days old".
[[nodiscard]] std::string age_text(Time built, Time now);
[[nodiscard]] int age_days(Time built, Time now);

/// The group that an id of the user means. Suggests near ids where there is none.
[[nodiscard]] Result<std::string, Problem> find_group(vulnindex::Index& index,
                                                      const std::string& id);

/// Writes the event of a replacement into the log.
[[nodiscard]] Result<Done, Problem> record_replacement(const workspace::Access& access,
                                                       const vulnindex::Summary& summary,
                                                       const std::string& origin);

}  // namespace cg::scan
