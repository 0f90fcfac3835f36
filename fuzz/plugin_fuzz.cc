// Plugin files: pins have one spelling, and what was read of a recipe is within bounds.
#include <cstdlib>

#include "base/base/bytes.h"
#include "fix/plugin/manifest.h"
#include "fix/plugin/pins.h"
#include "fix/recipe/fields.h"
#include "fix/recipe/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto pins = cg::plugin::parse_pins(text)) {
    if (cg::plugin::write_pins(*pins) != text) std::abort();
  }
  if (const auto manifest = cg::plugin::parse_manifest(text)) {
    if (!cg::plugin::is_plugin_name(manifest->name)) std::abort();
  }
  if (const auto recipe = cg::recipe::parse_recipe(text)) {
    if (!cg::recipe::is_word(recipe->id) || recipe->locks.empty()) std::abort();
    if (!cg::recipe::RecipeBook::make({*recipe})) std::abort();
  }
  return 0;
}
