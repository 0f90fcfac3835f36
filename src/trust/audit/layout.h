// Where the parts of the log lie beneath the workspace. See doc/format/audit-log.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cg::audit {

inline const std::string kEvents = "events";
inline const std::string kSpanningDir = "spanning";
inline const std::string kWorkflowDir = "workflow-internal";
inline const std::string kTilesDir = "tiles";
inline const std::string kAppendFile = "append.jsonl.zst";
inline const std::string kCheckpointFile = "checkpoint";
inline const std::string kStateFile = "state.json";
inline const std::string kKeyFile = "keys/log.key";
inline const std::string kAllowedSigners = "policy/allowed_signers";

/// The purpose that operator signatures of anchors are bound to.
constexpr std::string_view kAnchorNamespace = "codegenie-anchor";

constexpr std::size_t kMaxOpenFile = 64 * 1024 * 1024;
constexpr std::size_t kMaxGroup = 32 * 1024 * 1024;  // of one append
constexpr std::size_t kMaxSmallFile = 1024 * 1024;
constexpr std::size_t kMaxFiles = 1'000'000;

[[nodiscard]] inline std::string workflow_file(std::string_view workflow) {
  return std::string(workflow) + ".jsonl.zst";
}

}  // namespace cg::audit
