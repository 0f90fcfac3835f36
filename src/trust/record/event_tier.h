// Events of the tiers: which of them answered, and with what; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct RecipeMissed {
  static constexpr std::string_view kKind = "recipe_missed";
  static constexpr std::string_view kSays =
      "No recipe fixes a copy without breaking something; another tier may";
  static constexpr Home kHome = Home::workflow;
  std::string advisory;
  std::string location;
  std::string package;
  std::string reason;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("advisory", self.advisory, 64);
    f("location", self.location, 512);
    f("package", self.package, 214);
    f("reason", self.reason, 512);
  }
  friend bool operator==(const RecipeMissed&, const RecipeMissed&) = default;
};

inline constexpr std::string_view kCarried = "carried";

struct RagHit {
  static constexpr std::string_view kKind = "rag_hit";
  static constexpr std::string_view kSays =
      "A solved example is near enough to be shown to a model, or to be carried over without one";
  static constexpr Home kHome = Home::workflow;
  std::string advisory;
  std::uint64_t attempt = 0;  // from 1
  std::string record;
  std::string similarity;  // "0.87"
  std::string status;      // hit, degraded or carried
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("advisory", self.advisory, 64);
    f("attempt", self.attempt, Added{});
    f("record", self.record, 64);
    f("similarity", self.similarity, 8);
    f("status", self.status, 16);
  }
  friend bool operator==(const RagHit&, const RagHit&) = default;
};

struct RagMiss {
  static constexpr std::string_view kKind = "rag_miss";
  static constexpr std::string_view kSays =
      "No solved example is near enough, or none was asked for";
  static constexpr Home kHome = Home::workflow;
  std::string advisory;
  std::uint64_t attempt = 0;  // from 1
  std::string best;           // similarity; empty: there was none
  std::string reason;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("advisory", self.advisory, 64);
    f("attempt", self.attempt, Added{});
    f("best", self.best, 8);
    f("reason", self.reason, 128);
  }
  friend bool operator==(const RagMiss&, const RagMiss&) = default;
};

struct PlanProposalAccepted {
  static constexpr std::string_view kKind = "plan_proposal_accepted";
  static constexpr std::string_view kSays = "What a model proposed is a plan that may be tried";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t attempt = 0;  // from 1
  hash::Digest digest{};      // BLAKE3 of the plan
  std::string group;
  std::string kind;
  hash::Digest rationale{};  // BLAKE3 of it; its words are nowhere
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("digest", self.digest, 64);
    f("group", self.group, 64);
    f("kind", self.kind, 32);
    f("rationale", self.rationale, 64);
  }
  friend bool operator==(const PlanProposalAccepted&, const PlanProposalAccepted&) = default;
};

struct PlanProposalRejected {
  static constexpr std::string_view kKind = "plan_proposal_rejected";
  static constexpr std::string_view kSays =
      "What a model said is no plan, or none that may be tried";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::uint64_t attempt = 0;  // from 1
  hash::Digest digest{};      // BLAKE3 of the answer
  std::string group;
  std::string reason;
  std::uint64_t violations = 0;  // of the protocol so far, in this workflow: more than at the last
                                 // such event if this answer is one, or else it was turned down
  std::string where;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("digest", self.digest, 64);
    f("group", self.group, 64);
    f("reason", self.reason, 64);
    f("violations", self.violations, 0);
    f("where", self.where, 256);
  }
  friend bool operator==(const PlanProposalRejected&, const PlanProposalRejected&) = default;
};

}  // namespace cg::record
