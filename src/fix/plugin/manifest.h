// Manifest: what a plugin says of itself, its plugin.yaml.
//
// A plugin is data: it names built-in parts and holds no code. Its name has three parts,
// task--language--build; "any" stands for all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "fix/recipe/recipe.h"
#include "npm/npm/graph.h"

namespace cg::plugin {

/// The closed list of what can be allowed to a plugin; capability.h has a type for each.
enum class Power : std::uint8_t { npm_install, fs_read_write, git_local_ops };
/// "npm_install", "fs_read_write", "git_local_ops".
[[nodiscard]] std::string_view name(Power power);

/// What becomes of a repository that the plugin is for.
enum class Effect : std::uint8_t {
  fix,            // its recipes are tried
  hand_to_human,  // nothing is changed; a person is told
};
[[nodiscard]] std::string_view name(Effect effect);

struct Manifest {
  std::string name;  // vulnerability-remediation--node--npm
  int version = 1;
  Effect effect = Effect::hand_to_human;
  std::vector<npm::LockKind> locks;  // sorted; empty with hand_to_human: whatever is there
  std::vector<Power> powers;         // sorted; none with hand_to_human
  std::string summary;
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// Three words of small letters, digits and single dashes with two dashes between them.
/// Safe as a file name.
[[nodiscard]] bool is_plugin_name(std::string_view text);

/// Strict YAML, schema codegenie/plugin/v1. One that fixes names the lockfiles it is
/// for; one that hands to a human is allowed nothing.
[[nodiscard]] Result<Manifest, recipe::RecipeError> parse_manifest(std::string_view yaml);

}  // namespace cg::plugin
