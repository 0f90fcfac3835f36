// Kept prompts: what a prompt is called in the log, and its bytes as they are kept beside it.
//
// The log has a digest alone. Whoever has the bytes can be held against it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"

namespace cg::prompt {

struct Kept {
  std::string system, user;
  friend bool operator==(const Kept&, const Kept&) = default;
};
/// Far more than a call takes.
inline constexpr std::size_t kMaxKeptPrompt = 4U << 20U;

/// As LeafInvoked has it.
[[nodiscard]] hash::Digest digest_of(std::string_view system, std::string_view user);

[[nodiscard]] std::string write_kept(const Kept& kept);
/// Nothing if these are not the bytes of `digest`.
[[nodiscard]] std::optional<Kept> read_kept(std::string_view bytes, const hash::Digest& digest);

/// What the task in a prompt of ours is about. Of a prompt that was held against its digest: who
/// wrote it is us.
struct About {
  std::string advisory, package, manifest;
};
[[nodiscard]] About about_of(std::string_view user);

}  // namespace cg::prompt
