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
#include "model/budget/budget.h"
#include "model/leaf/leaf.h"
#include "model/prompt/builder.h"
#include "model/prompt/segments.h"
#include "model/proposal/proposal.h"
#include "model/tiers/calls.h"
#include "model/tiers/ports.h"
#include "trust/record/event.h"

namespace cg::tiers {

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
  std::string said = {};                     // Why::refused_by_model: its own words, for people
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

/// A question as it would be sent, and what that may cost at most, as the ledger counts.
struct Preview {
  std::string system, user;
  std::vector<prompt::Segment> segments;
  std::string model;
  std::uint64_t bytes = 0;              // of the request
  std::uint64_t input = 0, output = 0;  // tokens
  Money usd;
  std::string over;  // why the budget would not let it be sent, one sentence; empty: it would
};

/// One for a workflow: the budget and the count of violations are its.
class Asking {
 public:
  /// `violations`: of a workflow that was interrupted and goes on.
  Asking(Tools tools, budget::Ledger ledger, unsigned violations, record::Events& events)
      : tools_(std::move(tools)),
        before_(ledger.calls().size()),
        calls_(tools_.leaf, tools_.journal, tools_.model, std::move(ledger), events),
        violations_(violations),
        events_(events) {}

  /// `attempt` counts from 1, those `before` a model included; `failure` is what the gates said to
  /// the last one.
  [[nodiscard]] Result<Asked, Problem> ask(const Question& question, unsigned attempt,
                                           const std::vector<Text>& failure, const Judge& judge);
  /// What ask() would send first. Nobody is asked and nothing is set aside.
  [[nodiscard]] Preview preview(const Question& question, unsigned attempt,
                                const std::vector<Text>& failure);
  [[nodiscard]] const budget::Ledger& ledger() const { return calls_.ledger(); }
  /// What somebody was paid for, and what recorded answers had cost when they were recorded.
  struct Bill {
    budget::Spent paid, replayed;
  };
  [[nodiscard]] Bill bill() const;
  [[nodiscard]] unsigned violations() const { return violations_; }
  /// Texts that it was not told whole, each once: secrets, orders to it, what did not fit.
  [[nodiscard]] const std::vector<prompt::Segment>& marked() const { return marked_; }

 private:
  struct Attempt {
    const Question& question;
    unsigned number;
    const Judge& judge;
  };
  [[nodiscard]] std::vector<Text> examples(const Question& question, unsigned attempt);
  [[nodiscard]] std::vector<Text> texts_beside(const Question& question, unsigned attempt,
                                               const std::vector<Text>& failure);
  [[nodiscard]] std::string request_of(const prompt::Prompt& prompt) const;
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
  std::size_t before_;  // calls of an interrupted workflow
  Calls calls_;
  unsigned violations_;
  record::Events& events_;
  std::vector<prompt::Segment> marked_;
};

}  // namespace cg::tiers
