// Where a lock says its packages come from, and what it would say of another one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "npm/npm/graph.h"
#include "npm/registry/release.h"

namespace cg::edit {

/// The registry's part of a `resolved`, and how the name behind it is spelt.
struct Prefix {
  std::string_view address;  // "https://registry.example/", with all that precedes the name
  bool encoded = false;      // "@s%2fb" for "@s/b"
};
/// Nothing if `resolved` has not the registry's shape, or leads to this very machine.
[[nodiscard]] std::optional<Prefix> prefix_of(std::string_view resolved, std::string_view name);

/// Learns from the entries of a lock. A mirror that somebody planned with is no part of
/// the lock, so of a release's own address only the file is used.
class Addresses {
 public:
  /// `registry` is for locks that show no address at all.
  Addresses(const npm::Graph& graph, std::string_view registry)
      : graph_(graph), registry_(registry) {}

  /// The `resolved` for `release` in the place of `old`, which may be null. Nothing where
  /// the lock has none, the release has no tarball, only a local address is known, or the
  /// old one has a shape that nothing can be learnt from: npm then asks its registry.
  [[nodiscard]] std::optional<std::string> of(const registry::Release& release,
                                              const npm::Node* old);

 private:
  [[nodiscard]] bool lock_has_none();
  [[nodiscard]] std::optional<Prefix> most_common(std::string_view scope);

  const npm::Graph& graph_;
  std::string_view registry_;
  std::optional<bool> none_;
  std::map<std::string_view, std::optional<Prefix>> by_scope_;
};

}  // namespace cg::edit
