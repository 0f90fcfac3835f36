// Facts: what a preflight is told of a repository and of this machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"

namespace cg::preflight {

struct TextFile {
  std::string path;  // beneath the repository
  std::string text;
};

/// A node that a file asks for: "v18", "lts/hydrogen".
struct NodeWish {
  std::string path;
  std::string field;  // "volta.node"; "it" of a file that says nothing else
  std::string text;
};

/// What is known of one lock and of the repository around it.
struct Facts {
  std::string lockfile;
  const npm::Graph& graph;
  const std::vector<npm::Manifest>& manifests;  // root first, then workspaces
  std::string node;                             // of this machine, "20.11.0"; empty: not known
  std::vector<NodeWish> node_wishes;            // beside engines.node of the manifests
  std::vector<TextFile> compose_files;
  std::vector<std::string> run_scripts;  // what policy has under gates.run_scripts, sorted
  std::vector<std::string> fetch_urls;   // and under gates.fetch_urls
  /// "name@version" -> what it runs when it is installed, where somebody could look.
  std::map<std::string, std::string, std::less<>> commands;
};

}  // namespace cg::preflight
