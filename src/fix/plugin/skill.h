// Skills: the files skills/NAME.md of a plugin, what a model is told by us.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/domain/skill.h"
#include "fix/plugin/pins.h"

namespace cg::plugin {

using cg::Skill;

inline constexpr std::size_t kMaxSkills = 8;
inline constexpr std::size_t kMaxSkillBytes = std::size_t{16} * 1024;

/// The one maker of skills. Who calls it has compared the digest of the file's tree.
class SkillReader {
 public:
  /// Why not, in one line: not UTF-8, control characters, empty, too large, or it holds a
  /// delimiter of the fence, which would make what follows look untrusted, or trusted.
  [[nodiscard]] static Result<Skill, std::string> read(const File& file);
};

/// "breaking-change.md": small letters, digits and dashes. Nothing else may lie in skills/.
[[nodiscard]] bool is_skill_file(std::string_view name);

}  // namespace cg::plugin
