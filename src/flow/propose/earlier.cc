#include "flow/propose/earlier.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "fetch/gitrepo/client.h"
#include "flow/propose/handing_on.h"
#include "npm/syntax/language.h"
#include "prove/evidence/bundle.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxLooked = 200;  // branches
constexpr std::size_t kMaxTold = 10;     // of those that start elsewhere, at one group

std::string short_id(const std::string& commit) { return printable(cut_utf8(commit, 12)); }

/// The commit that the branch is at; empty if there is none.
std::string tip_of(const std::string& repository, const std::string& branch) {
  gitrepo::Git git(*gitrepo::find_program());
  const auto shown = git.show({repository, "refs/heads/" + branch});
  return shown ? shown->commit.hex() : std::string();
}

const report::Branch* branch_at(const report::Case& c, const std::string& commit) {
  const auto found = std::find_if(c.branches.begin(), c.branches.end(),
                                  [&](const auto& branch) { return branch.commit == commit; });
  return found == c.branches.end() ? nullptr : &*found;
}

/// That the branch moves `package` to: what it fixes, or what brings that in.
std::string version_on(const report::Case& c, const report::Branch& branch,
                       const std::string& package) {
  for (std::size_t i = 1; i <= c.fixes.size(); ++i) {
    const bool here = branch.fixes.empty() ||
                      std::find(branch.fixes.begin(), branch.fixes.end(), i) != branch.fixes.end();
    if (here && c.fixes[i - 1].package == package) return c.fixes[i - 1].to;
  }
  for (const report::Moved& moved : c.moved) {
    if (moved.package == package) return moved.to;
  }
  return {};
}

plan::Strategy strategy_named(const std::string& kind) {
  if (kind == "dep_bump") return plan::Strategy::direct_bump;
  if (kind == "override") return plan::Strategy::override_rule;
  return plan::Strategy::callsite_rewrite;
}

std::string document_of(const history::ModelBranch& made) {
  return json::write_json_pretty(json::Value::Object{{"schema", "codegenie/evidence-model/v1"},
                                                     {"kind", made.kind},
                                                     {"recalled_from", made.workflow},
                                                     {"commit", made.commit}});
}

}  // namespace

Candidate carried_out(Situation& situation, const Group& group, const EarlierPlan& known) {
  Candidate out;
  // As it was: the version of a rewrite is ours, that of other plans the model's.
  const plan::Strategy strategy = strategy_named(known.made.kind);
  if (strategy == plan::Strategy::callsite_rewrite) {
    out.leeway = rewrite_of(group);
  } else {
    out.leeway.targets = {{group.handed_on->package, known.version, strategy}};
  }
  out.plans = plans_as(situation, group, out.leeway, plan::kModelRecipe);
  out.rewritten = known.rewritten;
  out.kind = known.made.kind;
  out.rationale = known.rationale;
  out.branch = known.made.branch;
  out.brings = brought_by(situation, out);
  out.documents = {{"tier/model.json", document_of(known.made)}};
  return out;
}

Result<Earlier, Problem> Earlier::open(const workspace::Access& access, const Situation& situation,
                                       const std::string& prefix) {
  CG_TRY_ASSIGN(std::vector<history::ModelBranch> known, history::model_branches(access));
  const job::Checkout& checkout = situation.base.checkout;
  std::map<std::string, std::string> tips;
  std::vector<history::ModelBranch> here;
  for (history::ModelBranch& made : known) {
    if (!made.branch.starts_with(prefix)) continue;
    if (!tips.contains(made.branch)) {
      if (tips.size() == kMaxLooked) break;
      tips[made.branch] = tip_of(checkout.repository(), made.branch);
    }
    if (tips[made.branch] == made.commit) here.push_back(std::move(made));
  }
  Earlier out(access, situation, std::move(here));
  for (const history::ModelBranch& made : out.known_) {
    if (made.base != checkout.base()) out.stale_.insert(made.branch);
  }
  return out;
}

Result<std::optional<EarlierPlan>, Problem> Earlier::plan_for(const Group& group,
                                                              std::vector<std::string>& notes,
                                                              record::Events& events) {
  const std::string base = situation_->base.checkout.base();
  std::size_t told = 0;
  std::set<std::string> named;
  for (const history::ModelBranch& made : known_) {
    const bool elsewhere = made.group == group.id && made.base != base;
    if (!elsewhere || told == kMaxTold || !named.insert(made.branch).second) continue;
    ++told;
    events.emplace_back(record::BranchStale{cut(made.base, 60), cut(made.branch, 250),
                                            cut(made.commit, 60), cut(made.group, 64),
                                            made.workflow});
    notes.push_back(printable(made.branch) + " is stale: it starts from " + short_id(made.base) +
                    ", the base is " + short_id(base) +
                    " now. It is kept and counts for nothing; rebase it by hand, or delete it");
  }
  for (const history::ModelBranch& made : known_) {
    if (made.group != group.id || made.base != base) continue;
    auto plan = read(made, group.handed_on->package);
    if (plan) return std::optional(*std::move(plan));
    notes.push_back(printable(made.branch) +
                    " of an earlier run is not taken for a fix: " + plan.error());
  }
  return std::optional<EarlierPlan>();
}

Result<EarlierPlan, std::string> Earlier::read(const history::ModelBranch& made,
                                               const std::string& package) const {
  const std::string evidence = "the evidence of workflow " + made.workflow;
  const auto workflow = WorkflowId::parse(made.workflow);
  if (!workflow) return fail(std::string("its workflow has no id"));
  const auto files = evidence::read_bundle(access_->workspace.home, *workflow);
  if (!files) return fail(evidence + " cannot be read");
  const auto told = evidence::case_of(*files, made.evidence);
  if (!told) return fail(evidence + " " + told.error());
  const report::Branch* branch = branch_at(*told, made.commit);
  if (branch == nullptr) return fail(evidence + " has no such commit");
  EarlierPlan out{made, version_on(*told, *branch, package), branch->rationale, {}};

  gitrepo::Filter filter;
  std::vector<std::string> wanted;
  for (const report::FileChange& change : branch->changes) {
    if (change.author == report::Author::engine) continue;
    wanted.push_back(change.path);
    filter.names.push_back(change.path.substr(change.path.rfind('/') + 1));
  }
  if (wanted.empty()) return out;
  const auto commit = gitrepo::ObjectId::parse(made.commit);
  if (!commit) return fail(std::string("its commit has no id"));
  std::vector<std::string> paths;
  const auto folder = situation_->base.checkout.export_some_of(*commit, "earlier", filter, paths);
  if (!folder) return fail("its files cannot be read: " + folder.error().what);
  for (const std::string& path : wanted) {
    auto text = folder->read(path, syntax::kMaxFileBytes);
    if (!text) return fail("its file " + printable(path) + " cannot be read");
    out.rewritten[path] = *std::move(text);
  }
  return out;
}

}  // namespace cg::propose
