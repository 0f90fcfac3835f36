// Proving: the repository's own install, build, tests and type check, at the base and with a
// fix, apart from the host; and what the gates say to the difference.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "access.h"
#include "fetch/catalog/catalog.h"
#include "fetch/catalog/tools.h"
#include "jail/sandbox/chamber.h"
#include "prove/gate/verdict.h"
#include "proving/gate_display.h"
#include "remediation/checkout.h"
#include "remediation/planning.h"

namespace cg::program {

/// Where and with what fixes are proven.
struct Ground {
  const Access& access;
  const Checkout& checkout;
  catalog::Catalog& catalog;
  sandbox::Chambers& chambers;
  const catalog::Tools& tools;
  const std::string& scratch;
  const workspace::Policy& policy;
  GateDisplay& display;
};

/// A fix that is to be proven.
struct Candidate {
  std::string title;  // "tinyshop-text 1.0.3", for progress
  const std::vector<LockPlan>& plans;
  const EditedFiles& files;
  const Scanned& before;
  const Scanned& after;
};

/// What the gates said about one lockfile of a fix.
struct Proof {
  std::string lockfile;
  gate::Verdict verdict;
};

class Proving {
 public:
  explicit Proving(const Ground& ground) : ground_(ground) {}

  /// One proof per lockfile that the fix changes. The base is run once for all fixes. An
  /// error says that nothing could be shown, good or bad.
  [[nodiscard]] Result<std::vector<Proof>, Problem> prove(const Candidate& candidate,
                                                          record::Events& events);
  /// What the operator should know, one line each, each once.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  enum class Side { base, fix };
  struct Subject {
    Side side;
    const repository::LoadedLock& lock;  // as it is on that side
    const gate::Checks& checks;
    std::string tree;  // folder on the host
  };
  [[nodiscard]] Result<gate::Trial, Problem> run(const Subject& subject, record::Events& events);
  [[nodiscard]] Result<const gate::Trial*, Problem> base_of(std::size_t lock,
                                                            const repository::LoadedLock& loaded,
                                                            const gate::Checks& checks,
                                                            record::Events& events);
  [[nodiscard]] gate::Comparison facts_of(const Candidate& candidate, const LockPlan& plan,
                                          gate::Checks checks) const;
  /// Of a lock, inside.
  [[nodiscard]] std::string folder_inside(const repository::LoadedLock& lock) const;
  void note(std::string line);

  Ground ground_;
  std::map<std::size_t, gate::Trial> bases_;  // by lock
  std::vector<std::string> notes_;
};

}  // namespace cg::program
