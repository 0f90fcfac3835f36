// The verifier: a second reader of the audit log.
//
// It shares the format (record/) and the hashes with the writer and nothing else,
// reads everything, trusts nothing, and changes nothing. Two answers: integrity,
// is what is there what was written; completeness, is all of it there and vouched
// for from outside.
#pragma once

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "trust/audit/log_report.h"

namespace cg::audit {

/// Problems with reaching the log at all are errors; what is wrong with the log is
/// in the report.
[[nodiscard]] Result<LogReport, Problem> verify(const os::Dir& home, const VerifyOptions& options,
                                                const Progress& progress);

}  // namespace cg::audit
