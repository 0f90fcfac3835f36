#include "bench.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/os/dir.h"
#include "trust/hash/sha256.h"

namespace cg::microvm {

Recipe test_recipe() {
  Recipe recipe = standard_recipe();
  recipe.init = CG_INIT;
  recipe.shelf = CG_SHELF;
  return recipe;
}

std::string shared_image() {
  const auto folder = os::Dir::make(CG_IMAGE);
  EXPECT_TRUE(folder.has_value());
  const auto lock = os::Lock::hold(folder->fd(), os::Lock::Mode::exclusive, CG_IMAGE);
  EXPECT_TRUE(lock.has_value());
  const auto there = check_image(*folder);
  const std::string init = test::read(CG_INIT);
  if (there && there->init.sha256 == hash::sha256(as_bytes(init))) return CG_IMAGE;
  const auto made = make_image(test_recipe(), *folder, Time{});
  EXPECT_TRUE(made.has_value()) << made.error().what;
  return CG_IMAGE;
}

Bench::Bench() {
  auto jails = sandbox::Jails::make(CG_JAIL, sandbox::starting_by_fork());
  EXPECT_TRUE(jails.has_value()) << jails.error().what;
  jails_ = std::make_unique<sandbox::Jails>(*std::move(jails));
  std::filesystem::create_directory(path("tree"));
  test::write(path("tree/file"), "of the tree\n");
}

Options Bench::options() const {
  Options out;
  out.image = shared_image();
  out.scratch = path("scratch");
  out.memory = 512U << 20U;
  out.accelerator = Accelerator::tcg;
  return out;
}

sandbox::Scene Bench::scene() const {
  sandbox::Scene scene;
  scene.tree = path("tree");
  return scene;
}

Result<MicroVms, sandbox::Error> Bench::machines(Options options) {
  return MicroVms::make(std::move(options), *jails_);
}

std::unique_ptr<sandbox::Chamber> Bench::open() {
  auto machines = this->machines(options());
  EXPECT_TRUE(machines.has_value()) << machines.error().what;
  machines_ = std::make_unique<MicroVms>(*std::move(machines));
  auto chamber = machines_->open(scene());
  EXPECT_TRUE(chamber.has_value()) << chamber.error().what;
  return chamber ? *std::move(chamber) : nullptr;
}

sandbox::Step step(std::vector<std::string> argv) {
  sandbox::Step out;
  out.name = "test";
  out.argv = std::move(argv);
  out.limits.wall = std::chrono::seconds(15);  // times twenty
  return out;
}

sandbox::Ran must_run(sandbox::Chamber& chamber, const sandbox::Step& step) {
  auto ran = chamber.run(step, {});
  EXPECT_TRUE(ran.has_value()) << ran.error().what;
  return ran ? *std::move(ran) : sandbox::Ran{};
}

}  // namespace cg::microvm
