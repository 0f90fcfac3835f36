#include "fetch/catalog/shelf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/json/json.h"
#include "npm/lockfile/lock.h"
#include "support/support.h"

namespace cg::catalog {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ShelfLayout : public testing::Test {
 protected:
  ShelfLayout() {
    fs::create_directories(scratch_.path() / "home/cache");
    fs::create_directories(scratch_.path() / "shelf");
  }
  Held held(const std::string& name, const std::string& version, const std::string& usual,
            const std::string& bytes) {
    Held out{name, version, "sha512-" + bytes, {"cache/" + bytes, bytes.size()}, {usual}};
    test::write(scratch_ / ("home/cache/" + bytes), bytes);
    return out;
  }
  Shelf lay(const Stock& stock, const std::string& folder = "shelf") {
    const os::Dir home = *os::Dir::open(scratch_ / "home");
    const os::Dir at = *os::Dir::make(scratch_ / folder);
    auto shelf = lay_shelf(home, stock, at);
    EXPECT_TRUE(shelf.has_value()) << shelf.error().what;
    return *std::move(shelf);
  }
  std::vector<std::string> files(const std::string& folder = "shelf") {
    std::vector<std::string> out;
    for (const auto& file : fs::recursive_directory_iterator(scratch_ / folder)) {
      if (file.is_regular_file()) out.push_back(fs::relative(file, scratch_ / folder));
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  test::ScratchDir scratch_;
};

TEST_F(ShelfLayout, EveryPathLeadsToTheBytesAndEveryPackageHasADocument) {
  Stock stock;
  stock.held.push_back(held("@s/a", "1.0.0", "@s/a/-/a-1.0.0.tgz", "one"));
  stock.held.back().paths.push_back("mirror/npm/@s/a/-/a-1.0.0.tgz");
  stock.held.back().mirror = {"@s-a-1.0.0.tgz"};
  stock.held.push_back(held("b", "2.0.0", "b/-/b-2.0.0.tgz", "two"));
  const Shelf shelf = lay(stock);
  EXPECT_THAT(files(),
              ElementsAre("mirror/@s-a-1.0.0.tgz", "registry/@s/a/-/a-1.0.0.tgz",
                          "registry/@s/a/index.json", "registry/b/-/b-2.0.0.tgz",
                          "registry/b/index.json", "registry/mirror/npm/@s/a/-/a-1.0.0.tgz"));
  EXPECT_EQ(test::read(shelf.registry + "/mirror/npm/@s/a/-/a-1.0.0.tgz"), "one");
  EXPECT_EQ(test::read(shelf.mirror + "/@s-a-1.0.0.tgz"), "one");
  EXPECT_EQ(shelf.packages, 2U);
  EXPECT_EQ(shelf.tarballs, 3U);
  EXPECT_THAT(shelf.notes, IsEmpty());
  struct stat found {};
  ASSERT_EQ(stat((shelf.registry + "/b/-/b-2.0.0.tgz").c_str(), &found), 0);
  // A second name; for root, whose chambers read as somebody else, a copy that they can read.
  const bool root = geteuid() == 0;
  EXPECT_EQ(found.st_nlink, root ? 1U : 2U);
  EXPECT_EQ(found.st_mode & 0777U, root ? 0644U : 0600U);
}

TEST_F(ShelfLayout, TheSameStockGivesTheSameShelf) {
  Stock stock;
  stock.held.push_back(held("a", "1.0.0", "a/-/a-1.0.0.tgz", "one"));
  stock.held.push_back(held("a", "1.0.1", "a/-/a-1.0.1.tgz", "two"));
  lay(stock);
  lay(stock, "again");
  ASSERT_EQ(files(), files("again"));
  for (const std::string& file : files()) {
    EXPECT_EQ(test::read(scratch_ / ("shelf/" + file)), test::read(scratch_ / ("again/" + file)));
  }
}

TEST_F(ShelfLayout, APathMadeUpByALockCannotStandInForAnother) {
  Stock stock;
  stock.held.push_back(held("a", "1.0.0", "a/-/a-1.0.0.tgz", "one"));
  stock.held.push_back(held("b", "1.0.0", "b/-/b-1.0.0.tgz", "two"));
  stock.held.back().paths = {"b/-/b-1.0.0.tgz", "a/index.json", "a/-/a-1.0.0.tgz", "a",
                             "a/-/a-1.0.0.tgz/x"};
  const Shelf shelf = lay(stock);
  EXPECT_THAT(test::read(shelf.registry + "/a/index.json"), HasSubstr("\"name\":\"a\""));
  EXPECT_EQ(test::read(shelf.registry + "/a/-/a-1.0.0.tgz"), "one");
  EXPECT_EQ(shelf.notes.size(), 3U);
  EXPECT_EQ(files().size(), 4U);
}

TEST_F(ShelfLayout, OneVersionOfTwoContentsIsSaid) {
  Stock stock;
  stock.held.push_back(held("a", "1.0.0", "a/-/a-1.0.0.tgz", "one"));
  stock.held.push_back(held("a", "1.0.0", "a/-/a-1.0.0.tgz", "two"));
  const Shelf shelf = lay(stock);
  EXPECT_EQ(test::read(shelf.registry + "/a/-/a-1.0.0.tgz"), "one");
  EXPECT_THAT(shelf.notes, ElementsAre(HasSubstr("two locks")));
}

TEST(ShelfDocument, SaysWhatIsKnown) {
  Held old{"a", "1.9.0", "sha512-x", {}, {"a/-/a-1.9.0.tgz"}};
  old.needs = {{"p", "^1.0.0", npm::EdgeKind::prod},
               {"o", "*", npm::EdgeKind::optional},
               {"q", "2", npm::EdgeKind::peer},
               {"r", "3", npm::EdgeKind::peer_optional}};
  old.install_script = true;
  Held known{"a", "1.10.0", "sha512-y", {}, {"a/-/a-1.10.0.tgz"}};
  known.release.emplace();
  known.release->bin = {{"run", "run.js"}};
  known.release->os = {"linux"};
  known.release->engines = {{"node", ">=18"}};
  EXPECT_EQ(
      shelf_document({&old, &known}, {}, shelf_url(4873)),
      R"({"name":"a","dist-tags":{"latest":"1.10.0"},"versions":{"1.9.0":{"name":"a",)"
      R"("version":"1.9.0","dependencies":{"p":"^1.0.0"},"optionalDependencies":{"o":"*"},)"
      R"("peerDependencies":{"q":"2","r":"3"},"peerDependenciesMeta":{"r":{"optional":true}},)"
      R"("hasInstallScript":true,"dist":{"tarball":"http://127.0.0.1:4873/a/-/a-1.9.0.tgz",)"
      R"("integrity":"sha512-x"}},"1.10.0":{"name":"a","version":"1.10.0","bin":{"run":"run.js"},)"
      R"("engines":{"node":">=18"},"os":["linux"],"dist":{"tarball":)"
      R"("http://127.0.0.1:4873/a/-/a-1.10.0.tgz","integrity":"sha512-y"}}}})"
      "\n");
}

TEST(ShelfDocument, ListsWhatIsNotThere) {
  const Held held{"a", "1.0.0", "sha512-x", {}, {"a/-/a-1.0.0.tgz"}};
  registry::Release listed;
  listed.name = "a";
  listed.version = "2.0.0";
  listed.integrity = "sha512-y";
  listed.needs = {{"b", "^3.0.0", npm::EdgeKind::peer}};
  const std::string both = shelf_document({&held}, {&listed}, shelf_url(4873));
  EXPECT_THAT(both, HasSubstr(R"("latest":"1.0.0")"));
  EXPECT_THAT(both, HasSubstr(R"("2.0.0":{"name":"a","version":"2.0.0","peerDependencies":{"b")"));
  EXPECT_THAT(shelf_document({}, {&listed}, shelf_url(4873)), HasSubstr(R"("latest":"2.0.0")"));
}

TEST(LockOnShelf, LeadsPnpmToTheShelfAndChangesNothingElse) {
  const std::string lock = R"(lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a:
        specifier: https://files.example/sub/a.tgz
        version: https://files.example/sub/a.tgz
      b:
        specifier: https://files.example/b.tgz
        version: https://files.example/b.tgz
packages:
  a@https://files.example/sub/a.tgz:
    resolution: {integrity: sha512-x, tarball: https://files.example/sub/a.tgz}
    version: 1.0.0
  b@https://files.example/b.tgz:
    resolution: {integrity: sha512-x, tarball: https://files.example/b.tgz}
    version: 1.0.0
snapshots:
  a@https://files.example/sub/a.tgz: {}
  b@https://files.example/b.tgz: {}
)";
  const auto graph = lockfile::read_pnpm_lock(lock);
  ASSERT_TRUE(graph.has_value()) << graph.error().what;
  Stock stock;
  EXPECT_EQ(lock_on_shelf(*graph, stock), std::nullopt);
  Held held;
  held.paths = {"sub/a.tgz"};
  held.elsewhere = true;
  stock.held.push_back(held);
  std::string expected = lock;
  const std::string from = "tarball: https://files.example/sub/a.tgz";
  expected.replace(expected.find(from), from.size(), "tarball: http://127.0.0.1:4873/sub/a.tgz");
  EXPECT_EQ(lock_on_shelf(*graph, stock), expected);
}

}  // namespace
}  // namespace cg::catalog
