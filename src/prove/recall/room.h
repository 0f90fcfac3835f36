// Room: a chamber whose steps are recalled where they can be, and which is opened for the first one
// that cannot.
//
// A step depends on the files and tools that the chamber is furnished with, on what steps before it
// left behind, and on itself. So its key is a digest over the scene, over those earlier steps, and
// over the step as it would be sent to a jail. Steps in a tree of their own leave nothing, so their
// order does not matter:
//
//   install                 H(scene, install)                 changes the tree
//   load a, b               H(scene, install; load a, b)
//   build                   H(scene, install; build)          leaves what it built
//   tests                   H(scene, install, build; tests)
//
// If load a, b, c is asked for later, only that has to be run, and the install before it if the
// chamber was never opened. A room that stays open is installed once, however much is asked of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/domain/error.h"
#include "base/os/ports.h"
#include "prove/recall/memory.h"

namespace cg::recall {

class Room final : public sandbox::Chamber {
 public:
  using Open = std::function<Result<std::unique_ptr<sandbox::Chamber>, Problem>()>;
  struct Scene {
    hash::Digest digest{};       // over files, tools and what else the steps do not say themselves
    std::string private_folder;  // whose name is another one in each run: no part of any key
    std::string side;            // "base" or "fix", for the log
  };

  /// `memory` may be null: then every step is run.
  Room(Memory* memory, os::Clock& clock, Scene scene, Open open);

  /// Of all steps so far: the weakest, if they differ.
  [[nodiscard]] const sandbox::InForce& in_force() const override { return in_force_; }
  [[nodiscard]] Result<sandbox::Ran, sandbox::Error> run(
      const sandbox::Step& step, const sandbox::OnOutput& on_output) override;

  /// Why it could not be opened, if that is what failed.
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }
  /// What happened since the last call. When a challenge was run is not to be seen in it.
  [[nodiscard]] record::Events take_events();
  /// What it kept of steps of these names is not to be recalled: something disturbed them.
  void forget(const std::set<std::string>& names);
  /// Workflows whose steps were recalled.
  [[nodiscard]] const std::set<std::string>& recalled() const { return recalled_; }

 private:
  struct Lasting {  // a step that later ones depend on
    hash::Digest digest;
    sandbox::Step step;
    sandbox::Ran ran;
    bool is_real = false;  // in the chamber that is open
  };
  [[nodiscard]] std::optional<hash::Digest> digest_of(const sandbox::Step& step) const;
  [[nodiscard]] Result<Done, sandbox::Error> open();
  [[nodiscard]] Result<sandbox::Ran, sandbox::Error> really_run(const sandbox::Step& step,
                                                                const sandbox::OnOutput& on_output);
  void hold(const sandbox::InForce& in_force);
  void last(const sandbox::Step& step, const hash::Digest& digest, const sandbox::Ran& ran,
            bool is_real);

  Memory* memory_;
  os::Clock& clock_;
  Scene scene_;
  Open open_;
  std::unique_ptr<sandbox::Chamber> chamber_;
  std::optional<Problem> problem_;
  sandbox::InForce in_force_;
  bool is_held_ = false;
  hash::Digest state_;  // over the scene and all lasting steps
  std::vector<Lasting> lasting_;
  std::set<std::string> recalled_;
  std::vector<std::pair<std::string, hash::Digest>> kept_;  // by name of the step
  record::Events events_;
};

}  // namespace cg::recall
