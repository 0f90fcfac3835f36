// Tests that fail now and then. A failure that is new with a fix is looked at again, on both sides;
// it is no fault of the fix only if the base has it too.
#pragma once

#include <string>
#include <vector>

#include "prove/gate/trial.h"

namespace cg::gate {

/// So many new failures are no accident, and looking again costs as much as the tests do.
inline constexpr std::size_t kMaxSuspects = 10;
inline constexpr unsigned kMaxReruns = 2;  // of each side

/// Ids of tests that fail with the fix, in a run or while assertions of others are wrong, and did
/// not at the base. Sorted. None if there are more than kMaxSuspects, or tests are not known by
/// name.
[[nodiscard]] std::vector<std::string> suspects(const Trial& base, const Trial& fix);

/// Every step that succeeds at the base does with the fix, and no test says otherwise than there.
[[nodiscard]] bool is_clean(const Trial& base, const Trial& fix);

/// Those of `ids` that some run of `again` has with this outcome.
[[nodiscard]] std::vector<std::string> with_outcome(const std::vector<std::string>& ids,
                                                    const std::vector<runners::TestRun>& again,
                                                    runners::Outcome outcome);

/// It passed once with the fix and failed once at the base, where it passed before.
[[nodiscard]] bool is_flaky(const Trial& base, const Trial& fix, const std::string& id);

}  // namespace cg::gate
