// Apply: from plans to the text of files, read back and scanned again. In memory alone.
#pragma once

#include <vector>

#include "flow/job/files.h"
#include "flow/propose/plans.h"
#include "flow/workspace/access.h"

namespace cg::proving {

struct Applied {
  job::EditedFiles files;  // what the plans change
  scan::Scanned after;     // all locks of the repository, with the edited ones in place
};

/// Every edited lock is read back: it must say what was planned.
[[nodiscard]] Result<Applied, Problem> apply(const workspace::Access& access,
                                             propose::Situation& situation,
                                             const std::vector<propose::LockPlan>& plans);

}  // namespace cg::proving
