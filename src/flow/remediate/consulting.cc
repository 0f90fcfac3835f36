#include "flow/remediate/consulting.h"

#include "flow/remediate/telling.h"

namespace cg::remediate {

bool wants_model(const job::Request& request, const workspace::Policy& policy) {
  return request.max_tier.value_or(policy.max_tier) == Tier::llm;
}

bool may_ask(const job::Request& request, const workspace::Policy& policy,
             std::vector<std::string>& warnings) {
  if (!wants_model(request, policy)) return false;
  const bool at_hand = !request.cassette.empty() || policy.model_port != 0;
  std::string why;
  if (policy.max_tier != Tier::llm) {
    why = "policy lets a fix go no further than " + std::string(name(policy.max_tier)) +
          " (model.max_tier)";
  } else if (request.place == job::Place::host) {
    why = "what runs with --unsafe-no-sandbox can never pass";
  } else if (request.offline && !at_hand) {
    why = "--offline";
  }
  if (!why.empty()) warnings.push_back("no model was asked: " + why);
  return why.empty();
}

Result<std::unique_ptr<Consulting>, Problem> Consulting::open(const Order& order,
                                                              Remediation& out) {
  std::unique_ptr<Consulting> all(new Consulting(order.recording, out));
  CG_TRY_ASSIGN(all->model_, propose::open_model(order.request, order.situation, order.access,
                                                 order.environment, order.left, order.recording));
  const std::vector<std::string>& warnings = all->model_->warnings;
  out.warnings.insert(out.warnings.end(), warnings.begin(), warnings.end());
  CG_TRY_ASSIGN(all->earlier_,
                propose::Earlier::open(order.access, order.situation, order.request.branch_prefix));
  all->proposer_.emplace(order.situation, *all->model_->asking, *all->earlier_, order.watcher,
                         out.warnings);
  return all;
}

Result<Done, Problem> Consulting::finish() {
  const auto [paid, replayed] = model_->asking->bill();
  out_.outcome.spend = {{paid.tokens, paid.usd.str()}, {replayed.tokens, replayed.usd.str()}};
  tell_withheld(model_->asking->marked(), out_.outcome, out_.warnings);
  tell_refusals(out_.groups, out_.warnings);
  CG_TRY(model_->finish(recording_.events()));
  return recording_.write();
}

}  // namespace cg::remediate
