// Release: a signed permission that a record counts again, once.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/base/time.h"
#include "trust/hash/digest.h"
#include "trust/sign/allowed_signers.h"

namespace cg::rag {

inline constexpr std::string_view kReleaseNamespace = "codegenie-rag";

struct Release {
  std::string record;
  std::string reason;
  std::string signer;        // fingerprint
  hash::Digest statement{};  // SHA-256 of its text
};

/// What the statement `text` allows, if `signature` over it is by somebody whom `signers` let sign
/// in kReleaseNamespace; or why it allows nothing. The statement:
///
///   schema: codegenie/rag-release/v1
///   record: rec-0123456789abcdef01234567
///   log: "9d2c…"
///   reason: the phrase is part of an error message
///   expires: 2026-12-31
///
/// Whether it was used before is for the log to say: two that say the same need a comment that
/// tells them apart.
[[nodiscard]] Result<Release, std::string> read_release(std::string_view text,
                                                        std::string_view signature,
                                                        const sign::AllowedSigners& signers,
                                                        const std::string& log, Time now);

}  // namespace cg::rag
