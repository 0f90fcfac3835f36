// Proof: that one entry is in the log, checkable without the log.
//
// C2SP tlog-proof: a first line that names the format, the index, the hashes of
// the audit path in base64, a blank line, and the checkpoint they lead to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "trust/hash/digest.h"
#include "trust/record/checkpoint.h"

namespace cg::record {

constexpr std::size_t kMaxProofHashes = 64;

struct Proof {
  std::uint64_t index = 0;
  std::vector<hash::Digest> path;
  std::string checkpoint;
  friend bool operator==(const Proof&, const Proof&) = default;
};

enum class ProofError {
  malformed,
  checkpoint,     // the checkpoint in it does not verify
  not_the_entry,  // the path does not lead from this entry to the checkpoint's root
};
[[nodiscard]] std::string describe(ProofError error);

[[nodiscard]] std::string write_proof(const Proof& proof);
[[nodiscard]] Result<Proof, ProofError> parse_proof(std::string_view text);

/// The head that `line` is proven to lie beneath, if all of it holds.
[[nodiscard]] Result<TreeHead, ProofError> check_proof(const Proof& proof, std::string_view line,
                                                       const sign::NoteKey& key);

}  // namespace cg::record
