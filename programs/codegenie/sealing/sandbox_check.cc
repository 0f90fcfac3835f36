#include "sealing/sandbox_check.h"

#include "fix/plugin/load.h"
#include "flow/supplies/sandbox_access.h"

namespace cg::program {

namespace {

Finding missing(const std::string& what, const std::string& why) {
  return {"sandbox", what, Status::warn, why};
}

std::string detail_of(const sandbox::Layer& layer) {
  if (layer.held) return layer.detail.empty() ? "in force" : layer.detail;
  const std::string why = layer.detail.empty() ? "not in force" : layer.detail;
  return layer.mandatory ? why + "; nothing that runs without it may pass" : why;
}

}  // namespace

std::vector<Finding> check_sandbox() {
  auto jails = supplies::open_jails();
  if (!jails) return {missing("jail", sandbox::describe(jails.error()))};
  // Some folder is needed for it to copy; this one is small and always there.
  const auto tree = plugin::find_folder();
  if (!tree) return {missing("jail", "no plugins beside the program")};
  sandbox::Scene scene;
  scene.tree = *tree;
  const auto chamber = jails->open(scene);
  if (!chamber) return {missing("jail", sandbox::describe(chamber.error()))};
  const sandbox::InForce& in_force = (*chamber)->in_force();
  std::vector<Finding> findings;
  for (const sandbox::Layer& layer : in_force.layers) {
    findings.push_back(
        {"sandbox", layer.name, layer.held ? Status::ok : Status::warn, detail_of(layer)});
  }
  const bool apart = in_force.isolation != sandbox::Isolation::none;
  findings.push_back({"sandbox", "isolation", apart ? Status::ok : Status::warn,
                      std::string(sandbox::name(in_force.isolation))});
  return findings;
}

}  // namespace cg::program
