#include "text/plugins_json.h"

namespace cg::program {

namespace {

using json::Value;

Value locks_json(const std::vector<npm::LockKind>& locks) {
  Value::Array out;
  for (const npm::LockKind kind : locks) out.emplace_back(npm::name(kind));
  return out;
}

Value limits_json(const recipe::Recipe& recipe) {
  Value::Object out;
  if (recipe.strategy == "parent_bump") {
    out.emplace_back("max_depth", recipe.limits.max_depth);
    out.emplace_back("max_moved", recipe.limits.max_moved);
  }
  if (recipe.strategy == "override") {
    out.emplace_back("max_moved", recipe.limits.max_moved);
    out.emplace_back("expiry_days", recipe.limits.expiry_days);
    out.emplace_back("across_major", recipe::name(recipe.limits.across_major));
  }
  return out;
}

Value recipe_json(const recipe::Recipe& recipe) {
  return Value::Object{{"id", recipe.id},
                       {"version", recipe.version},
                       {"precedence", recipe.precedence},
                       {"strategy", recipe.strategy},
                       {"locks", locks_json(recipe.locks)},
                       {"limits", limits_json(recipe)},
                       {"digest", "sha256:" + to_hex(recipe.digest)},
                       {"summary", recipe.summary}};
}

Value plugin_json(const plugin::Plugin& plugin) {
  Value::Array recipes;
  for (const recipe::Recipe& recipe : plugin.recipes.all()) recipes.push_back(recipe_json(recipe));
  Value::Array powers;
  for (const plugin::Power power : plugin.manifest.powers) powers.emplace_back(plugin::name(power));
  return Value::Object{{"name", plugin.manifest.name},
                       {"version", plugin.manifest.version},
                       {"digest", "sha256:" + to_hex(plugin.digest)},
                       {"effect", plugin::name(plugin.manifest.effect)},
                       {"locks", locks_json(plugin.manifest.locks)},
                       {"capabilities", std::move(powers)},
                       {"recipes", std::move(recipes)},
                       {"summary", plugin.manifest.summary}};
}

}  // namespace

Value plugins_json(const plugin::Plugins& plugins) {
  Value::Array list;
  for (const plugin::Plugin& plugin : plugins.all()) list.push_back(plugin_json(plugin));
  return Value::Object{{"schema", "codegenie/plugins/v1"}, {"plugins", std::move(list)}};
}

}  // namespace cg::program
