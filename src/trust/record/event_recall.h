// Events of what need not be done again: steps, and questions to a model; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct StepKept {
  static constexpr std::string_view kKind = "step_kept";
  static constexpr std::string_view kSays =
      "What a step showed was put aside, so that nobody runs it again on the same";
  static constexpr Home kHome = Home::workflow;
  hash::Digest digest{};  // SHA-256 of the file
  hash::Digest key{};     // BLAKE3 over all that went into the step
  std::string step;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("key", self.key, 64);
    f("step", self.step, 32);
  }
  friend bool operator==(const StepKept&, const StepKept&) = default;
};

struct StepRecalled {
  static constexpr std::string_view kKind = "step_recalled";
  static constexpr std::string_view kSays =
      "A step was not run, since a workflow whose word the log has ran it before";
  static constexpr Home kHome = Home::workflow;
  std::string ending;
  hash::Digest err{};  // as of step_ran
  std::string isolation;
  hash::Digest key{};  // as of step_kept
  hash::Digest out{};
  std::string side;  // base or fix
  std::string step;
  std::string workflow;  // that ran it
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("ending", self.ending, 64);
    f("err", self.err, 64);
    f("isolation", self.isolation, 32);
    f("key", self.key, 64);
    f("out", self.out, 64);
    f("side", self.side, 8);
    f("step", self.step, 32);
    f("workflow", self.workflow, 32);
  }
  friend bool operator==(const StepRecalled&, const StepRecalled&) = default;
};

struct RecallRefused {
  static constexpr std::string_view kKind = "recall_refused";
  static constexpr std::string_view kSays =
      "What was put aside of a step is not what the log says it was; the step is run again";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  hash::Digest key{};  // as of step_kept
  std::string reason;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("key", self.key, 64);
    f("reason", self.reason, 256);
  }
  friend bool operator==(const RecallRefused&, const RecallRefused&) = default;
};

struct PlanRecalled {
  static constexpr std::string_view kKind = "plan_recalled";
  static constexpr std::string_view kSays =
      "A model's plan is tried again that an earlier workflow made a branch of; nobody is asked";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t attempt = 0;  // of this workflow, from 1
  std::string branch;
  std::string commit;
  std::string group;
  std::string kind;      // as of plan_proposal_accepted
  std::string workflow;  // that asked for it
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("branch", self.branch, 256);
    f("commit", self.commit, 64);
    f("group", self.group, 64);
    f("kind", self.kind, 32);
    f("workflow", self.workflow, 32);
  }
  friend bool operator==(const PlanRecalled&, const PlanRecalled&) = default;
};

struct BranchStale {
  static constexpr std::string_view kKind = "branch_stale";
  static constexpr std::string_view kSays =
      "A branch that a model's plan became starts from another commit; it is kept, and no fix";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::string base;  // that it starts from
  std::string branch;
  std::string commit;
  std::string group;
  std::string workflow;  // that made it
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("base", self.base, 64);
    f("branch", self.branch, 256);
    f("commit", self.commit, 64);
    f("group", self.group, 64);
    f("workflow", self.workflow, 32);
  }
  friend bool operator==(const BranchStale&, const BranchStale&) = default;
};

}  // namespace cg::record
