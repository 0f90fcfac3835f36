// `codegenie explain` for an advisory.
#pragma once

#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "report.h"
#include "session.h"

namespace cg::program {

[[nodiscard]] Result<Report, Problem> explain_advisory(const std::string& id,
                                                       const std::string& repo, Session& session);

}  // namespace cg::program
