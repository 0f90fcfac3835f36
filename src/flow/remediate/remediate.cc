#include "flow/remediate/remediate.h"

#include <algorithm>
#include <memory>

#include "base/base/text.h"
#include "base/os/interrupt.h"
#include "base/os/ports.h"
#include "fetch/gitrepo/locate.h"
#include "fetch/gitrepo/repo_lock.h"
#include "flow/propose/handing_on.h"
#include "flow/proving/obstacles.h"
#include "flow/remediate/beginning.h"
#include "flow/remediate/branches.h"
#include "flow/remediate/case_of.h"
#include "flow/remediate/consulting.h"
#include "flow/remediate/ending.h"
#include "flow/remediate/learning.h"
#include "flow/remediate/showing.h"
#include "flow/remediate/telling.h"
#include "flow/remediate/workshop.h"
#include "flow/scan/index.h"
#include "flow/supplies/registry_access.h"

namespace cg::remediate {

namespace {

using propose::LockPlan;
using propose::Situation;

Problem mint_problem(const plugin::MintError& error) {
  return {ErrorCode::plugin_bad, error.what, {}, "nothing was changed", {"codegenie plugins list"}};
}

/// What one run holds on to from the request to the end.
class Run {
 public:
  Run(const job::Request& request, const supplies::Surroundings& surroundings,
      supplies::Watcher& watcher, const workspace::Access& access, workspace::Recording& recording,
      Remediation& out)
      : request_(request),
        surroundings_(surroundings),
        watcher_(watcher),
        access_(access),
        recording_(recording),
        out_(out) {}

  Result<Done, Problem> go(plugin::Plugins plugins) {
    // Context: whose fix is to be learned, and the repository at its base, read and matched.
    if (request_.extent == job::Extent::lesson) {
      CG_TRY_ASSIGN(handmade_, read_handmade(access_, request_, out_.outcome.started));
    }
    CG_TRY_ASSIGN(propose::Base base, read_base());

    // Provenance: what the application does not bring is refused before anything is spent.
    for (std::string& why : gate_provenance(base.scanned.scan, events())) {
      out_.refusals.push_back(std::move(why));
    }
    for (const std::string& lie : lies_of(base.scanned, out_.warnings)) {
      out_.refusals.push_back(lie);
    }
    if (!out_.refusals.empty()) {
      return end_refused(request_, access_, base, recording_, out_);
    }

    // Recipe: a plan for every copy, from what the registry has published.
    for (record::Event& event : plugins.events()) events().push_back(std::move(event));
    CG_TRY_ASSIGN(auto catalog, open_catalog(base));
    vulnindex::Index& index = *base.index;
    const Time now = out_.outcome.started;
    const Time dated = base.checkout.has_git() ? Time{base.checkout.git().committed * 1000} : now;
    Situation situation{std::move(base),
                        std::move(plugins),
                        std::move(catalog),
                        scan::RuleBook(index),
                        request_.prefer,
                        now,
                        dated,
                        {}};
    const plugin::Mint mint(situation.plugin().manifest);
    CG_TRY_ASSIGN(situation.registry, right_to_install(situation, mint));
    CG_TRY_ASSIGN(const std::vector<LockPlan> plans, plan_all(situation));

    // Apply: in memory, read back, and scanned again.
    CG_TRY_ASSIGN(proving::Applied applied, proving::apply(access_, situation, plans));
    CG_TRY_ASSIGN(Difference made, difference(situation.base.checkout, applied.files, {}));
    fill_case(out_.outcome, request_, situation, plans, applied.after, std::move(made.changes));
    out_.files = applied.files;
    tell_plan(out_.outcome, out_.files, events());
    tell_lacks(*situation.catalog, out_.warnings);
    // Preflight: what no proof can get past is known before one is paid for.
    if (request_.extent != job::Extent::plan) CG_TRY(preflight(situation, plans));
    CG_TRY(recording_.write());

    // As far as was asked for.
    switch (request_.extent) {
      case job::Extent::preview:
        out_.diff = std::move(made.diff);
        if (reach(request_, situation.base.policy, out_.warnings) == Tier::llm) {
          forecast_asking(given(), situation, plans);
        }
        break;
      case job::Extent::plan:
        CG_TRY(write_worktree(situation, mint));
        break;
      case job::Extent::branch:
        CG_TRY(fix_groups(situation, mint, plans, applied.after));
        break;
      case job::Extent::question:
        return show(situation, plans);
      case job::Extent::lesson:
        return learn_from(*handmade_, given(), situation, plans);
    }
    CG_TRY(recording_.write());

    // Learn: what a model thought of, with what the gates said, becomes a record of the store. The
    // workflow's own stream tells what was passed over, so this is before its end.
    if (!lessons_.empty()) {
      out_.learned = precedent::teach(access_, situation.base.policy, recording_.id(),
                                      std::move(lessons_), events(), out_.warnings);
    }

    // Evidence: what a reviewer needs, whether it went well or not.
    return end(request_, access_, situation, applied.after, std::move(commits_), recording_, out_);
  }

 private:
  record::Events& events() { return recording_.events(); }
  Given given() { return {request_, access_, surroundings_, watcher_, recording_, out_}; }

  record::RemediationStarted about(const job::Checkout& checkout) const {
    return {checkout.base(), cut(request_.repo, 500), cut(request_.what(), 500)};
  }

  Result<propose::Base, Problem> read_base() {
    CG_TRY_ASSIGN(job::Checkout checkout, job::Checkout::open(access_, request_, recording_.id()));
    events().emplace_back(about(checkout));
    CG_TRY_ASSIGN(workspace::Policy policy, scan::policy_for(access_.workspace, checkout.files()));
    const Time now = out_.outcome.started;
    CG_TRY_ASSIGN(vulnindex::Index index, scan::open_fresh_index(access_, policy, now));
    CG_TRY_ASSIGN(out_.refusals, gate_ecosystem(index, request_.advisories, events()));
    scan::Request asked;
    asked.repo = request_.repo;
    asked.now = now;
    asked.selection.advisories = request_.advisories;
    asked.selection.production_only = request_.production_only;
    asked.components = request_.extent == job::Extent::branch;
    asked.sbom = request_.sbom;
    asked.tracked = checkout.tracked();
    CG_TRY_ASSIGN(scan::Scanned scanned,
                  scan::scan_repository(checkout.files(), access_.workspace, policy, index, asked));
    scanned.scan.repo.head = checkout.base();
    if (scanned.incomplete) return fail(*scanned.incomplete);
    out_.warnings = checkout.warnings();
    out_.warnings.insert(out_.warnings.end(), scanned.scan.warnings.begin(),
                         scanned.scan.warnings.end());
    tell_skipped(scanned.scan.repo, out_.outcome, out_.warnings);
    events().emplace_back(gathered(scanned));
    return propose::Base{std::move(checkout), std::move(policy),
                         std::make_unique<vulnindex::Index>(std::move(index)), std::move(asked),
                         std::move(scanned)};
  }

  Result<std::unique_ptr<catalog::Catalog>, Problem> open_catalog(const propose::Base& base) {
    return supplies::open_catalog(
        access_, surroundings_,
        {request_.offline ? catalog::Mode::offline : catalog::Mode::online, request_.registry,
         base.policy.fetch_urls},
        base.checkout.files().path());
  }

  /// The registry that packages may be installed from, by the plugin's right to it.
  Result<std::string, Problem> right_to_install(const Situation& situation,
                                                const plugin::Mint& mint) {
    const registry::Choice* choice = situation.catalog->config().registry_for("");
    const auto install = mint.npm_install(choice == nullptr ? "" : choice->url.str(), events());
    if (!install) return fail(mint_problem(install.error()));
    return install->use("look up releases", events());
  }

  Result<std::vector<LockPlan>, Problem> plan_all(Situation& situation) {
    const scan::Scanned& scanned = situation.base.scanned;
    const propose::Wanted wanted = propose::wanted_hits(scanned);
    supplies::prefetch(*situation.catalog, propose::first_names(scanned, wanted), watcher_);
    std::vector<LockPlan> plans = propose::make_plans(situation, wanted);
    if (situation.catalog->damage()) return fail(*situation.catalog->damage());
    if (situation.book.trouble()) return fail(*situation.book.trouble());
    events().emplace_back(consulted(*situation.catalog));
    return plans;
  }

  Result<Done, Problem> preflight(const Situation& situation, const std::vector<LockPlan>& plans) {
    const auto& tools = surroundings_.tools;
    const std::string node = tools && *tools ? (*tools)->node_version : std::string();
    CG_TRY_ASSIGN(out_.preflight, proving::obstacles_to(situation, plans, node));
    const record::PreflightDone done = proving::looked(out_.preflight);
    if (request_.extent == job::Extent::branch && done.blocks + done.may_fail > 0) {
      watcher_.head(proving::headline(done));
    }
    events().emplace_back(done);
    return Done{};
  }

  /// Every group of copies is proposed for, applied and proven (workshop.h); what passes becomes a
  /// branch.
  Result<Done, Problem> fix_groups(Situation& situation, const plugin::Mint& mint,
                                   const std::vector<LockPlan>& plans, scan::Scanned& after) {
    const auto right = mint.git_local_ops(
        {situation.base.checkout.repository(), request_.branch_prefix}, events());
    if (!right) return fail(mint_problem(right.error()));
    CG_TRY_ASSIGN(const std::optional<plugin::GitUnprovenOps> unproven,
                  right_to_unproven(situation, mint));
    std::vector<propose::Group> groups = propose::planned_groups(out_.outcome);
    // What recipes left goes on to solved examples and to a model, as far as policy and request
    // let it.
    std::vector<propose::Group> open = propose::handed_on_groups(situation, plans, events());
    const bool wants = wanted_tier(request_, situation.base.policy) > Tier::recipe;
    if (wants) {
      auto more = propose::parent_groups(situation, plans, events());
      std::move(more.begin(), more.end(), std::back_inserter(open));
    }
    const Tier far =
        open.empty() ? Tier::recipe : reach(request_, situation.base.policy, out_.warnings);
    const bool asks = far > Tier::recipe;
    const bool may = asks || (open.empty() && wants);
    if (asks) std::move(open.begin(), open.end(), std::back_inserter(groups));
    if (groups.empty()) return Done{};

    CG_TRY_ASSIGN(proving::Proving proving, open_proving(given(), situation));
    CG_TRY_ASSIGN(history::Interrupted left,
                  history::interrupted(access_, recording_.id(), about(situation.base.checkout)));
    propose::Recipes recipes(situation, plans);
    Workshop workshop({request_, access_, situation, *right, unproven ? &*unproven : nullptr,
                       recording_, watcher_},
                      {recipes, proving}, std::move(left.attempts), out_);
    const Consulting::Order order{request_, access_,    situation, surroundings_.environment,
                                  left,     recording_, watcher_};
    // Before the first branch: a model that cannot be set up must not end a run half-way.
    std::unique_ptr<Consulting> model;
    if (asks) {
      CG_TRY_ASSIGN(model, Consulting::open(order, far, out_));
      workshop.ask(model->proposer(), model->stale());
    }
    caught_ = std::make_unique<os::Interrupts>();
    CG_TRY_ASSIGN(groups, workshop.begin(groups, surroundings_.machine.at_once));
    CG_TRY_ASSIGN(const bool goes_on, fix_each(groups, workshop));
    // So does what recipes had a fix for, if the gates turned it down.
    if (goes_on && may) {
      const std::vector<propose::Group> more = workshop.turned_down();
      if (!more.empty() && model == nullptr) model = consult_late(order, workshop);
      if (model != nullptr) CG_TRY(fix_each(more, workshop));
    }
    if (os::interrupted() != 0) add_untried(groups, out_.groups);
    commits_ = workshop.take_commits();
    lessons_ = workshop.take_lessons();
    out_.kept = proving.take_kept();

    if (model != nullptr) CG_TRY(model->finish());
    CG_TRY(settle(situation, after));
    if (os::interrupted() == 0) CG_TRY(fill_news(out_.outcome, *situation.catalog));
    for (const std::string& line : proving.notes()) out_.warnings.push_back(line);
    return Done{};
  }

  /// False: nothing more is to be begun.
  Result<bool, Problem> fix_each(const std::vector<propose::Group>& groups, Workshop& workshop) {
    const Time began = os::SystemClock().now();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups.size() > 1) {
        watcher_.head(std::to_string(i + 1) + " of " + std::to_string(groups.size()) +
                      time_left(i, groups.size(), os::SystemClock().now().ms - began.ms));
      }
      // Whatever fails when everything is to end says nothing of the group.
      const auto done =
          os::interrupted() != 0 ? Result<Done, Problem>(Done{}) : workshop.fix(groups[i]);
      if (os::interrupted() != 0) return false;
      if (!done) return fail(done.error());
      const auto& stopped = out_.groups.back().attempted.stopped;
      if (stopped && stopped->ends_workflow()) return false;
    }
    return true;
  }

  /// After recipes' branches were written: then it is no reason to end the run.
  std::unique_ptr<Consulting> consult_late(const Consulting::Order& order, Workshop& workshop) {
    const Tier far = reach(request_, order.situation.base.policy, out_.warnings);
    if (far == Tier::recipe) return nullptr;
    auto opened = Consulting::open(order, far, out_);
    if (!opened) {
      out_.warnings.push_back("no model was asked: " + opened.error().what);
      return nullptr;
    }
    workshop.ask((*opened)->proposer(), (*opened)->stale());
    return *std::move(opened);
  }

  /// What a model would be asked. The log has that it was looked at; nothing else comes of it.
  Result<Done, Problem> show(Situation& situation, const std::vector<LockPlan>& plans) {
    caught_ = std::make_unique<os::Interrupts>();
    CG_TRY_ASSIGN(history::Interrupted left,
                  history::interrupted(access_, recording_.id(), about(situation.base.checkout)));
    CG_TRY(show_questions(given(), situation, plans, left));
    return recording_.end(os::interrupted() != 0 ? "interrupted" : "shown");
  }

  /// To write what nothing was shown of, if that is asked for and policy lets it.
  Result<std::optional<plugin::GitUnprovenOps>, Problem> right_to_unproven(
      const Situation& situation, const plugin::Mint& mint) {
    std::optional<plugin::GitUnprovenOps> out;
    if (request_.unproven == job::IfUnproven::drop) return out;
    if (situation.base.policy.unproven == workspace::UnprovenBranches::refuse) {
      out_.warnings.emplace_back("policy lets no unproven branch be written (fix.unproven)");
      return out;
    }
    auto right = mint.git_unproven_ops(
        {situation.base.checkout.repository(), request_.unproven_prefix()}, events());
    if (!right) return fail(mint_problem(right.error()));
    out = *std::move(right);
    return out;
  }

  /// What was planned gives way to what came of it.
  Result<Done, Problem> settle(Situation& situation, scan::Scanned& after) {
    settle_case(out_.outcome, out_.groups);
    heed_stops(out_, events());
    if (const int signal = os::interrupted(); signal != 0) {
      out_.outcome.outcome = report::Outcome::interrupted;
      out_.outcome.exit = 128 + signal;
    }
    const auto as_planned = [](const SettledGroup& group) {
      const propose::Leeway& leeway = group.attempted.candidate.leeway;
      return group.attempted.passed && leeway.tried.empty() && leeway.targets.empty() &&
             group.attempted.candidate.rewritten.empty();
    };
    if (std::all_of(out_.groups.begin(), out_.groups.end(), as_planned)) return Done{};
    Together all = together(situation, out_.groups);
    CG_TRY_ASSIGN(proving::Applied applied, proving::apply(access_, situation, all.plans));
    applied.files.insert(all.rewritten.begin(), all.rewritten.end());
    CG_TRY_ASSIGN(Difference made, difference(situation.base.checkout, applied.files, all.authors));
    fill_changes(out_.outcome, situation, all.plans, applied.after, std::move(made.changes));
    add_unproven_moves(out_.outcome, situation, out_.groups);
    after = std::move(applied.after);
    return Done{};
  }

  Result<Done, Problem> write_worktree(const Situation& situation, const plugin::Mint& mint) {
    if (request_.worktree.empty()) return Done{};
    const job::Checkout& checkout = situation.base.checkout;
    const std::string top = checkout.has_git() ? checkout.git().work_tree : std::string();
    CG_TRY_ASSIGN(const os::Dir folder,
                  job::open_output_folder(request_.worktree, top.empty() ? request_.repo : top));
    const auto right = mint.fs_read_write(folder.path(), events());
    if (!right) return fail(mint_problem(right.error()));
    return job::write_files(right->use("write the edited files", events()), out_.files);
  }

  job::Request request_;
  const supplies::Surroundings& surroundings_;
  supplies::Watcher& watcher_;
  const workspace::Access& access_;
  workspace::Recording& recording_;
  Remediation& out_;
  std::optional<handmade::Fix> handmade_;   // with Extent::lesson
  std::unique_ptr<os::Interrupts> caught_;  // from the first proof to the end
  std::vector<evidence::Commit> commits_;   // of the groups that passed, in their order
  precedent::Lessons lessons_;
};

std::string task_of(const job::Request& request) {
  return request.extent == job::Extent::question ? "prompt show"
         : request.extent == job::Extent::lesson ? "rag learn"
                                                 : "remediate";
}

}  // namespace

Result<Remediation, Problem> remediate(const job::Request& request,
                                       const supplies::Surroundings& surroundings,
                                       supplies::Watcher& watcher) {
  Remediation out;
  out.outcome.started = os::SystemClock().now();
  // Nothing runs on a log that is broken, on plugins that are not pinned, or twice at once.
  CG_TRY_ASSIGN(const workspace::Access access, supplies::open_workspace(surroundings.settings));
  CG_TRY_ASSIGN(const os::Dir repo, scan::open_repository(request.repo));
  CG_TRY(check_owner(request, repo.path()));
  CG_TRY(check_log(access, watcher));
  CG_TRY_ASSIGN(const gitrepo::RepoLock lock,
                gitrepo::RepoLock::acquire(access.workspace.home, repo.path()));
  CG_TRY_ASSIGN(workspace::Recording recording,
                workspace::Recording::start(access, task_of(request)));
  out.outcome.workflow = recording.id();
  Run run(request, surroundings, watcher, access, recording, out);
  auto plugins = plugin::load_installed();
  auto done = plugins ? run.go(*std::move(plugins)) : fail(plugins.error());
  if (done) return out;
  return fail(end_failed(request, access, std::move(done).error(), recording, out));
}

}  // namespace cg::remediate
