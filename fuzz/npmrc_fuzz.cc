// An .npmrc as the operator's and as a repository's: whatever a repository writes, the
// registry, the token and the authorities stay the operator's.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/base/assert.h"
#include "npm/registry/config.h"

namespace {

using namespace cg::registry;

std::optional<std::string> lookup(std::string_view name) {
  return name.size() % 2 == 0 ? std::optional(std::string(name)) : std::nullopt;
}

void check_project(const Npmrc& npmrc) {
  Layers layers;
  layers.user = *parse_npmrc("registry=https://ours.example/\n//ours.example/:_authToken=t\n", {});
  layers.project = npmrc;
  const auto config = Config::merge(layers);
  CG_ASSERT(config);
  const Choice* choice = config->registry_for("@s/a");
  CG_ASSERT((choice == nullptr) == config->redirect().has_value());
  if (choice == nullptr) return;
  CG_ASSERT(choice->url.str() == "https://ours.example/");
  CG_ASSERT(config->authorization(choice->url) == "Bearer t");
  CG_ASSERT(config->authorities().empty() && config->authorities_file().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto npmrc = parse_npmrc(text, lookup);
  if (npmrc) {
    Layers layers;
    layers.user = *npmrc;
    if (const auto config = Config::merge(layers)) {
      const Choice* choice = config->registry_for("@s/a");
      if (choice != nullptr) {
        CG_ASSERT(RegistryUrl::parse(choice->url.str()) == choice->url);
        for (const char c : config->authorization(choice->url)) CG_ASSERT(c >= ' ' && c < '\x7f');
      }
    }
    check_project(*npmrc);
  }
  if (const auto url = RegistryUrl::parse(text)) CG_ASSERT(RegistryUrl::parse(url->str()) == *url);
  return 0;
}
