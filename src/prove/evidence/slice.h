// Slice: a workflow's part of the audit log, checkable without the log. For this module.
#pragma once

#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"

namespace cg::evidence {

struct Slice {
  std::string lines;  // of the workflow's own stream, exact
  std::string entry;  // the line in the spanning stream that ended it; empty if there is none
  std::string proof;  // that it lies beneath the signed checkpoint; empty if it does not yet
  std::string key;    // the log's verifier key
};

[[nodiscard]] Result<Slice, Problem> read_slice(const os::Dir& home, const std::string& workflow);

}  // namespace cg::evidence
