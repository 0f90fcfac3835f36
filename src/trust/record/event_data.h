// Events about the data that decisions rest on; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"

namespace cg::record {

/// Which stream an event belongs to.
enum class Home { spanning, workflow };

struct AdvisoryIndexReplaced {
  static constexpr std::string_view kKind = "advisory_index_replaced";
  static constexpr std::string_view kSays =
      "Another set of advisories counts from now on; the digest over its records";
  static constexpr Home kHome = Home::spanning;
  std::uint64_t advisories = 0;
  hash::Digest digest{};
  std::string origin;  // refresh or import, and from where
  std::uint64_t rejected = 0;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("advisories", self.advisories, 0);
    f("digest", self.digest, 64);
    f("origin", self.origin, 256);
    f("rejected", self.rejected, 0);
  }
  friend bool operator==(const AdvisoryIndexReplaced&, const AdvisoryIndexReplaced&) = default;
};

struct PluginLoaded {
  static constexpr std::string_view kKind = "plugin_loaded";
  static constexpr std::string_view kSays = "A plugin has the digest that PLUGINS.lock gives";
  static constexpr Home kHome = Home::workflow;
  hash::Digest digest{};  // SHA-256 of its tree
  std::string plugin;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("plugin", self.plugin, 128);
  }
  friend bool operator==(const PluginLoaded&, const PluginLoaded&) = default;
};

}  // namespace cg::record
