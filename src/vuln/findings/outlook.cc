#include "vuln/findings/outlook.h"

#include <algorithm>
#include <optional>

#include "npm/resolve/ranges.h"
#include "npm/semver/caret.h"

namespace cg::findings {

namespace {

using npm::Edge;
using npm::Graph;
using npm::Node;
using semver::Version;

std::string who(const Node& node) {
  return node.source == npm::Source::root ? "this repository" : provenance::label(node);
}

/// Whether a dependent that wrote `range` would take `version`.
enum class Takes { yes, no, cannot_tell };
Takes takes(std::string_view range, const Version& version) {
  const resolve::Want want = resolve::parse_want(range);
  if (want.kind == resolve::Want::Kind::fixed) return Takes::cannot_tell;
  return want.takes(version) ? Takes::yes : Takes::no;
}

/// The lowest fix above the installed version.
std::optional<Version> lowest_fix(const Hit& hit, const Version& installed) {
  std::optional<Version> best;
  for (const std::string& text : hit.fixed_in) {
    auto fix = Version::parse(text);
    if (!fix || *fix <= installed) continue;
    if (!best || *fix < *best) best = *std::move(fix);
  }
  return best;
}

std::optional<std::string> override_on(const npm::Manifest* root, std::string_view package) {
  if (root == nullptr) return std::nullopt;
  const struct {
    const json::Value& rules;
    const char* name;
  } places[] = {{root->overrides, "overrides"},
                {root->resolutions, "resolutions"},
                {root->pnpm_overrides, "pnpm.overrides"}};
  for (const auto& place : places) {
    if (!place.rules.is_object()) continue;
    for (const auto& [key, value] : *place.rules.as_object()) {
      const std::string_view last = std::string_view(key).substr(key.rfind('/') + 1);
      const bool scoped = package.starts_with('@') && key.find(package) != std::string::npos;
      if (key == package || key.starts_with(std::string(package) + "@") || last == package ||
          scoped) {
        return "`" + key + "` in " + place.name + " of " + root->path;
      }
    }
  }
  return std::nullopt;
}

Outlook none(std::string reason) { return {Strategy::none, "", std::move(reason)}; }

struct Blockers {
  const Edge* importer = nullptr;
  const Edge* package = nullptr;
  bool unreadable = false;
};

Blockers blockers_of(const Graph& graph, npm::NodeId id, const Version& fix) {
  Blockers out;
  for (const std::uint32_t i : graph.edges_to(id)) {
    const Edge& edge = graph.edges()[i];
    const Takes taken = takes(edge.range, fix);
    if (taken == Takes::yes) continue;
    if (taken == Takes::cannot_tell) out.unreadable = true;
    const Edge*& slot = npm::is_importer(graph.node(edge.from).source) ? out.importer : out.package;
    if (slot == nullptr) slot = &edge;
  }
  return out;
}

}  // namespace

Outlook outlook_of(const Graph& graph, const provenance::Paths& paths, const Hit& hit,
                   const npm::Manifest* root) {
  const Node& node = graph.node(hit.node);
  if (hit.malware) {
    return {Strategy::remove, "", "the package is malware: no version of it is to be trusted"};
  }
  if (const auto by = provenance::dictated(graph, paths, hit.node)) {
    const bool bundled = by->how == provenance::Dictated::How::bundled;
    return none((bundled ? "bundled inside " : "dictated by the shrinkwrap of ") + by->holder);
  }
  if (node.source == npm::Source::git) return none("comes from git, not from a registry");
  if (node.source == npm::Source::tarball) return none("comes from a URL of its own");
  const auto installed = Version::parse(node.version, {.loose = true});
  const auto fix = installed ? lowest_fix(hit, *installed) : std::nullopt;
  if (!fix) return none("no fixed version is known");
  const std::string target = fix->str();
  if (const auto rule = override_on(root, node.name)) {
    return {Strategy::direct_bump, target, "pinned by " + *rule};
  }
  const Blockers blockers = blockers_of(graph, hit.node, *fix);
  const auto asks = [&](const Edge& edge) {
    return who(graph.node(edge.from)) + " asks for " + std::string(edge.range);
  };
  if (blockers.unreadable)
    return {Strategy::none, target, "asked for by something else than a range"};
  if (blockers.package != nullptr) return {Strategy::parent_bump, target, asks(*blockers.package)};
  if (blockers.importer != nullptr) {
    const bool major = semver::is_breaking(*installed, *fix);
    return {major ? Strategy::major_bump : Strategy::direct_bump, target, asks(*blockers.importer)};
  }
  return {Strategy::relock, target, ""};
}

}  // namespace cg::findings
