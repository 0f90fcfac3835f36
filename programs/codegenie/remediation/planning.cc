#include "remediation/planning.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/base/text.h"
#include "base/json/json.h"
#include "fix/plan/flat.h"
#include "flow/repository/files.h"
#include "npm/lockfile/lock.h"
#include "npm/semver/range.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxNvmrc = 4096;
constexpr const char* kOverrideNotes = ".codegenie/overrides.json";
constexpr std::size_t kMaxNotes = 4U << 20U;
constexpr std::int64_t kDay = 86'400'000;

using json::Value;

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
plan::Options options_for(const Means& means, const repository::LoadedLock& lock) {
  plan::Options out;
  out.prefer = means.request.prefer;
  out.now = means.now;
  out.cooldown_days = means.policy.cooldown_days;
  out.new_scripts = means.policy.install_scripts == workspace::InstallScripts::allow
                        ? plan::NewScripts::allow
                        : plan::NewScripts::refuse;
  out.across_major = plan::AcrossMajor::refuse;
  out.node = node_of(means.repo, lock);
  out.tried = means.tried;
  out.targets = means.targets;
  for (const recipe::Recipe& recipe : means.plugins.recipes_for(lock.graph.kind())) {
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
                           means.policy.forced_major == workspace::ForcedMajor::allow;
      if (allowed) out.across_major = plan::AcrossMajor::allow;
    }
  }
  return out;
}

Problem misfit(const std::string& file, const std::string& what) {
  return {ErrorCode::fix_edit, what, {{"file", file}}, "nothing was written", {}};
}

Result<std::string, Problem> edit_lock(const repository::LoadedLock& lock, const plan::Plan& plan,
                                       const std::string& registry) {
  const auto text = [&]() -> Result<std::string, edit::EditError> {
    switch (lock.graph.kind()) {
      case npm::LockKind::package_lock:
      case npm::LockKind::npm_shrinkwrap:
        return edit::edit_package_lock(lock.graph, plan.lock, registry);
      case npm::LockKind::yarn_classic:
      case npm::LockKind::yarn_berry:
        return edit::edit_yarn_lock(lock.graph, plan.lock, registry);
      case npm::LockKind::pnpm:
        break;
    }
    return edit::edit_pnpm_lock(lock.graph, plan.lock);
  }();
  if (!text) return fail(misfit(lock.path, text.error().what));
  return *text;
}

/// What a later run needs to know about overrides: why each is there, and when to see
/// whether it still has to be. Notes of earlier runs stay, as long as their rule does.
class OverrideNotes {
 public:
  explicit OverrideNotes(const os::Dir& repo) {
    const auto text = repo.read(kOverrideNotes, kMaxNotes);
    const auto parsed = text ? json::parse_json(*text) : json::parse_json("null");
    const Value* rows = parsed && parsed->is_object() ? parsed->find("overrides") : nullptr;
    if (rows != nullptr && rows->is_array()) rows_ = *rows->as_array();
  }

  /// Of the lock's own rules, the paths that somebody gave a reason for.
  std::vector<std::vector<std::string>> paths(const std::string& lockfile) const {
    std::vector<std::vector<std::string>> out;
    for (const Value& row : rows_) {
      const Value* file = row.is_object() ? row.find("lockfile") : nullptr;
      if (file == nullptr || !file->is_string() || *file->as_string() != lockfile) continue;
      if (auto path = path_of(row); !path.empty()) out.push_back(std::move(path));
    }
    return out;
  }

  void add(const plan::Plan& plan, Time dated) {
    for (const std::vector<std::string>& path : plan.redundant) drop(plan.lockfile, path);
    for (const plan::OverrideNote& note : plan.overrides) {
      drop(plan.lockfile, note.path);
      Value::Array path(note.path.begin(), note.path.end());
      Value::Array advisories(note.advisories.begin(), note.advisories.end());
      rows_.push_back(Value::Object{{"lockfile", plan.lockfile},
                                    {"path", path},
                                    {"value", note.value},
                                    {"reason", note.reason},
                                    {"advisories", advisories},
                                    {"review", to_date(Time{dated.ms + note.days * kDay})}});
    }
  }

  std::string text() const {
    return json::write_json_pretty(
        Value::Object{{"schema", "codegenie/overrides/v1"}, {"overrides", rows_}});
  }

 private:
  static std::vector<std::string> path_of(const Value& row) {
    std::vector<std::string> out;
    const Value* path = row.is_object() ? row.find("path") : nullptr;
    if (path == nullptr || !path->is_array()) return out;
    for (const Value& key : *path->as_array()) {
      if (!key.is_string()) return {};
      out.push_back(*key.as_string());
    }
    return out;
  }
  void drop(const std::string& lockfile, const std::vector<std::string>& path) {
    std::erase_if(rows_, [&](const Value& row) {
      const Value* file = row.is_object() ? row.find("lockfile") : nullptr;
      return file != nullptr && file->is_string() && *file->as_string() == lockfile &&
             path_of(row) == path;
    });
  }

  Value::Array rows_;
};

plan::Plan plan_lock(const Means& means, const repository::LoadedLock& lock,
                     const std::vector<findings::Hit>& hits) {
  const plan::Options options = options_for(means, lock);
  const auto noted = OverrideNotes(means.repo).paths(lock.path);
  const plan::Input input{lock.path,    lock.graph, lock.manifests, hits,
                          means.source, means.book, options,        noted};
  return is_flat(lock.graph.kind()) ? plan::plan_flat(input) : plan::plan_npm(input);
}

class Applying {
 public:
  Applying(const Means& means, const std::string& registry) : means_(means), registry_(registry) {}

  Result<Done, Problem> manifests(const plan::Plan& plan) {
    for (const edit::ManifestEdit& change : plan.manifests) {
      std::string text;
      if (const auto earlier = files_.find(change.path); earlier != files_.end()) {
        text = earlier->second;
      } else {
        auto read = means_.repo.read(change.path, npm::kMaxManifestBytes);
        if (!read) return fail(misfit(change.path, os::describe(read.error())));
        text = *std::move(read);
      }
      auto edited = edit::edit_manifest(text, change);
      if (!edited) return fail(misfit(change.path, edited.error().what));
      files_[change.path] = *std::move(edited);
    }
    return Done{};
  }

  Result<npm::Graph, Problem> lock(const repository::LoadedLock& lock, const plan::Plan& plan,
                                   const std::vector<npm::Manifest>& manifests) {
    CG_TRY_ASSIGN(std::string text, edit_lock(lock, plan, registry_));
    auto graph = lockfile::read_lock(lock.graph.kind(), text, manifests);
    if (!graph)
      return fail(misfit(lock.path, "the edited file does not read: " + graph.error().what));
    for (const edit::PutCopy& put : plan.lock.put) {
      if (is_flat(lock.graph.kind())) break;  // its keys change with what they lock
      const npm::NodeId id = graph->at(put.location);
      if (id == npm::kNoNode || graph->node(id).version != put.release->version) {
        return fail(misfit(lock.path, put.location + " is not as planned"));
      }
    }
    files_[lock.path] = std::move(text);
    return *std::move(graph);
  }

  std::vector<npm::Manifest> manifests_of(const repository::LoadedLock& lock) const {
    std::vector<npm::Manifest> out = lock.manifests;
    for (npm::Manifest& manifest : out) {
      const auto edited = files_.find(manifest.path);
      if (edited == files_.end()) continue;
      if (auto parsed = npm::parse_manifest(manifest.path, edited->second))
        manifest = *std::move(parsed);
    }
    return out;
  }

  EditedFiles files_;

 private:
  const Means& means_;
  const std::string& registry_;
};

}  // namespace

plan::Options options_of(const Means& means, std::size_t lock) {
  return options_for(means, means.scanned.loaded.locks[lock]);
}

Wanted wanted_hits(const Scanned& scanned) {
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

std::vector<std::string> first_names(const Scanned& scanned, const Wanted& wanted) {
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

std::vector<LockPlan> make_plans(const Means& means, const Wanted& wanted) {
  std::vector<LockPlan> out;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].empty()) continue;
    out.push_back({i, plan_lock(means, means.scanned.loaded.locks[i], wanted[i])});
  }
  return out;
}

Result<Edited, Problem> apply_plans(const Means& means, const std::vector<LockPlan>& plans,
                                    const std::string& registry) {
  Applying applying(means, registry);
  for (const LockPlan& one : plans) CG_TRY(applying.manifests(one.plan));
  Edited out;
  const repository::LoadedLocks& before = means.scanned.loaded;
  out.locks.errors = before.errors;
  for (std::size_t i = 0; i < before.locks.size(); ++i) {
    const repository::LoadedLock& lock = before.locks[i];
    const auto planned = std::find_if(plans.begin(), plans.end(),
                                      [&](const LockPlan& one) { return one.lock == i; });
    std::vector<npm::Manifest> manifests = applying.manifests_of(lock);
    if (planned == plans.end() || planned->plan.lock.empty()) {
      auto same = lockfile::read_lock(lock.graph.kind(), std::string(lock.graph.text()), manifests);
      if (!same) return fail(misfit(lock.path, same.error().what));
      out.locks.locks.push_back(
          {lock.path, lock.authoritative, std::move(manifests), *std::move(same)});
      continue;
    }
    CG_TRY_ASSIGN(npm::Graph graph, applying.lock(lock, planned->plan, manifests));
    out.locks.locks.push_back(
        {lock.path, lock.authoritative, std::move(manifests), std::move(graph)});
  }
  out.files = std::move(applying.files_);
  OverrideNotes notes(means.repo);
  bool noted = false;
  for (const LockPlan& one : plans) {
    noted = noted || !one.plan.overrides.empty() || !one.plan.redundant.empty();
    notes.add(one.plan, means.dated);
  }
  if (noted) out.files[kOverrideNotes] = notes.text();
  return out;
}

std::vector<LockPlan> plans_for(const Means& means, const std::vector<LockPlan>& plans,
                                const std::vector<std::size_t>& steps) {
  std::vector<LockPlan> out;
  std::size_t first = 0;
  for (const LockPlan& one : plans) {
    std::set<std::pair<std::string, std::string>> copies;
    for (const plan::Copy& copy : one.plan.copies) {
      const bool in =
          copy.step > 0 && std::find(steps.begin(), steps.end(), first + copy.step) != steps.end();
      if (in) copies.emplace(copy.location, copy.advisory);
    }
    first += one.plan.steps.size();
    if (copies.empty()) continue;
    const repository::LoadedLock& lock = means.scanned.loaded.locks[one.lock];
    std::vector<findings::Hit> hits = means.scanned.hits[one.lock];
    std::erase_if(hits, [&](const findings::Hit& hit) {
      return !copies.contains({std::string(lock.graph.node(hit.node).location), hit.advisory});
    });
    out.push_back({one.lock, plan_lock(means, lock, hits)});
  }
  return out;
}

}  // namespace cg::program
