// Which copies of a graph an advisory speaks of.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"
#include "vuln/advisory/rule.h"

namespace cg::findings {

/// One copy under one advisory group.
struct Hit {
  npm::NodeId node;
  std::string advisory;
  advisory::Level level;
  bool malware = false;
  std::string affected;               // ">=6.7.0 <6.7.3", or "=1.0.0" from a list
  std::vector<std::string> fixed_in;  // ends of the matching ranges; ascending
};

/// The rules of each package by its name, as checked views.
using RuleSet = std::map<std::string, std::vector<advisory::RuleView>, std::less<>>;

struct Matches {
  std::vector<Hit> hits;  // by node, then advisory
  /// Copies of packages that have advisories, but whose version is no version.
  std::vector<npm::NodeId> unreadable;
};

/// True for the copies that were published, or are taken from where anything may lie;
/// false for the repository's own packages, folders and links, which only share a name.
[[nodiscard]] bool is_published(const npm::Node& node);

/// What the rules say of one version; nothing if it is no version.
[[nodiscard]] std::vector<Hit> match_version(const std::string& package, const std::string& version,
                                             const RuleSet& rules);

[[nodiscard]] Matches match_graph(const npm::Graph& graph, const RuleSet& rules);

}  // namespace cg::findings
