// Consulting: all that asking a model takes in one run, opened before the first question.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "flow/propose/model.h"
#include "flow/propose/model_proposer.h"
#include "flow/remediate/remediation.h"
#include "flow/supplies/surroundings.h"

namespace cg::remediate {

/// Whether somebody wants a model to be asked about what recipes leave.
[[nodiscard]] bool wants_model(const job::Request& request, const workspace::Policy& policy);
/// Whether it may be; where somebody wants it and it may not, `warnings` gets why.
[[nodiscard]] bool may_ask(const job::Request& request, const workspace::Policy& policy,
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

  /// A Problem if a model cannot be set up: see propose::open_model. `out` gets warnings, and must
  /// outlive it, as must all that `order` names.
  [[nodiscard]] static Result<std::unique_ptr<Consulting>, Problem> open(const Order& order,
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
  std::unique_ptr<propose::Model> model_;
  std::optional<propose::Earlier> earlier_;
  std::optional<propose::ModelProposer> proposer_;
};

}  // namespace cg::remediate
