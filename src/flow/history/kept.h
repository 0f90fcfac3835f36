// Kept: what lies in the workspace under a digest, and whether it still is what that names.
//
//   prompts/      questions to a model
//   cache/steps/  steps that need not be run again, by their key or the digest of the file
//   evidence/     bundles and their documents; what steps printed, by the digest of that
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flow/workspace/access.h"

namespace cg::history {

struct KeptThing {
  /// Of a part of something, nobody can tell from the part alone.
  enum class Holds { yes, no, unknown };
  std::string digest;  // 64 hexadecimal digits
  std::string what;    // "a question to a model"
  std::string path;    // beneath the workspace
  Holds holds = Holds::unknown;
};
/// "yes", "no", "unknown"
[[nodiscard]] std::string_view name(KeptThing::Holds holds);

inline constexpr std::size_t kShortestDigest = 7;

/// All whose digest begins with `prefix`: hexadecimal digits in lower case, kShortestDigest or
/// more. Each is read and held against its digest.
[[nodiscard]] Result<std::vector<KeptThing>, Problem> kept_under(const workspace::Access& access,
                                                                 std::string_view prefix);

}  // namespace cg::history
