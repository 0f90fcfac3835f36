// Proving: the repository's own install, build, tests and type check, at the base and with a
// fix, apart from the host; and what the gates say to the difference.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flow/propose/proposer.h"
#include "flow/remediate/apply.h"
#include "flow/remediate/keeping.h"
#include "flow/supplies/sandbox_access.h"
#include "prove/gate/verdict.h"
#include "prove/runners/hook.h"

namespace cg::remediate {

/// What the gates said about one lockfile of a fix.
struct Proof {
  std::string lockfile;
  gate::Verdict verdict;
};

class Proving {
 public:
  Proving(const workspace::Access& access, propose::Situation& situation, supplies::Sandbox sandbox,
          supplies::Watcher& watcher)
      : access_(access),
        situation_(situation),
        sandbox_(std::move(sandbox)),
        watcher_(watcher),
        draw_(drawn(access, situation)) {}

  /// One proof per lockfile that the fix changes. The base is run once for all fixes, but for what
  /// is loaded: which packages these are is the fix's doing. An
  /// error says that nothing could be shown, good or bad. `title` is for the watcher.
  [[nodiscard]] Result<std::vector<Proof>, Problem> prove(
      const std::string& title, const std::vector<propose::LockPlan>& plans, const Applied& applied,
      record::Events& events);
  /// What the steps printed, for the evidence.
  [[nodiscard]] Keeping take_kept() { return std::move(kept_); }
  /// What the operator should know, one line each, each once.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  enum class Side { base, fix };
  struct Subject {
    Side side;
    const repository::LoadedLock& lock;  // as it is on that side
    const gate::Checks& checks;
    std::vector<std::string> load;  // places of packages
    const job::ExportedTree& tree;
  };
  /// The base as it was run, and what it was loaded for.
  struct Base {
    gate::Trial trial;
    std::vector<std::string> loaded;
  };
  [[nodiscard]] Result<runners::Hook, Problem> lay_hook() const;
  [[nodiscard]] Result<gate::Trial, Problem> run(const Subject& subject, record::Events& events);
  [[nodiscard]] Result<const gate::Trial*, Problem> base_of(std::size_t lock,
                                                            const gate::Checks& checks,
                                                            const gate::Loading& loading,
                                                            record::Events& events);
  [[nodiscard]] gate::Comparison comparison_of(const propose::LockPlan& plan,
                                               const scan::Scanned& after,
                                               gate::Checks checks) const;
  [[nodiscard]] gate::WeakProof weak_proof(const propose::LockPlan& plan) const;
  /// Of a lock, inside.
  [[nodiscard]] std::string folder_inside(const repository::LoadedLock& lock) const;
  void note(std::string line);
  [[nodiscard]] static std::uint64_t drawn(const workspace::Access& access,
                                           const propose::Situation& situation);

  const workspace::Access& access_;
  propose::Situation& situation_;
  supplies::Sandbox sandbox_;
  supplies::Watcher& watcher_;
  std::map<std::size_t, Base> bases_;  // by lock
  std::uint64_t draw_;                 // what the challenges of this run are drawn from
  std::vector<std::string> notes_;
  Keeping kept_;
};

}  // namespace cg::remediate
