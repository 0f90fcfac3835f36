#include "flow/remediate/consulting.h"

#include "flow/remediate/telling.h"

namespace cg::remediate {

Tier wanted_tier(const job::Request& request, const workspace::Policy& policy) {
  return request.max_tier.value_or(policy.max_tier);
}

Tier reach(const job::Request& request, const workspace::Policy& policy,
           std::vector<std::string>& warnings) {
  const Tier wanted = wanted_tier(request, policy);
  const std::string none =
      wanted == Tier::llm ? "no model was asked: " : "no solved example was looked for: ";
  if (wanted == Tier::recipe) return wanted;
  if (request.place == job::Place::host) {
    warnings.push_back(none + "what runs with --unsafe-no-sandbox can never pass");
    return Tier::recipe;
  }
  if (policy.max_tier < wanted) {
    warnings.push_back(none + "policy lets a fix go no further than " +
                       std::string(name(policy.max_tier)) + " (model.max_tier)");
    return policy.max_tier;
  }
  const bool at_hand = !request.cassette.empty() || policy.model_port != 0;
  if (wanted == Tier::llm && request.offline && !at_hand) {
    warnings.push_back(none + "--offline");
    return Tier::rag;
  }
  return wanted;
}

Result<std::unique_ptr<Consulting>, Problem> Consulting::open(const Order& order, Tier reach,
                                                              Remediation& out) {
  std::unique_ptr<Consulting> all(new Consulting(order.recording, out));
  using Look = precedent::Precedents::Look;
  CG_TRY_ASSIGN(all->precedents_,
                precedent::Precedents::open(
                    order.access, order.request.cassette.empty() ? Look::store : Look::nowhere));
  if (reach == Tier::llm) {
    CG_TRY_ASSIGN(all->model_, propose::open_model(order.request, order.situation, order.access,
                                                   order.environment, order.left, *all->precedents_,
                                                   order.recording));
    const std::vector<std::string>& warnings = all->model_->warnings;
    out.warnings.insert(out.warnings.end(), warnings.begin(), warnings.end());
  }
  CG_TRY_ASSIGN(all->earlier_,
                propose::Earlier::open(order.access, order.situation, order.request.branch_prefix));
  tiers::Asking* asking = all->model_ == nullptr ? nullptr : all->model_->asking.get();
  all->proposer_.emplace(order.situation,
                         propose::ModelProposer::Means{asking, *all->precedents_, *all->earlier_},
                         order.watcher, out.warnings);
  return all;
}

Result<Done, Problem> Consulting::finish() {
  const std::vector<std::string>& untold = precedents_->warnings();
  out_.warnings.insert(out_.warnings.end(), untold.begin(), untold.end());
  if (model_ == nullptr) return Done{};
  const auto [paid, replayed] = model_->asking->bill();
  out_.outcome.spend = {{paid.tokens, paid.usd.str()}, {replayed.tokens, replayed.usd.str()}};
  tell_withheld(model_->asking->marked(), out_.outcome, out_.warnings);
  tell_refusals(out_.groups, out_.warnings);
  CG_TRY(model_->finish(recording_.events()));
  return recording_.write();
}

}  // namespace cg::remediate
