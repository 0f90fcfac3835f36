// SSHSIG: the detached signatures of `ssh-keygen -Y sign`, for Ed25519 keys.
//
// Made and checked here without a child process; ssh-keygen accepts ours and we
// accept its (tests hold both ways). Other key types are named and refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "trust/sign/ed25519.h"

namespace cg::sign {

enum class SshError {
  malformed,
  unsupported_key,   // not ssh-ed25519
  unsupported_hash,  // neither sha512 nor sha256
  encrypted_key,     // a private key behind a passphrase
  wrong_namespace,
  bad_signature,
};
[[nodiscard]] std::string describe(SshError error);

/// A private key as `ssh-keygen -t ed25519` writes it, without a passphrase.
[[nodiscard]] Result<Seed, SshError> parse_ssh_private_key(std::string_view text);

/// "ssh-ed25519 AAAA…", the form of a .pub file without its comment.
[[nodiscard]] std::string write_ssh_public_key(const PublicKey& key);
/// The base64 part of that form.
[[nodiscard]] std::optional<PublicKey> parse_ssh_key_blob(std::string_view base64);
/// "SHA256:…", as ssh-keygen -l prints it.
[[nodiscard]] std::string ssh_fingerprint(const PublicKey& key);

/// The armoured signature over `message` in `name_space`.
[[nodiscard]] std::string ssh_sign(const Seed& seed, std::string_view name_space,
                                   std::string_view message);

/// The key that made the armoured `signature` over `message` in `name_space`.
/// Says nothing of whom the key belongs to: see allowed_signers.h.
[[nodiscard]] Result<PublicKey, SshError> ssh_verify(std::string_view signature,
                                                     std::string_view name_space,
                                                     std::string_view message);

/// Whether the armour is exactly as ssh_sign() and ssh-keygen lay it out: ssh_verify() takes
/// other spellings of the same signature, for which a place with one spelling has no room.
[[nodiscard]] bool is_plain_armour(std::string_view signature);

}  // namespace cg::sign
