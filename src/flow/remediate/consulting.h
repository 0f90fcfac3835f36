// Consulting: all that the tiers after recipes take in one run, opened before the first question:
// solved examples, and a model if one may be asked.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "flow/precedent/precedents.h"
#include "flow/propose/model.h"
#include "flow/propose/model_proposer.h"
#include "flow/remediate/remediation.h"
#include "flow/supplies/surroundings.h"

namespace cg::remediate {

/// How far somebody wants to go with what recipes leave.
[[nodiscard]] Tier wanted_tier(const job::Request& request, const workspace::Policy& policy);
/// How far that may go; where it is less, `warnings` gets why.
[[nodiscard]] Tier reach(const job::Request& request, const workspace::Policy& policy,
                         std::vector<std::string>& warnings);

class Consulting {
 public:
  struct Order {
    const job::Request& request;
    const workspace::Access& access;
    propose::Situation& situation;
    const cli::Environment& environment;
    const history::Interrupted& left;
    workspace::Recording& recording;
    supplies::Watcher& watcher;
  };

  /// As far as `reach`, which is more than recipes. A Problem if a model cannot be set up: see
  /// propose::open_model. `out` gets warnings, and must outlive it, as must all that `order` names.
  [[nodiscard]] static Result<std::unique_ptr<Consulting>, Problem> open(const Order& order,
                                                                         Tier reach,
                                                                         Remediation& out);

  [[nodiscard]] propose::Proposer& proposer() { return *proposer_; }
  /// Names of branches that no other takes: propose::Earlier::stale.
  [[nodiscard]] const std::set<std::string>& stale() const { return earlier_->stale(); }
  /// After the last question: what was spent and withheld, and what was recorded is written.
  [[nodiscard]] Result<Done, Problem> finish();

 private:
  Consulting(workspace::Recording& recording, Remediation& out)
      : recording_(recording), out_(out) {}

  workspace::Recording& recording_;
  Remediation& out_;
  std::unique_ptr<precedent::Precedents> precedents_;
  std::unique_ptr<propose::Model> model_;  // null: none may be asked
  std::optional<propose::Earlier> earlier_;
  std::optional<propose::ModelProposer> proposer_;
};

}  // namespace cg::remediate
