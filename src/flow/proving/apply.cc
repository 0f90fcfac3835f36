#include "flow/proving/apply.h"

#include <algorithm>

#include "flow/propose/override_notes.h"
#include "npm/lockfile/lock.h"

namespace cg::proving {

namespace {

using propose::LockPlan;

bool is_flat(npm::LockKind kind) {
  return kind == npm::LockKind::yarn_classic || kind == npm::LockKind::yarn_berry ||
         kind == npm::LockKind::pnpm;
}

Problem misfit(const std::string& file, const std::string& what) {
  return {ErrorCode::fix_edit, what, {{"file", file}}, "nothing was written", {}};
}

Problem raced(const std::string& file, const std::string& what) {
  return {ErrorCode::fix_race,
          what,
          {{"file", file}},
          "nothing was written",
          {"see who writes to the repository, then start again"}};
}

/// The text that plans were made from. A folder without git is read where it is, and whoever may
/// write there can change it meanwhile, or put a link in its place.
Result<Done, Problem> check_same(const os::Dir& files, const repository::LoadedLock& lock) {
  const auto text = files.read(lock.path, lockfile::kMaxLockBytes);
  if (!text) return fail(raced(lock.path, "was read and cannot be: " + os::describe(text.error())));
  if (*text != lock.graph.text()) {
    return fail(raced(lock.path, "has another text than when it was read"));
  }
  return Done{};
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

class Applying {
 public:
  explicit Applying(const propose::Situation& situation) : situation_(situation) {}

  Result<Done, Problem> manifests(const plan::Plan& plan) {
    for (const edit::ManifestEdit& change : plan.manifests) {
      std::string text;
      if (const auto earlier = edited_.find(change.path); earlier != edited_.end()) {
        text = earlier->second;
      } else {
        auto read = situation_.base.checkout.files().read(change.path, npm::kMaxManifestBytes);
        if (!read) {
          return fail(raced(change.path, "was read and cannot be: " + os::describe(read.error())));
        }
        text = *std::move(read);
      }
      auto edited = edit::edit_manifest(text, change);
      if (!edited) return fail(misfit(change.path, edited.error().what));
      edited_[change.path] = *std::move(edited);
    }
    return Done{};
  }

  Result<npm::Graph, Problem> lock(const repository::LoadedLock& lock, const plan::Plan& plan,
                                   const std::vector<npm::Manifest>& manifests) {
    CG_TRY(check_same(situation_.base.checkout.files(), lock));
    CG_TRY_ASSIGN(std::string text, edit_lock(lock, plan, situation_.registry));
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
    edited_[lock.path] = std::move(text);
    return *std::move(graph);
  }

  std::vector<npm::Manifest> manifests_of(const repository::LoadedLock& lock) const {
    std::vector<npm::Manifest> out = lock.manifests;
    for (npm::Manifest& manifest : out) {
      const auto edited = edited_.find(manifest.path);
      if (edited == edited_.end()) continue;
      if (auto parsed = npm::parse_manifest(manifest.path, edited->second))
        manifest = *std::move(parsed);
    }
    return out;
  }

  job::EditedFiles take_files() && { return std::move(edited_); }

 private:
  const propose::Situation& situation_;
  job::EditedFiles edited_;
};

/// All of the repository, with the edited ones in place.
Result<repository::LoadedLocks, Problem> edit_all(const repository::LoadedLocks& before,
                                                  const std::vector<LockPlan>& plans,
                                                  Applying& applying) {
  repository::LoadedLocks out;
  out.errors = before.errors;
  for (const LockPlan& one : plans) CG_TRY(applying.manifests(one.plan));
  for (std::size_t i = 0; i < before.locks.size(); ++i) {
    const repository::LoadedLock& lock = before.locks[i];
    const auto planned = std::find_if(plans.begin(), plans.end(),
                                      [&](const LockPlan& one) { return one.lock == i; });
    std::vector<npm::Manifest> manifests = applying.manifests_of(lock);
    if (planned == plans.end() || planned->plan.lock.empty()) {
      auto same = lockfile::read_lock(lock.graph.kind(), std::string(lock.graph.text()), manifests);
      if (!same) return fail(misfit(lock.path, same.error().what));
      out.locks.push_back({lock.path, lock.authoritative, std::move(manifests), *std::move(same)});
      continue;
    }
    CG_TRY_ASSIGN(npm::Graph graph, applying.lock(lock, planned->plan, manifests));
    out.locks.push_back({lock.path, lock.authoritative, std::move(manifests), std::move(graph)});
  }
  return out;
}

}  // namespace

Result<Applied, Problem> apply(const workspace::Access& access, propose::Situation& situation,
                               const std::vector<LockPlan>& plans) {
  propose::Base& base = situation.base;
  Applying applying(situation);
  CG_TRY_ASSIGN(repository::LoadedLocks locks, edit_all(base.scanned.loaded, plans, applying));
  Applied out{std::move(applying).take_files(), {}};
  propose::OverrideNotes notes(base.checkout.files());
  bool noted = false;
  for (const LockPlan& one : plans) {
    noted = noted || !one.plan.overrides.empty() || !one.plan.redundant.empty();
    notes.add(one.plan, situation.dated);
  }
  if (noted) out.files[propose::kOverrideNotes] = notes.text();
  CG_TRY_ASSIGN(out.after,
                scan::scan_loaded(base.checkout.files(), {}, std::move(locks), access.workspace,
                                  base.policy, *base.index, base.asked));
  out.after.scan.repo.skipped = base.scanned.scan.repo.skipped;
  return out;
}

}  // namespace cg::proving
