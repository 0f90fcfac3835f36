// Proposer: who thinks of a fix for a group of copies. Recipes, solved examples and a model
// answer in the same form, so that all of them are applied and proven alike.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "flow/job/files.h"
#include "flow/propose/groups.h"
#include "learn/example/example.h"
#include "model/tiers/asking.h"
#include "prove/gate/attempts.h"

namespace cg::propose {

/// What the gates of a fix have to show.
enum class Shows {
  as_policy,  // as much as policy asks for
  by_name,    // tests by name: it is nobody's idea yet, only a version that may break
};

/// A fix that is to be tried.
struct Candidate {
  std::vector<LockPlan> plans;
  Leeway leeway;               // that they were made with
  job::EditedFiles rewritten;  // sources that a model or an example rewrote
  std::string kind;            // of a plan that is no recipe's: "callsite_rewrite"
  std::string example;         // the record that it was carried over from; empty: from none
  std::string rationale;       // what the model said for it; for people, and never prompted
  Shows shows = Shows::as_policy;
  std::vector<std::string> brings;  // "qs 6.7.3", "rewritten src/a.js": for log and planner
  std::string branch;               // that an earlier run made of it; empty: none did
  /// What it would teach if it passes; nothing if it is known already.
  std::optional<example::Example> lesson;
  /// Documents of the evidence about how it was thought of: name and text.
  std::vector<std::pair<std::string, std::string>> documents;
};

/// Of every package that moves, as what is new only comes along; and of every source.
[[nodiscard]] std::vector<std::string> brought_by(const Situation& situation,
                                                  const Candidate& candidate);

/// What `leeway` comes to for the copies of the group, its fixes called `recipe`.
[[nodiscard]] std::vector<LockPlan> plans_as(Situation& situation, const Group& group,
                                             const Leeway& leeway, const char* recipe);

/// This attempt came to nothing, and counts.
struct NoPlan {
  std::string why;
  std::string told = {};  // tiers::NoPlan
};

/// There is nothing more to try.
struct GivenUp {
  std::string why;                             // one sentence
  std::optional<tiers::GivenUp> stopped = {};  // a model was asked, and is not to be asked again
};

using Answer = std::variant<Candidate, NoPlan, GivenUp>;

class Proposer {
 public:
  Proposer() = default;
  Proposer(const Proposer&) = delete;
  Proposer& operator=(const Proposer&) = delete;
  virtual ~Proposer() = default;

  /// For attempt `number`, after what `history` tells of earlier ones.
  [[nodiscard]] virtual Result<Answer, Problem> propose(
      const Group& group, unsigned number, const std::vector<gate::AttemptSummary>& history,
      record::Events& events) = 0;
};

/// The first tier: what recipes plan, without what was tried before.
class Recipes final : public Proposer {
 public:
  /// `plans` are for all copies together; each group is planned for again, so that its branch
  /// stands on its own.
  Recipes(Situation& situation, const std::vector<LockPlan>& plans)
      : situation_(situation), plans_(plans) {}

  [[nodiscard]] Result<Answer, Problem> propose(const Group& group, unsigned number,
                                                const std::vector<gate::AttemptSummary>& history,
                                                record::Events& events) override;

 private:
  Situation& situation_;
  const std::vector<LockPlan>& plans_;
};

}  // namespace cg::propose
