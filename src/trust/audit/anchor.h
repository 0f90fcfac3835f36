// Anchors: checkpoints that the operator signed and put where the log is not.
//
// <anchor folder>/<log id>/<date>.note is the checkpoint as it was, <date>.note.sig
// the operator's SSHSIG over it (ssh-keygen -Y verify takes it), <date>.note.asc a
// detached GPG signature. A second anchor of a day is <date>-2.note, and so on:
// none is ever replaced.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "trust/record/checkpoint.h"
#include "trust/sign/allowed_signers.h"

namespace cg::audit {

enum class Vouched {
  by_signer,    // a key in allowed_signers
  by_stranger,  // a valid signature by a key that is not in allowed_signers
  by_gpg,       // a GPG signature lies beside it; only `audit anchor verify` runs gpg
  by_nobody,    // no signature
};

struct AnchorStatus {
  std::string file;
  std::string path;
  std::string bytes;  // of the note
  record::TreeHead head;
  Vouched vouched = Vouched::by_nobody;
  std::string signer;  // principals, or the fingerprint of a stranger
};

struct Anchors {
  std::vector<AnchorStatus> anchors;  // sorted by size
  std::vector<Problem> problems;
};

/// Reads all anchors of a log. `key` is the key that signs its checkpoints; an
/// anchor folder that is not there holds no anchors.
[[nodiscard]] Result<Anchors, Problem> read_anchors(const std::string& anchor_dir,
                                                    const sign::NoteKey& key,
                                                    const sign::AllowedSigners& signers);

/// policy/allowed_signers of the workspace; none if there is no such file.
[[nodiscard]] Result<sign::AllowedSigners, Problem> read_allowed_signers(const os::Dir& home);

/// A private key file in OpenSSH's format.
[[nodiscard]] Result<sign::Seed, Problem> read_signing_key(const std::string& path);

/// Writes a new anchor: first its signature (".sig" or ".asc" with its bytes), then
/// the note, so that a note is never there without what vouches for it.
struct AnchorSignature {
  std::string suffix;
  std::string bytes;
};
[[nodiscard]] Result<std::string, Problem> publish_anchor(
    const std::string& anchor_dir, const std::string& log, const std::string& date,
    const std::string& note, const std::optional<AnchorSignature>& signature);

}  // namespace cg::audit
