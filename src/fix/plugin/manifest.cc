#include "fix/plugin/manifest.h"

#include <algorithm>
#include <cstdlib>

#include "base/base/text.h"
#include "fix/recipe/fields.h"

namespace cg::plugin {

namespace {

constexpr std::string_view kSchema = "codegenie/plugin/v1";
constexpr std::size_t kMaxSummary = 200;
constexpr std::size_t kMaxName = 128;
constexpr int kMaxVersion = 100'000;
constexpr Power kPowers[] = {Power::npm_install, Power::fs_read_write, Power::git_local_ops};

std::vector<Power> read_powers(recipe::Fields& fields) {
  std::vector<Power> out;
  for (const std::string& word : fields.texts("capabilities", std::size(kPowers))) {
    const auto* found = std::find_if(std::begin(kPowers), std::end(kPowers),
                                     [&](Power power) { return name(power) == word; });
    if (found == std::end(kPowers)) {
      fields.refuse("no capability is called `" + printable(word) + "`", 0);
      return {};
    }
    out.push_back(*found);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::string_view name(Power power) {
  switch (power) {
    case Power::npm_install:
      return "npm_install";
    case Power::fs_read_write:
      return "fs_read_write";
    case Power::git_local_ops:
      return "git_local_ops";
  }
  std::abort();
}

std::string_view name(Effect effect) {
  switch (effect) {
    case Effect::fix:
      return "fix";
    case Effect::hand_to_human:
      return "hand_to_human";
  }
  std::abort();
}

bool is_plugin_name(std::string_view text) {
  std::size_t parts = 0;
  for (bool more = text.size() <= kMaxName; more; ++parts) {
    const std::size_t end = text.find("--");
    if (!recipe::is_word(text.substr(0, end))) return false;
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 2);
  }
  return parts == 3;
}

Result<Manifest, recipe::RecipeError> parse_manifest(std::string_view yaml) {
  CG_TRY_ASSIGN(const json::Value root, recipe::parse_mapping(yaml, recipe::kMaxRecipeBytes));
  recipe::Fields fields(root, "");
  static_cast<void>(fields.one_of("schema", {kSchema}));
  Manifest out;
  out.name = fields.text("name", kMaxName);
  out.version = fields.number("version", 1, kMaxVersion);
  const bool fixes = fields.one_of("effect", {"fix", "hand_to_human"}) == "fix";
  out.effect = fixes ? Effect::fix : Effect::hand_to_human;
  out.locks = recipe::lock_kinds(fields, "locks");
  out.powers = read_powers(fields);
  out.summary = fields.text("summary", kMaxSummary);
  if (!is_plugin_name(out.name)) fields.refuse("`name` must be task--language--build", 0);
  if (fixes && out.locks.empty()) fields.refuse("a plugin that fixes must name lockfiles", 0);
  if (!fixes && !(out.locks.empty() && out.powers.empty())) {
    fields.refuse("a plugin that hands to a human has no lockfiles and no capabilities", 0);
  }
  if (auto error = fields.finish()) return fail(*std::move(error));
  return out;
}

}  // namespace cg::plugin
