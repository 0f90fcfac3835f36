// Prompts: every question that was sent to a model, beneath the workspace and nowhere else.
//
//   prompts/<digest>      system and user text (model/prompt/kept.h)
//
// The log names it by that digest. What was kept long ago goes first where there is no more room.
#pragma once

#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "flow/workspace/workspace.h"
#include "model/prompt/kept.h"

namespace cg::workspace {

inline constexpr std::size_t kMaxPrompts = 500;
inline constexpr const char* kPrompts = "prompts";

[[nodiscard]] std::string prompt_path(const hash::Digest& digest);

/// A Problem if it cannot be kept: then it is not to be sent.
[[nodiscard]] Result<Done, Problem> keep_prompt(const Workspace& workspace,
                                                const prompt::Kept& kept);
/// Nothing if it is not there; a Problem if what is there is something else.
[[nodiscard]] Result<std::optional<prompt::Kept>, Problem> read_prompt(const Workspace& workspace,
                                                                       const hash::Digest& digest);

}  // namespace cg::workspace
