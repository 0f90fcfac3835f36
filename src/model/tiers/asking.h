// Asking: the last tiers of a fix, from a question to a plan that may be tried.
//
// For one attempt at one group of copies, in this order and no other: a solved example (until a
// plan of this tier has failed), the prompt, the budget, the model, the rules for what it said.
// What costs money is an event before it happens. An answer that breaks the protocol gets one try
// at repair; three in a workflow end it. One that keeps to it and is turned down is a failed
// attempt, and the next question says why. Of what a model wrote one thing comes back to it: what
// its last plan changed in sources, as we worked it out, fenced (ADR 0051).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "fix/plugin/skill.h"
#include "model/proposal/proposal.h"
#include "model/tiers/calls.h"

namespace cg::tiers {

/// A text that others wrote, and what we call it.
struct Text {
  SourceKind kind = SourceKind::source_snippet;
  std::string payload;
  std::string label;
  std::size_t line = 0;  // of the file that `label` names, where it begins; 0: it is no part of one
};

struct Question {
  std::string group;  // which copies: see record::AttemptEnded
  prompt::Task task;
  std::vector<Text> texts;
  unsigned before = 0;  // attempts at this group that no model and no example had thought of
};

/// A fix of something alike that passed its gates.
struct Example {
  std::string record;      // its id
  std::string similarity;  // "0.87"
  bool degraded = false;   // near, not near enough to be called a hit
  std::string text;
};

/// Tier 2.
class Retrieval {
 public:
  virtual ~Retrieval() = default;
  /// The nearest first, three at most.
  [[nodiscard]] virtual std::vector<Example> nearest(const Question& question) = 0;
};
/// There are none until the first fix has passed.
class NoExamples final : public Retrieval {
 public:
  [[nodiscard]] std::vector<Example> nearest(const Question&) override { return {}; }
};

/// A plan that may be tried, by the judge's word.
struct Planned {
  proposal::Proposal proposal;
  leaf::Trace trace;      // of the answer that it came in
  hash::Digest prompt{};  // BLAKE3 of what was asked
};
/// Nothing came of this attempt; the next may do better.
struct NoPlan {
  std::string reason;
  std::string told = {};  // to the next question, fenced: it may have lines of the repository
};
/// Nobody is to ask this again; nor anything else in this workflow, unless the model refused.
struct GivenUp {
  enum class Why { budget, violations, refused_by_model, leaf };
  Why why = Why::budget;
  std::string reason;                        // one sentence
  std::optional<leaf::FailureKind> failure;  // Why::leaf
  [[nodiscard]] bool ends_workflow() const { return why != Why::refused_by_model; }
};
using Asked = std::variant<Planned, NoPlan, GivenUp>;
/// A plan that keeps to the protocol, and may not be tried.
struct Rejected {
  std::string rule, where;  // for the log: "does_not_apply", "src/a.js:12"
  std::string told = {};    // NoPlan::told
};
/// Nothing if it may be tried.
using Judge = std::function<std::optional<Rejected>(const proposal::Proposal&)>;
inline constexpr unsigned kMaxViolations = 3;

struct Tools {
  leaf::Leaf& leaf;
  Retrieval& retrieval;
  Journal& journal;
  const plugin::Skill& skill;
  prompt::NonceSource& nonces;
  std::string model;
};

/// One for a workflow: the budget and the count of violations are its.
class Asking {
 public:
  /// `violations`: of a workflow that was interrupted and goes on.
  Asking(Tools tools, budget::Ledger ledger, unsigned violations, record::Events& events)
      : tools_(std::move(tools)),
        calls_(tools_.leaf, tools_.journal, tools_.model, std::move(ledger), events),
        violations_(violations),
        events_(events) {}

  /// `attempt` counts from 1, those `before` a model included; `failure` is what the gates said to
  /// the last one.
  [[nodiscard]] Result<Asked, Problem> ask(const Question& question, unsigned attempt,
                                           const std::vector<Text>& failure, const Judge& judge);
  [[nodiscard]] const budget::Ledger& ledger() const { return calls_.ledger(); }
  [[nodiscard]] unsigned violations() const { return violations_; }
  /// What it was told without the secrets in it, each once.
  [[nodiscard]] const std::vector<prompt::Withheld>& withheld() const { return withheld_; }

 private:
  struct Attempt {
    const Question& question;
    unsigned number;
    const Judge& judge;
  };
  [[nodiscard]] std::vector<Text> examples(const Question& question, unsigned attempt);
  [[nodiscard]] std::size_t room_for_body(std::string_view system) const;
  [[nodiscard]] prompt::Prompt build(const Question& question, const std::vector<Text>& more,
                                     prompt::Repair repair);
  [[nodiscard]] Result<std::variant<leaf::Answer, GivenUp>, Problem> call(
      const Attempt& attempt, const prompt::Prompt& prompt);
  [[nodiscard]] Asked read(const Attempt& attempt, leaf::Proposed&& proposed,
                           const hash::Digest& prompt);
  [[nodiscard]] NoPlan reject(const Attempt& attempt, const leaf::Trace& trace, Rejected rejected);
  [[nodiscard]] Asked violated(const Attempt& attempt, const leaf::Violated& answer);

  Tools tools_;
  Calls calls_;
  unsigned violations_;
  record::Events& events_;
  std::vector<prompt::Withheld> withheld_;
};

}  // namespace cg::tiers
