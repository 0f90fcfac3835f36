#include "fix/plugin/load.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "base/os/dir.h"
#include "base/os/own_programs.h"

namespace cg::plugin {

namespace {

constexpr std::size_t kMaxFiles = recipe::kMaxRecipes + 1;
constexpr std::size_t kMaxPinsBytes = 16 * 1024;
constexpr std::string_view kManifestFile = "plugin.yaml";
const std::string kRecipes = "recipes";
const std::string kSkills = "skills";

Problem problem(ErrorCode code, std::string what, const std::string& file) {
  return {code,
          std::move(what),
          {{"file", printable(file)}},
          "no plugin was used; nothing was changed",
          {"install codegenie again, or restore its plugins folder"}};
}

Problem unreadable(const os::Error& error, const std::string& file) {
  const bool gone = error.kind == os::Error::Kind::not_found;
  return problem(gone ? ErrorCode::plugin_missing : ErrorCode::plugin_bad, os::describe(error),
                 file);
}

Problem misplaced(const std::string& file) {
  return problem(ErrorCode::plugin_bad, "a file has no place in a plugin", file);
}

/// "npm-relock.yaml": nothing else may lie in recipes/.
bool is_recipe_file(std::string_view name) {
  return name.ends_with(".yaml") && name.size() < 80 &&
         std::all_of(name.begin(), name.end() - 5, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

/// A plugin's folder holds plugin.yaml, recipes/ and skills/, and nothing else at all.
class TreeReader {
 public:
  explicit TreeReader(const os::Dir& root) : root_(root) {}

  Result<std::vector<File>, Problem> run() {
    CG_TRY_ASSIGN(const auto names, entries(root_, kMaxFiles));
    for (const os::Entry& entry : names) {
      const bool is_folder = entry.type == os::FileInfo::Type::folder;
      if (entry.name == kManifestFile) {
        CG_TRY(read(entry.name, recipe::kMaxRecipeBytes));
      } else if (entry.name == kRecipes && is_folder) {
        CG_TRY(read_folder(kRecipes, is_recipe_file, {kMaxFiles, recipe::kMaxRecipeBytes}));
      } else if (entry.name == kSkills && is_folder) {
        CG_TRY(read_folder(kSkills, is_skill_file, {kMaxSkills, kMaxSkillBytes}));
      } else {
        return fail(misplaced(root_.path_of(entry.name)));
      }
    }
    return std::move(files_);
  }

 private:
  static Result<std::vector<os::Entry>, Problem> entries(const os::Dir& dir, std::size_t most) {
    auto found = dir.entries(most);
    if (!found) return fail(unreadable(found.error(), dir.path()));
    // So that of several faults always the same one is told.
    std::sort(found->begin(), found->end(),
              [](const os::Entry& a, const os::Entry& b) { return a.name < b.name; });
    return *std::move(found);
  }

  Result<Done, Problem> read(const std::string& path, std::size_t most) {
    auto bytes = root_.read(path, most);
    if (!bytes) return fail(unreadable(bytes.error(), root_.path_of(path)));
    files_.push_back({path, *std::move(bytes)});
    return Done{};
  }

  struct Most {
    std::size_t files;
    std::size_t bytes;  // of each
  };
  Result<Done, Problem> read_folder(const std::string& folder, bool (*belongs)(std::string_view),
                                    Most most) {
    const auto dir = root_.open_dir(folder);
    if (!dir) return fail(unreadable(dir.error(), root_.path_of(folder)));
    CG_TRY_ASSIGN(const auto names, entries(*dir, most.files));
    for (const os::Entry& entry : names) {
      if (!belongs(entry.name)) return fail(misplaced(dir->path_of(entry.name)));
      CG_TRY(read(folder + "/" + entry.name, most.bytes));
    }
    return Done{};
  }

  const os::Dir& root_;
  std::vector<File> files_;
};

Problem bad(const recipe::RecipeError& error, const std::string& file) {
  return problem(ErrorCode::plugin_bad, error.what,
                 error.line == 0 ? file : file + ":" + std::to_string(error.line));
}

Result<recipe::Recipe, Problem> parse_recipe_file(const File& file, const std::string& path) {
  auto recipe = recipe::parse_recipe(file.bytes);
  if (!recipe) return fail(bad(recipe.error(), path));
  if (file.path != kRecipes + "/" + recipe->id + ".yaml") {
    return fail(
        problem(ErrorCode::plugin_bad, "the file holds the recipe `" + recipe->id + "`", path));
  }
  return *std::move(recipe);
}

/// Recipes fit the plugin: some if it fixes, none if not, all for its own lockfiles. What
/// hands to a human asks no model either.
Result<Done, Problem> check_fit(const Plugin& plugin, const std::string& path) {
  const bool fixes = plugin.manifest.effect == Effect::fix;
  if (fixes == plugin.recipes.all().empty()) {
    return fail(problem(ErrorCode::plugin_bad,
                        fixes ? "the plugin fixes, but has no recipe"
                              : "the plugin hands to a human, but has recipes",
                        path));
  }
  if (!fixes && !plugin.skills.empty()) {
    return fail(
        problem(ErrorCode::plugin_bad, "the plugin hands to a human, but has skills", path));
  }
  const auto& locks = plugin.manifest.locks;
  for (const recipe::Recipe& one : plugin.recipes.all()) {
    if (!std::includes(locks.begin(), locks.end(), one.locks.begin(), one.locks.end())) {
      return fail(problem(ErrorCode::plugin_bad,
                          one.id + " is for a lockfile that the plugin is not for", path));
    }
  }
  return Done{};
}

Result<Plugin, Problem> parse_plugin(const std::string& name, const std::vector<File>& files,
                                     const hash::Digest& digest, const std::string& path) {
  std::optional<Manifest> manifest;
  std::vector<recipe::Recipe> recipes;
  std::vector<Skill> skills;
  for (const File& file : files) {
    const std::string file_path = path + "/" + file.path;
    if (file.path.starts_with(kSkills + "/")) {
      auto skill = SkillReader::read(file);
      if (!skill) return fail(problem(ErrorCode::plugin_bad, skill.error(), file_path));
      skills.push_back(*std::move(skill));
      continue;
    }
    if (file.path == kManifestFile) {
      auto parsed = parse_manifest(file.bytes);
      if (!parsed) return fail(bad(parsed.error(), file_path));
      manifest = *std::move(parsed);
      continue;
    }
    CG_TRY_ASSIGN(recipe::Recipe recipe, parse_recipe_file(file, file_path));
    recipes.push_back(std::move(recipe));
  }
  if (!manifest) return fail(problem(ErrorCode::plugin_bad, "the plugin has no plugin.yaml", path));
  if (manifest->name != name) {
    return fail(problem(ErrorCode::plugin_bad,
                        "the folder holds the plugin `" + manifest->name + "`", path));
  }
  auto book = recipe::RecipeBook::make(std::move(recipes));
  if (!book) return fail(bad(book.error(), path));
  Plugin plugin{*std::move(manifest), digest, *std::move(book), std::move(skills)};
  CG_TRY(check_fit(plugin, path));
  return plugin;
}

Result<std::vector<Pin>, Problem> read_pins(const os::Dir& dir) {
  const std::string name(kPinsFile);
  const auto bytes = dir.read(name, kMaxPinsBytes);
  if (!bytes) return fail(unreadable(bytes.error(), dir.path_of(name)));
  auto pins = parse_pins(*bytes);
  if (!pins)
    return fail(problem(ErrorCode::plugin_pin, "PLUGINS.lock is malformed", dir.path_of(name)));
  return *std::move(pins);
}

/// Whatever lies here is a folder and has a pin.
Result<Done, Problem> check_names(const os::Dir& dir, const std::vector<Pin>& pins) {
  const auto entries = dir.entries(kMaxPlugins + 1);
  if (!entries) return fail(unreadable(entries.error(), dir.path()));
  for (const os::Entry& entry : *entries) {
    if (entry.name == kPinsFile) continue;
    const bool pinned = std::any_of(pins.begin(), pins.end(),
                                    [&](const Pin& pin) { return pin.name == entry.name; });
    if (!pinned) {
      return fail(problem(ErrorCode::plugin_pin, "not in PLUGINS.lock: " + printable(entry.name),
                          dir.path_of(entry.name)));
    }
    if (entry.type != os::FileInfo::Type::folder) {
      return fail(problem(ErrorCode::plugin_bad, "not a folder: " + printable(entry.name),
                          dir.path_of(entry.name)));
    }
  }
  return Done{};
}

Result<Plugin, Problem> load_one(const os::Dir& dir, const Pin& pin) {
  const std::string path = dir.path_of(pin.name);
  CG_TRY_ASSIGN(const std::vector<File> files, read_tree(dir.path(), pin.name));
  const hash::Digest digest = tree_digest(files);
  if (digest != pin.digest) {
    Problem differs =
        problem(ErrorCode::plugin_pin, pin.name + " is not the plugin that is pinned", path);
    differs.where.emplace_back("expected", "sha256:" + to_hex(pin.digest));
    differs.where.emplace_back("found", "sha256:" + to_hex(digest));
    return fail(std::move(differs));
  }
  return parse_plugin(pin.name, files, digest, path);
}

/// No two are for the same lockfile, and one takes what is left.
Result<std::size_t, Problem> check_all(const std::vector<Plugin>& plugins,
                                       const std::string& folder) {
  std::set<npm::LockKind> seen;
  for (const Plugin& plugin : plugins) {
    for (const npm::LockKind kind : plugin.manifest.locks) {
      if (seen.insert(kind).second) continue;
      return fail(problem(ErrorCode::plugin_bad,
                          "two plugins are for " + std::string(npm::name(kind)), folder));
    }
  }
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    const Manifest& manifest = plugins[i].manifest;
    if (manifest.name == kUniversal && manifest.effect == Effect::hand_to_human) return i;
  }
  return fail(problem(ErrorCode::plugin_missing,
                      "there is no " + std::string(kUniversal) + " that hands to a human", folder));
}

}  // namespace

Result<std::vector<File>, Problem> read_tree(const std::string& folder, const std::string& plugin) {
  const auto root = os::Dir::open(folder);
  if (!root) return fail(unreadable(root.error(), folder));
  const auto tree = root->open_dir(plugin);
  if (!tree) return fail(unreadable(tree.error(), root->path_of(plugin)));
  return TreeReader(*tree).run();
}

Result<Plugins, Problem> Plugins::load(const std::string& folder) {
  const auto dir = os::Dir::open(folder);
  if (!dir) return fail(unreadable(dir.error(), folder));
  CG_TRY_ASSIGN(const std::vector<Pin> pins, read_pins(*dir));
  CG_TRY(check_names(*dir, pins));
  std::vector<Plugin> plugins;
  for (const Pin& pin : pins) {
    CG_TRY_ASSIGN(Plugin plugin, load_one(*dir, pin));
    plugins.push_back(std::move(plugin));
  }
  CG_TRY_ASSIGN(const std::size_t universal, check_all(plugins, folder));
  return Plugins(folder, std::move(plugins), universal);
}

const Skill* Plugin::find_skill(std::string_view name) const {
  const auto it = std::find_if(skills.begin(), skills.end(),
                               [&](const Skill& skill) { return skill.name() == name; });
  return it == skills.end() ? nullptr : &*it;
}

const Plugin* Plugins::find(std::string_view name) const {
  const auto it = std::find_if(plugins_.begin(), plugins_.end(),
                               [&](const Plugin& plugin) { return plugin.manifest.name == name; });
  return it == plugins_.end() ? nullptr : &*it;
}

const Plugin& Plugins::plugin_for(npm::LockKind kind) const {
  const auto it = std::find_if(plugins_.begin(), plugins_.end(), [&](const Plugin& plugin) {
    const auto& locks = plugin.manifest.locks;
    return std::binary_search(locks.begin(), locks.end(), kind);
  });
  return it == plugins_.end() ? universal() : *it;
}

std::vector<recipe::Recipe> Plugins::recipes_for(npm::LockKind kind) const {
  return plugin_for(kind).recipes.recipes_for(kind);
}

record::Events Plugins::events() const {
  record::Events out;
  for (const Plugin& plugin : plugins_) {
    out.emplace_back(record::PluginLoaded{plugin.digest, plugin.manifest.name});
  }
  return out;
}

Result<std::string, Problem> find_folder() {
  const auto found = os::own_folder();
  const std::string own = found ? *found : "";
  for (const std::string& folder : {own + "/plugins", own + "/../share/codegenie/plugins"}) {
    if (access((folder + "/" + std::string(kPinsFile)).c_str(), F_OK) == 0) return folder;
  }
  return fail(problem(ErrorCode::plugin_missing, "no plugins beside the program", own));
}

Result<Plugins, Problem> load_installed() {
  CG_TRY_ASSIGN(const std::string folder, find_folder());
  return Plugins::load(folder);
}

}  // namespace cg::plugin
