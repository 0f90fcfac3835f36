#include "flow/repository/locks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "flow/repository/lock_roots.h"
#include "support/support.h"

namespace cg::repository {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = FileError::Kind;

class LockRepo {
 public:
  void add(const std::string& path, const std::string& text) {
    fs::create_directories((scratch_.path() / path).parent_path());
    test::write(scratch_.path() / path, text);
  }
  [[nodiscard]] fs::path at(const std::string& path) const { return scratch_.path() / path; }
  [[nodiscard]] LoadedLocks load() const {
    const auto dir = os::Dir::open(scratch_.path());
    return load_locks(*dir, discover(*dir));
  }

 private:
  test::ScratchDir scratch_;
};

const std::string kManifest = R"({
  "name": "app",
  "dependencies": {
    "left": "^1.0.0"
  }
})";
const std::string kLock = R"({
  "name": "app",
  "lockfileVersion": 3,
  "packages": {
    "": {"name": "app", "dependencies": {"left": "^1.0.0"}},
    "node_modules/left": {"version": "1.2.0"}
  }
})";

auto error(Kind kind, const std::string& path) {
  return AllOf(Field(&FileError::kind, kind), Field(&FileError::path, path));
}

TEST(LoadLocks, ReadsALockWithItsManifest) {
  LockRepo repo;
  repo.add("web/package.json", kManifest);
  repo.add("web/package-lock.json", kLock);
  const LoadedLocks loaded = repo.load();
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_THAT(loaded.disagreements, IsEmpty());
  EXPECT_THAT(loaded.notes, IsEmpty());
  ASSERT_EQ(loaded.locks.size(), 1U);
  EXPECT_EQ(loaded.locks[0].folder(), "web");
  EXPECT_EQ(loaded.locks[0].graph.nodes().size(), 2U);
  ASSERT_EQ(loaded.locks[0].manifests.size(), 1U);
  EXPECT_EQ(loaded.locks[0].manifests[0].path, "web/package.json");
}

TEST(LoadLocks, SaysThatThereIsNone) {
  LockRepo repo;
  EXPECT_THAT(repo.load().errors, ElementsAre(error(Kind::no_lockfile, ".")));
  repo.add("package.json", kManifest);
  const LoadedLocks loaded = repo.load();
  EXPECT_THAT(loaded.errors, ElementsAre(error(Kind::no_lockfile, ".")));
  EXPECT_THAT(loaded.notes, ElementsAre(Field(&Note::what, "no lockfile")));
  repo.add("bun.lock", "{}");
  EXPECT_THAT(repo.load().errors, ElementsAre(error(Kind::unsupported, "bun.lock")));
}

TEST(LoadLocks, NamesWhatIsWrongWithAFile) {
  const struct {
    std::string text;
    Kind kind;
  } cases[] = {
      {"", Kind::empty},
      {" \n", Kind::empty},
      {"\xEF\xBB\xBF" + kLock, Kind::byte_order_mark},
      {kLock.substr(0, kLock.size() / 2), Kind::cut_off},
      {kLock.substr(0, kLock.size() - 1), Kind::cut_off},
      {"{\"name\": \"\xff\"}", Kind::not_utf8},
      {"{\n<<<<<<< HEAD\n=======\n>>>>>>> x\n}", Kind::merge_conflict},
      {"{\"a\": 1,, }", Kind::syntax},
      {"{\"lockfileVersion\": 4}", Kind::version},
      {"{}", Kind::version},
      {"{\"lockfileVersion\": 3, \"packages\": []}", Kind::shape},
      {std::string(100, '\0'), Kind::syntax},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    LockRepo repo;
    repo.add("package.json", kManifest);
    repo.add("package-lock.json", c.text);
    const LoadedLocks loaded = repo.load();
    EXPECT_THAT(loaded.locks, IsEmpty());
    ASSERT_EQ(loaded.errors.size(), 1U);
    EXPECT_EQ(name(loaded.errors[0].kind), name(c.kind)) << describe(loaded.errors[0]);
    EXPECT_EQ(loaded.errors[0].path, "package-lock.json");
  }
}

TEST(LoadLocks, RefusesWhatIsTooLargeWithoutReadingIt) {
  LockRepo repo;
  repo.add("package.json", kManifest);
  repo.add("package-lock.json", "{");
  fs::resize_file(repo.at("package-lock.json"), lockfile::kMaxLockBytes + 1);
  EXPECT_THAT(repo.load().errors, ElementsAre(error(Kind::too_large, "package-lock.json")));
}

TEST(LoadLocks, RefusesLinks) {
  LockRepo repo;
  repo.add("elsewhere.json", kManifest);
  fs::create_symlink("elsewhere.json", repo.at("package.json"));
  repo.add("package-lock.json", kLock);
  const LoadedLocks loaded = repo.load();
  EXPECT_THAT(loaded.errors, ElementsAre(error(Kind::symlink, "package.json")));
  EXPECT_EQ(loaded.locks.size(), 1U);
  LockRepo other;
  other.add("real.json", kLock);
  fs::create_symlink("real.json", other.at("package-lock.json"));
  EXPECT_THAT(other.load().errors, IsEmpty());
  EXPECT_THAT(other.load().locks, IsEmpty()) << "it is skipped, see RepoFiles";
}

TEST(LoadLocks, ABrokenManifestDoesNotHideTheLock) {
  LockRepo repo;
  repo.add("package.json", "{\"dependencies\": []");
  repo.add("package-lock.json", kLock);
  const LoadedLocks loaded = repo.load();
  EXPECT_THAT(loaded.errors, ElementsAre(error(Kind::cut_off, "package.json")));
  EXPECT_EQ(loaded.locks.size(), 1U);
  EXPECT_THAT(loaded.disagreements, IsEmpty());
}

TEST(LoadLocks, AShapeErrorHasItsPlace) {
  LockRepo repo;
  repo.add("package.json", "{\n \"dependencies\": {\"a\": 1}\n}");
  repo.add("package-lock.json", kLock);
  const LoadedLocks loaded = repo.load();
  ASSERT_EQ(loaded.errors.size(), 1U);
  EXPECT_EQ(loaded.errors[0].kind, Kind::shape);
  EXPECT_THAT(describe(loaded.errors[0]), HasSubstr("package.json:2:"));
}

TEST(LoadLocks, WorkspacesBelongToTheRootsLock) {
  LockRepo repo;
  repo.add("package.json", R"({"name": "app", "workspaces": ["packages/*", "!packages/no"]})");
  repo.add("packages/a/package.json", R"({"name": "a", "dependencies": {"left": "1"}})");
  repo.add("packages/no/package.json", R"({"name": "no"})");
  repo.add("package-lock.json", R"({"lockfileVersion": 3, "packages": {
    "": {"name": "app", "workspaces": ["packages/*"]},
    "packages/a": {"name": "a", "dependencies": {"left": "1"}},
    "node_modules/a": {"resolved": "packages/a", "link": true},
    "node_modules/left": {"version": "1.0.0"}}})");
  const LoadedLocks loaded = repo.load();
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_THAT(loaded.disagreements, IsEmpty());
  ASSERT_EQ(loaded.locks.size(), 1U);
  EXPECT_EQ(loaded.locks[0].manifests.size(), 2U);
  EXPECT_THAT(loaded.notes,
              ElementsAre(AllOf(Field(&Note::path, "packages/no/package.json"),
                                Field(&Note::what, HasSubstr("no lockfile covers")))));
}

TEST(LoadLocks, TellsEachDisagreement) {
  LockRepo repo;
  repo.add("package.json",
           "{\"name\": \"app\", \"workspaces\": [\"w/*\"],\n\"dependencies\": {\"same\": \"1\",\n"
           "\"other\": \"^2\",\n\"absent\": \"3\"}}");
  repo.add("w/new/package.json", R"({"name": "new"})");
  repo.add("package-lock.json", R"({"lockfileVersion": 3, "packages": {
    "": {"name": "app", "workspaces": ["w/*"],
         "dependencies": {"same": "1", "other": "^1", "extra": "4"}},
    "w/gone": {"name": "gone"},
    "node_modules/same": {"version": "1.0.0", "dependencies": {"void": "*"},
                          "optionalDependencies": {"fine": "*"}},
    "node_modules/other": {"version": "1.0.0"},
    "node_modules/extra": {"version": "4.0.0"}}})");
  const LoadedLocks loaded = repo.load();
  std::vector<std::string> said;
  for (const Disagreement& d : loaded.disagreements) {
    said.push_back(std::string(name(d.kind)) + " " + d.name + " " + d.manifest_spec + "/" +
                   d.lock_spec + " " + d.manifest + ":" + std::to_string(d.line) + " " +
                   d.asked_by);
  }
  EXPECT_THAT(said, ElementsAre("different_spec other ^2/^1 package.json:3 ",
                                "missing_in_lock absent 3/ package.json:4 ",
                                "missing_in_manifest extra /4 package.json:0 ",
                                "manifest_unknown new / w/new/package.json:0 ",
                                "manifest_gone gone / w/gone/package.json:0 ",
                                "leads_nowhere void /* :5 node_modules/same"));
}

TEST(LoadLocks, OneOfTwoLocksCountsAndTheOtherIsAStray) {
  LockRepo repo;
  repo.add("package.json", kManifest);
  repo.add("package-lock.json", kLock);
  repo.add("npm-shrinkwrap.json", kLock);
  const LoadedLocks loaded = repo.load();
  ASSERT_EQ(loaded.locks.size(), 2U);
  EXPECT_EQ(loaded.locks[0].path, "npm-shrinkwrap.json");
  EXPECT_TRUE(loaded.locks[0].authoritative);
  EXPECT_FALSE(loaded.locks[1].authoritative);
  EXPECT_THAT(loaded.notes,
              ElementsAre(AllOf(Field(&Note::path, "package-lock.json"),
                                Field(&Note::what, HasSubstr("npm-shrinkwrap.json is the one")))));
}

TEST(Choose, FollowsWhatTheRepositoryNames) {
  const LockRoot root{"",
                      {{"package-lock.json", npm::LockKind::package_lock},
                       {"pnpm-lock.yaml", npm::LockKind::pnpm},
                       {"yarn.lock", npm::LockKind::yarn_classic}}};
  RepoFiles files;
  npm::Manifest manifest;
  EXPECT_EQ(choose(root, nullptr, files).index, 0U);
  manifest.engines = {{"node", "18"}, {"yarn", "1"}};
  EXPECT_EQ(choose(root, &manifest, files).index, 2U);
  files.pnpm_workspaces = {"pnpm-workspace.yaml"};
  EXPECT_EQ(choose(root, &manifest, files).index, 1U);
  manifest.package_manager = "yarn@1.22.0";
  EXPECT_EQ(choose(root, &manifest, files).index, 2U);
  EXPECT_EQ(choose(root, &manifest, files).reason, "packageManager is yarn@1.22.0");
  manifest.package_manager = "bun@1";  // has no lockfile here
  EXPECT_EQ(choose(root, &manifest, files).index, 1U);
}

}  // namespace
}  // namespace cg::repository
