// Which repository is meant by a folder within.
#include "flow/repository/enclosing.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/support.h"

namespace cg::repository {
namespace {

namespace fs = std::filesystem;

class Enclosing : public testing::Test {
 protected:
  Enclosing() {
    put(".git/HEAD");
    fs::create_directories(at(".git/objects"));
    fs::create_directories(at(".git/refs"));
    put("packages/x/package.json");
  }
  [[nodiscard]] std::string at(const std::string& path) const {
    return fs::canonical(scratch_ / ".").string() + "/shop" + (path.empty() ? "" : "/" + path);
  }
  void put(const std::string& path) const {
    fs::create_directories(fs::path(at(path)).parent_path());
    test::write(at(path), "{}");
  }
  test::ScratchDir scratch_;
};

TEST_F(Enclosing, AWorkspaceIsPartOfTheRepositoryWithTheLock) {
  EXPECT_EQ(repository_of(at("packages/x")), at("packages/x")) << "there is no lock at all";
  put("package-lock.json");
  EXPECT_EQ(lock_above(at("packages/x")), at(""));
  EXPECT_EQ(repository_of(at("packages/x")), at(""));
  EXPECT_EQ(repository_of(at("packages")), at(""));
  EXPECT_EQ(repository_of(at("")), at(""));
  put("packages/yarn.lock");
  EXPECT_EQ(repository_of(at("packages/x")), at("packages")) << "the nearest";
}

TEST_F(Enclosing, AFolderWithALockIsMeantItself) {
  put("package-lock.json");
  put("packages/x/pnpm-lock.yaml");
  EXPECT_EQ(lock_above(at("packages/x")), std::nullopt);
  EXPECT_EQ(repository_of(at("packages/x")), at("packages/x"));
  EXPECT_EQ(repository_of(at("packages")), at("packages")) << "one is beneath";
}

TEST_F(Enclosing, NothingIsTakenFromOutsideOfTheRepository) {
  put("../package-lock.json");
  EXPECT_EQ(repository_of(at("packages/x")), at("packages/x"));
  fs::remove_all(at(".git"));
  put("package-lock.json");
  EXPECT_EQ(repository_of(at("packages/x")), at("packages/x")) << "no git, no repository";
  EXPECT_EQ(repository_of("/no/such/place"), "/no/such/place");
}

TEST_F(Enclosing, SaysWhatWasTaken) {
  EXPECT_EQ(taken_instead(".", "/srv/shop"), "no lockfile in .; taken is /srv/shop, around it");
}

}  // namespace
}  // namespace cg::repository
