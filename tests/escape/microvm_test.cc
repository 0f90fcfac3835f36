// Every act, in a microVM: it ends as the table says, and the host shows no trace of it.
// Booting takes seconds, so that one machine is for many acts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>

#include "jail/microvm/vm.h"
#include "jail/sandbox/jail.h"
#include "trial.h"

namespace cg::escape {
namespace {

using testing::IsEmpty;

/// Nothing but a shell is needed: acts bring what they need along.
microvm::Recipe small_recipe() {
  microvm::Recipe recipe;
  recipe.init = CG_INIT;
  recipe.programs = {"/bin/sh", "/usr/bin/env"};
  return recipe;
}

class MicroVm : public testing::Test {
 protected:
  /// False where this machine has no emulator or no kernel for it.
  bool make() {
    std::filesystem::create_directory(scratch_ / "image");
    const auto folder = os::Dir::open(scratch_ / "image");
    if (!folder) throw std::runtime_error("no folder for the image");
    const auto image = microvm::make_image(small_recipe(), *folder, Time{});
    if (!image) return says_missing(image.error());
    microvm::Options options;
    options.image = scratch_ / "image";
    options.scratch = scratch_.path();
    options.memory = 512U << 20U;
    auto made = microvm::MicroVms::make(options, *jails_);
    if (!made) return says_missing(made.error());
    factor_ = microvm::wall_factor(made->accelerator());
    chambers_.emplace(*std::move(made));
    return true;
  }

  static bool says_missing(const sandbox::Error& error) {
    EXPECT_EQ(error.kind, sandbox::Error::Kind::missing) << sandbox::describe(error);
    return false;
  }

  std::unique_ptr<sandbox::Chamber> boot(Host& host) {
    std::vector<std::string> names;
    for (const Act& a : acts()) names.push_back(a.name);
    auto chamber = chambers_->open(scene_of(host.tree_with(names), host.visible()));
    if (!chamber) throw std::runtime_error(sandbox::describe(chamber.error()));
    return *std::move(chamber);
  }

  test::ScratchDir scratch_;
  std::unique_ptr<sandbox::Chambers> jails_ = jails();
  std::optional<microvm::MicroVms> chambers_;
  unsigned factor_ = 1;
};

TEST_F(MicroVm, HoldsEveryAct) {
  if (!make()) GTEST_SKIP() << "no emulator or no kernel for it";
  Host host;
  auto chamber = boot(host);
  EXPECT_NE(chamber->in_force().isolation, sandbox::Isolation::none);
  EXPECT_NE(chamber->in_force().isolation, sandbox::Isolation::namespaces);
  for (const Act& a : acts()) {
    const bool held = try_act(*chamber, a, a.microvm, host, factor_);
    if (!held) chamber = boot(host);
  }
  expect_usable(*chamber);
  chamber.reset();
  EXPECT_THAT(host.left_behind(), IsEmpty());
}

}  // namespace
}  // namespace cg::escape
