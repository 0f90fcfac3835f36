// Events of a remediation about what it may do, did and left; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

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

struct PlanCommitted {
  static constexpr std::string_view kKind = "plan_committed";
  static constexpr std::string_view kSays =
      "The commit of a branch names the plan that it carries out; SHA-256 of plan.json";
  static constexpr Home kHome = Home::workflow;
  std::string commit;
  std::string group;  // which copies: see attempt_ended
  hash::Digest plan{};
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("commit", self.commit, 64);
    f("group", self.group, 64);
    f("plan", self.plan, 64);
  }
  friend bool operator==(const PlanCommitted&, const PlanCommitted&) = default;
};

struct EvidenceSigned {
  static constexpr std::string_view kKind = "evidence_signed";
  static constexpr std::string_view kSays =
      "The manifest of the bundle gets a signature, and by which key";
  static constexpr Home kHome = Home::workflow;
  std::string signer;  // fingerprint of the key
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("signer", self.signer, 128);
  }
  friend bool operator==(const EvidenceSigned&, const EvidenceSigned&) = default;
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
  static constexpr Severity kSeverity = Severity::warning;
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
