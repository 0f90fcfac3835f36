// Whether a case is what its events come to. What events have cut is compared as it was cut.
#include <algorithm>

#include "base/base/text.h"
#include "base/domain/money.h"
#include "fix/plan/plan.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"
#include "trust/hash/sha256.h"

namespace cg::evidence {

namespace {

constexpr std::string_view kModelFile = "tier/model.json";
constexpr std::string_view kExampleFile = "tier/example.json";
constexpr std::size_t kLongRepo = 400;  // from here on the event may hold a part of it

bool same_repo(const std::string& whole, const std::string& told) {
  return whole == told || (told.size() >= kLongRepo && whole.starts_with(told));
}

/// What was spent: of a call that was settled what it cost, of any other what was set aside.
struct Bill {
  std::uint64_t tokens = 0;
  Money usd;

  [[nodiscard]] bool is(const report::Cost& cost) const {
    return tokens == cost.tokens && usd == Money::parse(cost.usd);
  }
};

/// Of the calls from `first` up to `end`, counted from 0.
Bill bill_of(const Tale& tale, std::size_t first, std::size_t end) {
  Bill out;
  for (std::size_t i = first; i < end; ++i) {
    const record::BudgetPrecharged& call = tale.set_aside[i];
    const auto known = std::find_if(
        tale.settled.begin(), tale.settled.end(),
        [&](const record::BudgetReconciled& r) { return r.call == call.call && r.known == "yes"; });
    const bool is_known = known != tale.settled.end();
    out.tokens += is_known ? known->input + known->output + known->cache_write + known->cache_read
                           : call.tokens;
    out.usd = out.usd + Money::parse(is_known ? known->usd : call.usd).value_or(Money::most());
  }
  return out;
}

/// Finds what the case claims and the events do not bear out.
class Holding {
 public:
  Holding(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out)
      : files_(files), c_(c), tale_(tale), out_(out) {}

  void run() {
    const std::size_t before = out_.breaks.size();
    if (!tale_.fault.empty()) events(tale_.fault);
    request();
    if (tale_.plans.empty() || tale_.plans.back() != settled(c_)) {
      events("settles on another plan than the case, or on other numbers of copies");
    }
    outcome();
    branches();
    spending();
    if (out_.breaks.size() != before) return;
    out_.checked.push_back("the case is what the events come to: " +
                           counted(tale_.branches.size(), "branch", "branches") + ", " +
                           counted(tale_.tries.size(), "attempt", "attempts") + ", " +
                           counted(c_.copies.size(), "copy", "copies"));
  }

 private:
  void events(std::string what) { out_.breaks.push_back({std::string(kEvents), std::move(what)}); }
  void in_case(std::string what) { out_.breaks.push_back({std::string(kCase), std::move(what)}); }

  void request() {
    if (tale_.started.size() != 1) return events("does not tell once what was asked for");
    const record::RemediationStarted& told = tale_.started.front();
    if (told.head != c_.base) in_case("has another base than the events");
    if (!same_repo(c_.repo, told.repo)) in_case("names another repository than the events");
  }

  [[nodiscard]] bool has_branch(std::string_view outcome) const {
    return std::any_of(c_.branches.begin(), c_.branches.end(),
                       [&](const report::Branch& branch) { return branch.outcome == outcome; });
  }

  /// From the fates and the fixes, whose digest the events have.
  void outcome() {
    using report::Outcome;
    const auto fixed = static_cast<std::size_t>(
        std::count_if(c_.copies.begin(), c_.copies.end(),
                      [](const report::Copy& copy) { return copy.fate == plan::Fate::fixed; }));
    const bool all = fixed == c_.copies.size();
    const bool proven = has_branch(report::kProven);
    const bool shown = proven || has_branch(report::kWeak);
    const bool well = c_.outcome == Outcome::fixed || c_.outcome == Outcome::weak;
    const bool some = well || c_.outcome == Outcome::partly_fixed;
    const bool cut_short = c_.outcome == Outcome::interrupted;
    if ((shown != some && !cut_short) || shown != (fixed > 0)) {
      in_case(shown ? "has branches, and says that nothing was fixed"
                    : "says that something was fixed, and has no branch that passed");
    }
    // What was not read may need a fix too, whatever became of the rest.
    const bool exit_is_good = c_.exit == 0 || (c_.exit == 7 && !c_.skipped.empty());
    if (well && (!all || !exit_is_good)) {
      in_case("says that all was fixed, and has copies or an exit code that say otherwise");
    }
    if (shown && all && !cut_short && (c_.outcome == Outcome::weak) == proven) {
      in_case(proven ? "calls weak what has a proven branch" : "has nothing but weak branches");
    }
    if (c_.outcome == Outcome::partly_fixed && (all || c_.exit == 0)) {
      in_case("says that a part was fixed, and has copies or an exit code that say otherwise");
    }
    if (c_.outcome == Outcome::planned || c_.outcome == Outcome::refused) {
      in_case("says that nothing was tried, and there is evidence of what was");
    }
    if (!some && c_.exit == 0)
      in_case("says that nothing was fixed, and has an exit code of success");
    if (cut_short && c_.exit != 130 && c_.exit != 143) {
      in_case("says that it was interrupted, and has another exit code");
    }
    unproven();
    const report::Tier tier = fixed == 0 ? report::Tier::none : report::tier_of(c_);
    if (c_.tier != tier) in_case("names another tier than its steps");
  }

  /// What cannot be proven, and why, is what the events say, and no other run is called so.
  void unproven() {
    std::vector<report::Unprovable> told;
    for (const record::BaseUnprovable& one : tale_.unprovable) {
      const bool known = std::any_of(told.begin(), told.end(), [&](const report::Unprovable& t) {
        return t.lockfile == one.lockfile;
      });
      if (!known) told.push_back({one.lockfile, one.cause});
    }
    std::vector<report::Unprovable> claimed = c_.unproven;
    for (report::Unprovable& one : claimed) one.lockfile = cut(one.lockfile, 500);
    if (claimed != told) in_case("names other causes why nothing could be proven than the events");
    if (c_.outcome == report::Outcome::unproven && (told.empty() || c_.exit != 5)) {
      in_case("calls itself unproven, and has no cause or another exit code");
    }
  }

  void branches() {
    if (c_.branches.empty() && tale_.tries.empty())
      return in_case("has neither a branch nor an attempt, so there is nothing to show");
    if (tale_.branches.size() != c_.branches.size()) {
      return in_case("has " + counted(c_.branches.size(), "branch", "branches") + ", the events " +
                     std::to_string(tale_.branches.size()));
    }
    for (std::size_t i = 0; i < c_.branches.size(); ++i) branch(i);
  }

  void branch(std::size_t i) {
    const report::Branch& branch = c_.branches[i];
    const ToldBranch& told = tale_.branches[i];
    const record::AttemptEnded& attempt = tale_.tries[told.attempt].ended;
    const std::string name = printable(branch.name);
    if (told.written.branch != branch.name || told.written.commit != branch.commit) {
      in_case("has " + name + " at another commit or under another name than the events");
    }
    if (told.unproven != (branch.outcome == report::kUnproven)) {
      in_case("calls " + name + " " + printable(branch.outcome) + ", which the events do not");
    }
    if (attempt.attempt != branch.attempts) in_case(name + " took another number of attempts");
    const std::string folder = branch_folder(i, c_.branches.size());
    const auto plan = files_.find(folder + std::string(kPlan));
    const bool planned = told.plan && told.plan->group == attempt.group && plan != files_.end() &&
                         told.plan->plan == hash::sha256(as_bytes(plan->second));
    if (!planned) events("does not tie the commit of " + name + " to its plan");
    author(branch, attempt, folder);
    example(branch, attempt, folder);
  }

  /// Likewise what was carried over from a solved example.
  void example(const report::Branch& branch, const record::AttemptEnded& attempt,
               const std::string& folder) {
    const bool claimed = report::tier_of(c_, branch) == report::Tier::rag;
    const bool carried =
        std::any_of(tale_.carried.begin(), tale_.carried.end(), [&](const record::RagHit& hit) {
          return hit.record == branch.example && hit.attempt == attempt.attempt;
        });
    const std::string name = printable(branch.name);
    if (claimed != !branch.example.empty()) {
      in_case(name + " names a solved example and other steps, or the other way round");
    } else if (claimed && !carried) {
      in_case(name + " is called a solved example's, and no event has it");
    }
    if (claimed != files_.contains(folder + std::string(kExampleFile))) {
      out_.breaks.push_back({folder + std::string(kExampleFile),
                             claimed ? "is missing" : "is of a branch that no example gave"});
    }
  }

  /// A model's fix is called a model's fix, and no other is.
  void author(const report::Branch& branch, const record::AttemptEnded& attempt,
              const std::string& folder) {
    const bool model = report::tier_of(c_, branch) == report::Tier::llm;
    const bool accepted =
        std::any_of(tale_.accepted.begin(), tale_.accepted.end(), [&](const auto& proposal) {
          return proposal.group == attempt.group && proposal.attempt == attempt.attempt;
        });
    const std::string name = printable(branch.name);
    if (model != accepted) {
      in_case(name + (accepted ? " hides that a model proposed it"
                               : " is called a model's, and no event has its proposal"));
    }
    if (model != files_.contains(folder + std::string(kModelFile))) {
      out_.breaks.push_back({folder + std::string(kModelFile),
                             model ? "is missing" : "is of a branch that no model proposed"});
    }
  }

  void spending() {
    const std::size_t all = tale_.set_aside.size();
    const std::size_t paid = std::min(tale_.played_from.value_or(all), all);
    bill("spent", bill_of(tale_, 0, paid), c_.spend);
    bill("replayed", bill_of(tale_, paid, all), c_.spend.replayed);
  }

  void bill(const std::string& how, const Bill& told, const report::Cost& said) {
    if (told.is(said)) return;
    in_case("says that " + counted(said.tokens, "token", "tokens") + " and $" +
            printable(said.usd) + " were " + how + ", the events " + grouped(told.tokens) +
            " and $" + told.usd.str());
  }

  const Files& files_;
  const report::Case& c_;
  const Tale& tale_;
  BundleReport& out_;
};

}  // namespace

void judge_case(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out) {
  Holding(files, c, tale, out).run();
}

}  // namespace cg::evidence
