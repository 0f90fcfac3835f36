// The allowed_signers file of OpenSSH: whose keys may sign what, and when.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "trust/sign/ed25519.h"

namespace cg::sign {

/// One line that names an Ed25519 key. Lines with other key types are counted,
/// not kept; certificate authorities are refused, as we do not check certificates.
struct AllowedSigner {
  std::string principals;                // "reviewer@example,operator@example"
  std::vector<std::string> name_spaces;  // patterns; empty: any
  std::optional<Time> valid_after;
  std::optional<Time> valid_before;
  PublicKey key{};
};

struct AllowedSigners {
  std::vector<AllowedSigner> signers;
  std::size_t other_key_types = 0;
};

struct AllowedSignersError {
  std::size_t line;
  std::string what;
};

[[nodiscard]] Result<AllowedSigners, AllowedSignersError> parse_allowed_signers(
    std::string_view text);

/// Who may sign in `name_space` at `when` with `key`: the principals of the line.
[[nodiscard]] std::optional<std::string> find_signer(const AllowedSigners& signers,
                                                     const PublicKey& key,
                                                     std::string_view name_space, Time when);

}  // namespace cg::sign
