// Events of a remediation about what it may do, did and left; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

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

struct CapabilityMinted {
  static constexpr std::string_view kKind = "capability_minted";
  static constexpr std::string_view kSays =
      "The right to do one kind of thing within one scope was given out";
  static constexpr Home kHome = Home::workflow;
  std::string capability;
  std::string scope;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("capability", self.capability, 32);
    f("scope", self.scope, 512);
  }
  friend bool operator==(const CapabilityMinted&, const CapabilityMinted&) = default;
};

struct CapabilityUsed {
  static constexpr std::string_view kKind = "capability_used";
  static constexpr std::string_view kSays = "Such a right was made use of, and for what";
  static constexpr Home kHome = Home::workflow;
  std::string capability;
  std::string purpose;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("capability", self.capability, 32);
    f("purpose", self.purpose, 256);
  }
  friend bool operator==(const CapabilityUsed&, const CapabilityUsed&) = default;
};

struct EditsApplied {
  static constexpr std::string_view kKind = "edits_applied";
  static constexpr std::string_view kSays =
      "Files were changed in a folder of our own; the digest over what they hold now";
  static constexpr Home kHome = Home::workflow;
  hash::Digest digest{};
  std::uint64_t files = 0;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("files", self.files, 0);
  }
  friend bool operator==(const EditsApplied&, const EditsApplied&) = default;
};

struct BranchWritten {
  static constexpr std::string_view kKind = "branch_written";
  static constexpr std::string_view kSays = "A branch of the local repository holds the change";
  static constexpr Home kHome = Home::workflow;
  std::string branch;
  std::string commit;
  std::string state;  // new, or found from an earlier run
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("branch", self.branch, 256);
    f("commit", self.commit, 64);
    f("state", self.state, 16);
  }
  friend bool operator==(const BranchWritten&, const BranchWritten&) = default;
};

struct EvidenceWritten {
  static constexpr std::string_view kKind = "evidence_written";
  static constexpr std::string_view kSays = "The bundle that a reviewer can check without us";
  static constexpr Home kHome = Home::workflow;
  hash::Digest digest{};
  std::string path;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("path", self.path, 512);
  }
  friend bool operator==(const EvidenceWritten&, const EvidenceWritten&) = default;
};

struct HandoffWritten {
  static constexpr std::string_view kKind = "handoff_written";
  static constexpr std::string_view kSays = "What is left for a person to do";
  static constexpr Home kHome = Home::workflow;
  std::string path;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("path", self.path, 512);
  }
  friend bool operator==(const HandoffWritten&, const HandoffWritten&) = default;
};

struct RemediationRefused {
  static constexpr std::string_view kKind = "remediation_refused";
  static constexpr std::string_view kSays = "Nothing was fixed, and why";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t exit = 0;  // the exit code
  std::string reason;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("exit", self.exit, 0);
    f("reason", self.reason, 512);
  }
  friend bool operator==(const RemediationRefused&, const RemediationRefused&) = default;
};

}  // namespace cg::record
