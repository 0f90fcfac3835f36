// What verifying a bundle takes and gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prove/evidence/witness.h"
#include "trust/sign/allowed_signers.h"

namespace cg::evidence {

/// A commit as a repository holds it.
struct HeldCommit {
  std::string id;
  std::string object;  // as git stores it, signature and all
  std::string patch;   // against its parent
};

/// What the reader trusts besides the bundle. All of it is optional.
struct Trust {
  std::optional<sign::AllowedSigners> signers;  // given: the manifest must be signed by one
  std::string anchor;                // a checkpoint of the log that somebody kept elsewhere
  std::string anchor_signature;      // SSHSIG over it; may be empty
  std::optional<Witness> log;        // of the reader's own workspace
  std::string workflow;              // given: the bundle must be of this one, and of that log
  std::optional<HeldCommit> commit;  // given: one of the branches must be it
};

struct Break {
  std::string file;
  std::string what;  // one line, printable
};

/// What was found of a bundle.
struct BundleReport {
  std::string workflow;  // empty if the case cannot be read
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::vector<Break> breaks;           // empty: integrity is ok
  std::vector<std::string> checked;    // what holds
  std::vector<std::string> unchecked;  // what nobody can tell from this bundle alone
  std::string signer;                  // of the manifest: principals, or a fingerprint
  std::string manifest;                // "sha256:…"
};

}  // namespace cg::evidence
