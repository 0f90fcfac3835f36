// Events about the data that decisions rest on; a part of event.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"

namespace cg::record {

/// Which stream an event belongs to.
enum class Home { spanning, workflow };

/// Of a kind: what is worth a look, and what somebody should be woken for. Most are notes.
enum class Severity { note, warning, block };

/// The cap of a field that its kind got later: it is left out where it says nothing, so that
/// entries from before read as ever.
struct Added {
  std::size_t cap = 0;
};

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

struct ManagerFetched {
  static constexpr std::string_view kKind = "manager_fetched";
  static constexpr std::string_view kSays =
      "The package manager that a repository is installed and run with came as a package";
  static constexpr Home kHome = Home::workflow;
  std::string integrity;  // that its bytes were compared with
  std::string lockfile;
  std::string package;
  std::string version;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("integrity", self.integrity, 256);
    f("lockfile", self.lockfile, 512);
    f("package", self.package, 64);
    f("version", self.version, 64);
  }
  friend bool operator==(const ManagerFetched&, const ManagerFetched&) = default;
};

struct PreflightDone {
  static constexpr std::string_view kKind = "preflight_done";
  static constexpr std::string_view kSays =
      "What stands in the way of a proof was looked for in files, before anything was run";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t blocks = 0;    // of these, with one of them nothing is installed or run
  std::uint64_t may_fail = 0;  // and with these, tests may fail at the base too
  std::uint64_t notes = 0;
  std::string worst;  // the first of all; empty if there was none
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("blocks", self.blocks, 0);
    f("may_fail", self.may_fail, 0);
    f("notes", self.notes, 0);
    f("worst", self.worst, 512);
  }
  friend bool operator==(const PreflightDone&, const PreflightDone&) = default;
};

struct PackagesStocked {
  static constexpr std::string_view kKind = "packages_stocked";
  static constexpr std::string_view kSays =
      "The packages of a lockfile are at hand, each with the integrity that the lock gives";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
  std::uint64_t fetched = 0;  // of them, from the registry; the others were there
  std::string lockfile;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("bytes", self.bytes, 0);
    f("count", self.count, 0);
    f("fetched", self.fetched, 0);
    f("lockfile", self.lockfile, 512);
  }
  friend bool operator==(const PackagesStocked&, const PackagesStocked&) = default;
};

}  // namespace cg::record
