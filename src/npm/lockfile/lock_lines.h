// For the tests of this module: graphs as lines of text, and damaged locks.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "npm/lockfile/lock.h"

namespace cg::lockfile::test {

using Lines = std::vector<std::string>;

inline std::string flags(const Flags& flags) {
  std::string out;
  if (flags.dev) out += " dev";
  if (flags.optional) out += " optional";
  if (flags.dev_optional) out += " dev_optional";
  if (flags.extraneous) out += " extraneous";
  if (flags.install_script) out += " script";
  return out;
}

inline std::string_view name(Source source) {
  constexpr std::string_view kNames[] = {"root", "workspace", "registry", "tarball",
                                         "git",  "directory", "link"};
  return kNames[static_cast<int>(source)];
}

/// "a@1.0.0 registry dev", with the alias before it.
inline std::string describe(const Node& node) {
  std::string out = node.alias.empty() ? "" : std::string(node.alias) + "=";
  return out + std::string(node.name) + "@" + std::string(node.version) + " " +
         std::string(name(node.source)) + flags(node.flags);
}

inline std::string describe(const Graph& lock, const Edge& edge) {
  constexpr std::string_view kKinds[] = {"", " dev", " optional", " peer", " peer_optional"};
  const std::string to = edge.to == kNoNode ? "nothing" : std::string(lock.node(edge.to).location);
  return std::string(lock.node(edge.from).location) + " > " + std::string(edge.name) + " " +
         std::string(edge.range) + ": " + to + std::string(kKinds[static_cast<int>(edge.kind)]);
}

inline Lines nodes(const Graph& lock) {
  Lines out;
  for (const Node& node : lock.nodes()) {
    out.push_back(std::string(node.location) + ": " + describe(node));
  }
  return out;
}

inline Lines edges(const Graph& lock) {
  Lines out;
  for (const Edge& edge : lock.edges()) out.push_back(describe(lock, edge));
  return out;
}

/// Either an error with a place in the text, or a sound graph.
template <class Read>
void expect_no_crash(const std::string& text, const Read& read) {
  const Result<Graph, LockError> lock = read(text);
  if (lock) {
    for (const Edge& edge : lock->edges()) EXPECT_LT(edge.from, lock->nodes().size());
  } else {
    EXPECT_LE(lock.error().at.offset, text.size());
    EXPECT_FALSE(lock.error().what.empty());
  }
}

/// Cut at every 97th byte, and 500 times with a few bytes changed.
template <class Read>
void damage(const std::string& text, const Read& read) {
  for (std::size_t n = 0; n < text.size(); n += 97) expect_no_crash(text.substr(0, n), read);
  std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  for (int i = 0; i < 500; ++i) {
    std::string flipped = text;
    for (int k = 0; k < 3; ++k) {
      char& c = flipped[random() % flipped.size()];
      c = i % 2 == 0 ? static_cast<char>(c ^ (1 << (random() % 7)))
                     : "\n :-'(){}[]@/,\""[random() % 15];
    }
    expect_no_crash(flipped, read);
  }
}

}  // namespace cg::lockfile::test
