// Loading plugins: a folder of trees, each with the digest that PLUGINS.lock gives it.
//
// All or nothing. A plugin that is not pinned, a pin without a plugin, another digest,
// a symbolic link, a file that has no place in a plugin, an unknown key: each ends the
// load with a Problem of exit 4. The bytes whose digest was compared are the bytes that
// are parsed; nothing is read twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "fix/plugin/manifest.h"
#include "fix/plugin/pins.h"
#include "fix/plugin/skill.h"
#include "fix/recipe/recipe.h"
#include "npm/npm/graph.h"
#include "trust/record/event.h"

namespace cg::plugin {

struct Plugin {
  Manifest manifest;
  hash::Digest digest{};       // of its tree, as pinned
  recipe::RecipeBook recipes;  // none with Effect::hand_to_human
  std::vector<Skill> skills;   // by name; none with Effect::hand_to_human
  [[nodiscard]] const Skill* find_skill(std::string_view name) const;
};

class Plugins {
 public:
  /// Reads `folder`, which holds PLUGINS.lock and one folder per plugin.
  [[nodiscard]] static Result<Plugins, Problem> load(const std::string& folder);

  /// Sorted by name.
  [[nodiscard]] const std::vector<Plugin>& all() const { return plugins_; }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] const Plugin* find(std::string_view name) const;

  /// Who is in charge of a repository with this kind of lockfile. There always is one:
  /// what no other plugin is for goes to the universal one, which hands to a human.
  [[nodiscard]] const Plugin& plugin_for(npm::LockKind kind) const;
  [[nodiscard]] const Plugin& universal() const { return plugins_[universal_]; }
  /// Those of plugin_for(), the lowest precedence first.
  [[nodiscard]] std::vector<recipe::Recipe> recipes_for(npm::LockKind kind) const;

  /// That they were loaded, one event each.
  [[nodiscard]] record::Events events() const;

 private:
  Plugins(std::string folder, std::vector<Plugin> plugins, std::size_t universal)
      : folder_(std::move(folder)), plugins_(std::move(plugins)), universal_(universal) {}

  std::string folder_;
  std::vector<Plugin> plugins_;
  std::size_t universal_;
};

/// Of the plugin that hands to a human what no other is for.
inline constexpr std::string_view kUniversal = "universal--any--any";

/// Where the plugins of this program lie: `plugins` beside it, as in the build tree, or
/// `../share/codegenie/plugins`, as installed.
[[nodiscard]] Result<std::string, Problem> find_folder();
/// Those, verified and read.
[[nodiscard]] Result<Plugins, Problem> load_installed();

/// The files of one plugin, unjudged but bounded. For tools that write pins.
[[nodiscard]] Result<std::vector<File>, Problem> read_tree(const std::string& folder,
                                                           const std::string& plugin);

}  // namespace cg::plugin
