// What the commands about the embedding model share.
#pragma once

#include "access.h"
#include "learn/pinned/home.h"

namespace cg::program {

/// The problem of a refusal, once the log has heard of it.
[[nodiscard]] Problem told(const Access& access, pinned::Refusal refusal);

/// The model of the workspace. A file that is another one is recorded.
[[nodiscard]] Result<pinned::Model, Problem> open_pinned(const Access& access);

[[nodiscard]] json::Value files_json(const pinned::Lock& lock);
/// "  ✓ vocab.txt  sha256 07eced…  WHAT" for each.
[[nodiscard]] std::string files_text(const pinned::Lock& lock, const std::string& what,
                                     const cli::Style& style);
/// What the cosine of the self-test came to: 0.6123.
[[nodiscard]] std::string cosine_text(std::int64_t ten_thousandths);

}  // namespace cg::program
