#include "trust/record/proof.h"

#include <algorithm>
#include <cstdlib>

#include "base/base/text.h"
#include "trust/hash/merkle.h"

namespace cg::record {

namespace {
constexpr std::string_view kFormat = "c2sp.org/tlog-proof@v1\n";
constexpr std::string_view kIndex = "index ";
}  // namespace

std::string describe(ProofError error) {
  switch (error) {
    case ProofError::malformed:
      return "not a proof of ours";
    case ProofError::checkpoint:
      return "the checkpoint in the proof does not verify";
    case ProofError::not_the_entry:
      return "the proof does not lead from this entry to the checkpoint";
  }
  std::abort();
}

std::string write_proof(const Proof& proof) {
  std::string out(kFormat);
  out += std::string(kIndex) + std::to_string(proof.index) + "\n";
  for (const hash::Digest& hash : proof.path) out += to_base64(hash) + "\n";
  return out + "\n" + proof.checkpoint;
}

Result<Proof, ProofError> parse_proof(std::string_view text) {
  const std::size_t gap = text.find("\n\n");
  if (text.size() > sign::kMaxNoteBytes || !text.starts_with(kFormat) ||
      gap == std::string_view::npos || gap < kFormat.size()) {
    return fail(ProofError::malformed);
  }
  Proof proof{0, {}, std::string(text.substr(gap + 2))};
  const std::vector<std::string_view> lines =
      split(text.substr(kFormat.size(), gap - kFormat.size()), '\n');
  const auto index =
      lines[0].starts_with(kIndex) ? parse_u64(lines[0].substr(kIndex.size())) : std::nullopt;
  if (!index || lines.size() > kMaxProofHashes + 1) return fail(ProofError::malformed);
  proof.index = *index;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto raw = from_base64(lines[i]);
    if (!raw || raw->size() != 32) return fail(ProofError::malformed);
    hash::Digest hash{};
    std::copy(raw->begin(), raw->end(), hash.begin());
    proof.path.push_back(hash);
  }
  return proof;
}

Result<TreeHead, ProofError> check_proof(const Proof& proof, std::string_view line,
                                         const sign::NoteKey& key) {
  const auto head = open_checkpoint(proof.checkpoint, key);
  if (!head) return fail(ProofError::checkpoint);
  if (!hash::proves_inclusion(hash::leaf_hash(as_bytes(line)), proof.index, head->size, proof.path,
                              head->root)) {
    return fail(ProofError::not_the_entry);
  }
  return *head;
}

}  // namespace cg::record
