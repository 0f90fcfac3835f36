// Proving: the repository's own install, build, tests and type check, at the base and with a
// fix, apart from the host; and what the gates say to the difference.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "flow/propose/proposer.h"
#include "flow/proving/apply.h"
#include "flow/proving/keeping.h"
#include "flow/proving/staging.h"
#include "prove/gate/verdict.h"
#include "prove/preflight/obstacle.h"

namespace cg::proving {

/// What the gates said about one lockfile of a fix.
struct Proof {
  std::string lockfile;
  gate::Verdict verdict;
};

class Proving {
 public:
  /// `memory` may be null: then nothing is recalled, and nothing kept. `obstacles` are those of the
  /// preflight.
  Proving(const workspace::Access& access, propose::Situation& situation, supplies::Sandbox sandbox,
          std::unique_ptr<recall::Memory> memory, const std::vector<preflight::Obstacle>& obstacles,
          supplies::Watcher& watcher)
      : situation_(situation),
        memory_(std::move(memory)),
        staging_(std::make_unique<Staging>(access, situation, std::move(sandbox), memory_.get())),
        obstacles_(obstacles),
        watcher_(watcher) {}

  /// One proof per lockfile that the fix changes. The base is installed, built and tested once for
  /// all fixes; which packages it is to load is each fix's doing. An
  /// error says that nothing could be shown, good or bad. `title` is for the watcher.
  [[nodiscard]] Result<std::vector<Proof>, Problem> prove(const std::string& title,
                                                          const propose::Candidate& candidate,
                                                          const Applied& applied,
                                                          record::Events& events);
  /// Those of `lockfiles` whose base cannot be run as it is, by running it: nothing can be shown of
  /// what is in them.
  [[nodiscard]] Result<std::set<std::string>, Problem> stuck_among(
      const std::set<std::string>& lockfiles, record::Events& events);
  /// Runs the steps of several fixes side by side, at most `at_once`, after the base was run alone:
  /// prove() then finds them done. What fails beside others is run again by prove(), alone, so that
  /// nothing is judged by how busy the machine was. Nothing is begun once `is_late` says so.
  struct Ahead {
    std::vector<propose::LockPlan> plans;
    Applied applied;
  };
  [[nodiscard]] Result<Done, Problem> prove_ahead(const std::vector<Ahead>& fixes, unsigned at_once,
                                                  const std::function<bool()>& is_late,
                                                  record::Events& events);
  /// What the steps printed, for the evidence.
  [[nodiscard]] Keeping take_kept() { return std::move(kept_); }
  /// What the operator should know, one line each, each once.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// The base of one lock as it was run, and where more can be asked of it.
  struct Base {
    Staged staged;
    gate::Trial trial;  // nothing loaded
  };
  /// What a lockfile of a fix has to show.
  struct Plan {
    gate::Checks checks;
    std::vector<gate::Moved> moved;
    gate::Loading loading;
  };
  [[nodiscard]] Plan plan_of(const propose::LockPlan& plan, const Applied& applied) const;
  [[nodiscard]] Result<Staged, Problem> stage_fix(const propose::LockPlan& plan,
                                                  const Applied& applied, const Plan& planned,
                                                  const std::string& slot);
  [[nodiscard]] Result<gate::Trial, Problem> run(Staged& staged, const gate::Setup& setup,
                                                 record::Events& events);
  [[nodiscard]] Result<Done, Problem> run_again(Staged& staged, gate::Trial& trial,
                                                record::Events& events);
  void take_told(Staged& staged, record::Events& events);
  [[nodiscard]] Result<Base*, Problem> base_of(std::size_t lock, gate::Checks checks,
                                               record::Events& events);
  [[nodiscard]] Result<Done, Problem> load(Base& base, gate::Trial& trial,
                                           const gate::Loading& loading, record::Events& events);
  [[nodiscard]] Result<Done, Problem> look_again(Base& base, gate::Trial& before, Staged& fixed,
                                                 gate::Trial& after, record::Events& events);
  [[nodiscard]] gate::Comparison comparison_of(const propose::LockPlan& plan,
                                               const scan::Scanned& after,
                                               gate::Checks checks) const;
  [[nodiscard]] gate::WeakProof weak_proof(const propose::LockPlan& plan) const;
  void note(std::string line);
  void note_failures(const repository::LoadedLock& lock, const gate::Trial& base);

  propose::Situation& situation_;
  std::unique_ptr<recall::Memory> memory_;
  std::unique_ptr<Staging> staging_;
  const std::vector<preflight::Obstacle>& obstacles_;
  supplies::Watcher& watcher_;
  std::map<std::size_t, Base> bases_;  // by lock
  std::vector<std::string> notes_;
  Keeping kept_;
};

}  // namespace cg::proving
