#include "flow/propose/plans.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/base/text.h"
#include "fix/plan/flat.h"
#include "flow/propose/override_notes.h"
#include "flow/repository/files.h"
#include "npm/semver/range.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxNvmrc = 4096;

bool is_flat(npm::LockKind kind) {
  return kind == npm::LockKind::yarn_classic || kind == npm::LockKind::yarn_berry ||
         kind == npm::LockKind::pnpm;
}

/// The nodes that the repository says it runs on: .nvmrc, else `engines` of the root.
std::optional<semver::Range> node_of(const os::Dir& repo, const repository::LoadedLock& lock) {
  const std::string folder(lock.folder());
  for (const char* name : {".nvmrc", ".node-version"}) {
    const auto text = repo.read(repository::join(folder, name), kMaxNvmrc);
    if (!text) continue;
    std::string_view word = trim(*text);
    if (word.starts_with('v')) word.remove_prefix(1);
    if (word.empty() || word.find_first_not_of("0123456789.") != std::string_view::npos) continue;
    if (auto range = semver::Range::parse(word)) return *std::move(range);
  }
  if (lock.manifests.empty()) return std::nullopt;
  for (const auto& [engine, text] : lock.manifests.front().engines) {
    if (engine != "node") continue;
    if (auto range = semver::Range::parse(text, {.loose = true})) return *std::move(range);
  }
  return std::nullopt;
}

std::optional<plan::Strategy> strategy_of(std::string_view word) {
  for (const plan::Strategy strategy :
       {plan::Strategy::relock, plan::Strategy::direct_bump, plan::Strategy::parent_bump,
        plan::Strategy::override_rule, plan::Strategy::callsite_rewrite}) {
    if (plan::name(strategy) == word) return strategy;
  }
  return std::nullopt;
}

/// Recipes say what may be tried and how far; policy can only take away from that.
plan::Options options_for(const Situation& situation, const repository::LoadedLock& lock,
                          const Leeway& leeway) {
  plan::Options out;
  out.prefer = situation.prefer;
  out.now = situation.now;
  out.cooldown_days = situation.base.policy.cooldown_days;
  out.new_scripts = situation.base.policy.install_scripts == workspace::InstallScripts::allow
                        ? plan::NewScripts::allow
                        : plan::NewScripts::refuse;
  out.across_major = plan::AcrossMajor::refuse;
  out.node = node_of(situation.base.checkout.files(), lock);
  out.tried = leeway.tried;
  out.targets = leeway.targets;
  for (const recipe::Recipe& recipe : situation.plugins.recipes_for(lock.graph.kind())) {
    const auto strategy = strategy_of(recipe.strategy);
    if (!strategy) continue;
    if (std::find(out.strategies.begin(), out.strategies.end(), *strategy) ==
        out.strategies.end()) {
      out.strategies.push_back(*strategy);
    }
    if (*strategy == plan::Strategy::parent_bump) {
      out.max_parents = recipe.limits.max_depth;
      out.max_moved = static_cast<std::size_t>(recipe.limits.max_moved);
    }
    if (*strategy == plan::Strategy::override_rule) {
      out.override_days = recipe.limits.expiry_days;
      out.max_forced = static_cast<std::size_t>(recipe.limits.max_moved);
      const bool allowed = recipe.limits.across_major == recipe::AcrossMajor::allow &&
                           situation.base.policy.forced_major == workspace::ForcedMajor::allow;
      if (allowed) out.across_major = plan::AcrossMajor::allow;
    }
  }
  return out;
}

plan::Plan plan_lock(Situation& situation, const repository::LoadedLock& lock,
                     const std::vector<findings::Hit>& hits, const Leeway& leeway) {
  const plan::Options options = options_for(situation, lock, leeway);
  const auto noted = OverrideNotes(situation.base.checkout.files()).paths(lock.path);
  const plan::Input input{lock.path,          lock.graph,     lock.manifests, hits,
                          *situation.catalog, situation.book, options,        noted};
  return is_flat(lock.graph.kind()) ? plan::plan_flat(input) : plan::plan_npm(input);
}

}  // namespace

plan::Options options_of(const Situation& situation, std::size_t lock) {
  return options_for(situation, situation.lock(lock), {});
}

bool fixes_all(const std::vector<LockPlan>& plans) {
  for (const LockPlan& one : plans) {
    for (const plan::Copy& copy : one.plan.copies) {
      if (copy.fate != plan::Fate::fixed) return false;
    }
  }
  return !plans.empty();
}

Wanted wanted_hits(const scan::Scanned& scanned) {
  std::set<std::tuple<std::string, std::string, std::string>> shown;
  for (const findings::Finding& finding : scanned.scan.findings) {
    shown.emplace(finding.lockfile, finding.location, finding.advisory);
  }
  Wanted out = scanned.hits;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const repository::LoadedLock& lock = scanned.loaded.locks[i];
    std::erase_if(out[i], [&](const findings::Hit& hit) {
      const std::string location(lock.graph.node(hit.node).location);
      return !lock.authoritative || !shown.contains({lock.path, location, hit.advisory});
    });
  }
  return out;
}

std::vector<std::string> first_names(const scan::Scanned& scanned, const Wanted& wanted) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const npm::Graph& graph = scanned.loaded.locks[i].graph;
    for (const findings::Hit& hit : wanted[i]) {
      names.emplace(graph.node(hit.node).name);
      for (const std::uint32_t edge : graph.edges_to(hit.node)) {
        const npm::Node& from = graph.node(graph.edges()[edge].from);
        if (from.source == npm::Source::registry) names.emplace(from.name);
      }
    }
  }
  return {names.begin(), names.end()};
}

std::vector<LockPlan> make_plans(Situation& situation, const Wanted& wanted, const Leeway& leeway) {
  std::vector<LockPlan> out;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].empty()) continue;
    out.push_back({i, plan_lock(situation, situation.lock(i), wanted[i], leeway)});
  }
  return out;
}

std::vector<LockPlan> plans_for(Situation& situation, const std::vector<LockPlan>& plans,
                                const std::vector<std::size_t>& fixes, const Leeway& leeway) {
  std::vector<LockPlan> out;
  std::size_t first = 0;
  for (const LockPlan& one : plans) {
    std::set<std::pair<std::string, std::string>> copies;
    for (const plan::Copy& copy : one.plan.copies) {
      const bool in =
          copy.fix > 0 && std::find(fixes.begin(), fixes.end(), first + copy.fix) != fixes.end();
      if (in) copies.emplace(copy.location, copy.advisory);
    }
    first += one.plan.fixes.size();
    if (copies.empty()) continue;
    const repository::LoadedLock& lock = situation.lock(one.lock);
    std::vector<findings::Hit> hits = situation.base.scanned.hits[one.lock];
    std::erase_if(hits, [&](const findings::Hit& hit) {
      return !copies.contains({std::string(lock.graph.node(hit.node).location), hit.advisory});
    });
    out.push_back({one.lock, plan_lock(situation, lock, hits, leeway)});
  }
  return out;
}

}  // namespace cg::propose
