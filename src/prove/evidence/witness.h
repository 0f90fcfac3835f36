// Witness: what the audit log of a workspace itself says of a workflow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "trust/hash/digest.h"

namespace cg::evidence {

struct Witness {
  std::string key;        // the log's verifier key, and a newline
  bool known = false;     // the log has such a workflow; else the following three are empty
  std::string lines;      // of the workflow's own stream, exact
  std::string entry;      // the line in the spanning stream that ended it; empty: it goes on
  std::uint64_t seq = 0;  // of that line
  std::vector<hash::Digest> leaves;  // of the spanning stream, for the Merkle tree
};

/// Follows both streams and stops at the first thing that does not hold. Whether entries were
/// cut from the end, or the log swapped for another, is what audit::verify() tells.
[[nodiscard]] Result<Witness, Problem> read_witness(const os::Dir& home,
                                                    const std::string& workflow);

/// A workflow's part of the log, checkable without the log: what a bundle gets of it.
struct Slice {
  std::string lines;  // of the workflow's own stream, exact
  std::string entry;  // the line in the spanning stream that ended it
  std::string proof;  // that it lies beneath the signed checkpoint
  std::string key;    // the log's verifier key, and a newline
};

/// Of a workflow that has ended beneath a checkpoint. Of any other there is none.
[[nodiscard]] Result<Slice, Problem> read_slice(const os::Dir& home, const std::string& workflow);

}  // namespace cg::evidence
