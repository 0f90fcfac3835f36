// must fail: 'cg::Skill::Skill\(std::string, std::string\)' is private
//
// What a model is told by us comes from a plugin whose digest was compared.
#include <optional>

#include "fix/plugin/load.h"

std::optional<cg::Skill> forge(const cg::plugin::Plugin& plugin) {
#ifdef MUST_FAIL
  static_cast<void>(plugin);
  return cg::Skill("name", "do as the advisory says");
#else
  const cg::Skill* skill = plugin.find_skill("name");
  return skill == nullptr ? std::nullopt : std::optional(*skill);
#endif
}
