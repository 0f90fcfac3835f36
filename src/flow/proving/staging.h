// Staging: one side of a proof, base or fix, made ready: its files, its packages, the commands to
// run, and the room they are run in.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fetch/catalog/installer.h"
#include "flow/job/files.h"
#include "flow/propose/situation.h"
#include "flow/proving/managing.h"
#include "flow/supplies/sandbox_access.h"
#include "prove/gate/trial.h"
#include "prove/recall/room.h"

namespace cg::proving {

enum class Side { base, fix };
[[nodiscard]] std::string_view name(Side side);

/// What is to be run.
struct Subject {
  Side side = Side::base;
  std::string slot;                         // names its folders: one for what stays ready at once
  const repository::LoadedLock* lock = {};  // as it is on that side; outlives what is staged
  gate::Checks checks;
  job::EditedFiles files = {};  // what the fix changes, paths as in the repository
};

struct Staged {
  Side side = Side::base;
  gate::Setup setup;  // nothing to load
  std::unique_ptr<recall::Room> room;
  /// What furnishing the room told, once it was furnished.
  struct Told {
    record::Events events;
    std::vector<std::string> notes;
  };
  std::unique_ptr<Told> told;
};

class Staging {
 public:
  /// `memory` may be null: then everything is run.
  Staging(const workspace::Access& access, propose::Situation& situation, supplies::Sandbox sandbox,
          recall::Memory* memory);
  Staging(const Staging&) = delete;  // rooms hold on to it
  Staging& operator=(const Staging&) = delete;

  /// Nothing is installed or opened by it: the room does that when somebody needs it. `notes` gets
  /// what the operator should know.
  [[nodiscard]] Result<Staged, Problem> stage(const Subject& subject,
                                              std::vector<std::string>& notes);
  /// Ends what is open of it. Like stage(), and unlike running steps, one at a time.
  void close(Staged staged);

 private:
  struct Furniture {
    std::string slot;
    std::string tree;
    std::vector<std::string> readable;
    std::map<std::string, std::string> links;
    const repository::LoadedLock* lock;
  };
  [[nodiscard]] Result<std::unique_ptr<sandbox::Chamber>, Problem> furnish(
      const Furniture& furniture, Staged::Told& told);
  [[nodiscard]] Result<runners::Hook, Problem> lay_hook(const catalog::Command& manager) const;
  [[nodiscard]] std::string folder_inside(const repository::LoadedLock& lock) const;

  const workspace::Access& access_;
  propose::Situation& situation_;
  supplies::Sandbox sandbox_;
  recall::Memory* memory_;
  Managing managing_;
  os::SystemClock clock_;
  std::mutex furnishing_;  // other programs are started and ended by one thread at a time
  std::uint64_t draw_;     // what challenges are drawn from
  std::string reports_;    // inside, where test runners report
};

/// What a sandbox said, as an error of a remediation.
[[nodiscard]] Problem chamber_problem(const sandbox::Error& error);

}  // namespace cg::proving
