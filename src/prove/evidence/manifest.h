// The manifest of a bundle: one spelling, made from the other files alone, so that a
// changed byte in it is found without a signature. For this module only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fix/report/case.h"
#include "prove/evidence/bundle.h"
#include "trust/hash/digest.h"

namespace cg::evidence {

inline constexpr std::string_view kManifest = "manifest.json";
inline constexpr std::string_view kSignature = "manifest.json.sig";
inline constexpr std::string_view kCase = "case.json";
inline constexpr std::string_view kPlan = "plan.json";
inline constexpr std::string_view kLeftOut = "logs/LEFT_OUT.txt";
inline constexpr std::string_view kEvents = "events.jsonl";
inline constexpr std::string_view kEntry = "proof/entry.json";
inline constexpr std::string_view kProof = "proof/entry.tlog-proof";
inline constexpr std::string_view kLogKey = "proof/log.vkey";

/// `tool` and `workflow` are those of the case; the chain head is that of the checkpoint
/// in the proof, if there is one.
[[nodiscard]] std::string manifest_text(const Files& files, const std::string& workflow,
                                        const std::string& tool);

/// Over every file but events, proof, manifest and signature.
[[nodiscard]] hash::Digest content_digest(const Files& files);

/// Where the files of a branch lie; `count` branches in all.
[[nodiscard]] std::string branch_folder(std::size_t index, std::size_t count);

/// tier/recipe.json: by which recipes, and of which plugin with which digest ("sha256:…").
[[nodiscard]] std::string tier_text(const report::Case& c, const std::string& plugin,
                                    const std::string& digest);

/// The tar of a bundle: the same files give the same bytes.
[[nodiscard]] std::string tar_of(const Files& files, const std::string& workflow);

}  // namespace cg::evidence
