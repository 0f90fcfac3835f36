// Signing anchors with the operator's key.
#pragma once

#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "session.h"
#include "trust/audit/anchor.h"

namespace cg::program {

struct Signed {
  std::string method;  // ssh, gpg or unsigned
  std::string signer;  // fingerprint
  std::optional<audit::AnchorSignature> signature;
};

/// `how` is "ssh:KEYFILE" or "gpg:KEYID". SSH is signed here; GPG by the gpg
/// program, as only it can reach GPG's keys.
[[nodiscard]] Result<Signed, Problem> sign_anchor(const std::string& how, const std::string& note);

/// All that gpg is told of our environment: where its keys are.
[[nodiscard]] std::vector<std::string> gpg_environment(const cli::Environment& environment);

/// The fingerprint of the key that made the detached GPG `signature` file over the
/// `note` file, judged by gpg and its keyring.
[[nodiscard]] Result<std::string, Problem> gpg_signer(const std::string& note_path,
                                                      const std::string& signature_path);

}  // namespace cg::program
