// A step with a tree of its own finds what shared steps left, and nothing of any other step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.h"

namespace cg::sandbox::test {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::IsEmpty;

Step own(const std::string& text) {
  Step step = shell(text);
  step.tree = Tree::own;
  return step;
}

class OwnTreeTest : public JailTest {
 protected:
  OwnTreeTest() : bench_(GetParam()) {
    cg::test::write(bench_.tree() + "/src.js", "first\n");
    bench_.scene.links = {{"lib/alias.js", "../src.js"}};
    const Ran installed = bench_.run(
        shell("mkdir -p node_modules/a /tmp/cache /tmp/home && echo installed > "
              "node_modules/a/index.js && "
              "echo made > made.js && echo kept > /tmp/cache/zip && echo x > /tmp/home/.npmrc"));
    EXPECT_EQ(describe(installed.ending, {}), "exit 0") << installed.err.kept;
  }
  std::string said(const Step& step) {
    const Ran ran = bench_.run(step);
    return ran.out.kept + ran.err.kept;
  }
  Bench bench_;
};

TEST_P(OwnTreeTest, WhatAStepDoesIsSeenByNoOther) {
  const Ran ran = bench_.run(
      own("rm -rf node_modules/a && mkdir node_modules/a && echo evil > node_modules/a/index.js && "
          "echo evil > src.js && echo evil > /tmp/x && echo evil > /dev/shm/x && echo evil > "
          "/tmp/home/.npmrc"));
  EXPECT_EQ(describe(ran.ending, {}), "exit 0") << ran.err.kept;
  EXPECT_THAT(ran.own_tree, AnyOf(Eq("overlay"), Eq("copy")));
  const std::string look = "cat node_modules/a/index.js src.js; ls -A /dev/shm";
  EXPECT_EQ(said(own(look + " /tmp /tmp/home")),
            "installed\nfirst\n/dev/shm:\n\n/tmp:\nhome\n\n/tmp/home:\n");
  EXPECT_EQ(said(shell(look)), "installed\nfirst\n");
}

TEST_P(OwnTreeTest, WhatAStepDoesToFilesOfTheRepositoryIsTold) {
  EXPECT_THAT(bench_
                  .run(own("cat src.js; echo x > new.js; echo x > made.js; echo x > "
                           "node_modules/a/index.js"))
                  .altered,
              IsEmpty());
  EXPECT_THAT(bench_.run(own("touch -r src.js /tmp/t && echo x > src.js && touch -r /tmp/t src.js"))
                  .altered,
              testing::ElementsAre("src.js"));
  EXPECT_THAT(bench_.run(own("rm src.js")).altered, testing::ElementsAre("src.js"));
  EXPECT_THAT(bench_.run(own("echo x > lib/alias.js")).altered, testing::ElementsAre("src.js"));
  EXPECT_THAT(bench_.run(own("cp -r lib l && rm -r lib && mv l lib")).altered,
              testing::ElementsAre("lib/alias.js"));
  EXPECT_THAT(bench_.run(own("mv src.js b.js && cp b.js src.js")).altered,
              testing::ElementsAre("src.js"));
}

/// An install script of a works on a, and on nothing that others are judged by.
TEST_P(OwnTreeTest, AScriptOfAPackageChangesThatPackageAlone) {
  EXPECT_EQ(
      said(shell("mkdir -p node_modules/b/bin node_modules/.bin node_modules/a/node_modules/b "
                 "&& for f in node_modules/b/bin/b node_modules/.bin/b; do echo first > $f; "
                 "done")),
      "");
  Step script =
      own("mkdir -p node_modules/a/build node_modules/.a node_modules/b/node_modules/c "
          "dist && "
          "for f in node_modules/a/build/a.node node_modules/a/index.js node_modules/.a/x "
          "node_modules/b/bin/b node_modules/.bin/b node_modules/b/node_modules/c/index.js "
          "node_modules/a/node_modules/b/index.js node_modules/new.js dist/x src.js made.js; do "
          "echo script > $f; done");
  script.keep = Keep::packages;
  script.packages = {"a"};
  EXPECT_EQ(said(script), "");
  const std::string look = "grep -rl script . | sort";
  const std::string kept =
      "./node_modules/.a/x\n./node_modules/a/build/a.node\n./node_modules/a/index.js\n";
  EXPECT_EQ(said(own(look)), kept);
  EXPECT_EQ(said(shell(look)), kept);
}

TEST_P(OwnTreeTest, WhatABuildMadeIsLaidIntoLaterOnes) {
  Step build = own(
      "mkdir -p dist .cache dist/node_modules/b __mocks__ && for file in dist/out.js made.js "
      "src.js .npmrc .mocharc.json jest.config.js dist/.hidden .cache/x dist/node_modules/b/x "
      "node_modules/a/index.js __mocks__/a.js tsconfig.build.json; do echo built > $file; done");
  build.keep = Keep::built;
  EXPECT_EQ(said(build), "");
  EXPECT_EQ(said(own("grep -rl built . | sort")), "./dist/out.js\n./made.js\n");
  EXPECT_EQ(said(shell("grep -rl built .")), "");
}

TEST_P(OwnTreeTest, ALinkThatABuildMadeLeadsNobodyOut) {
  Step build = own("ln -s /tree/node_modules out && ln -s ../node_modules/a dist");
  build.keep = Keep::built;
  EXPECT_EQ(said(build), "");
  build.argv =
      own("mkdir -p out/a dist && echo evil > out/a/index.js && echo evil > dist/index.js").argv;
  EXPECT_EQ(said(build), "");
  EXPECT_EQ(said(own("cat node_modules/a/index.js")), "installed\n");
  EXPECT_EQ(said(shell("cat node_modules/a/index.js")), "installed\n");
}

TEST_P(OwnTreeTest, WhatIsPlantedLooksAsIfItHadAlwaysBeenThere) {
  Step step = own("cat src.js test/new.js; stat -c %y src.js");
  const std::string before = said(shell("mkdir test; stat -c %y src.js"));
  step.planted = {{"src.js", "planted\n"}, {"test/new.js", "new\n"}, {"../tmp/x", "no\n"}};
  EXPECT_EQ(said(step), "planted\nnew\n" + before);
  EXPECT_EQ(said(own("cat src.js; ls test /tmp")), "first\n/tmp:\nhome\n\ntest:\n");
}

TEST_P(OwnTreeTest, IsARepositoryThatHasWhatIsPlantedAndNotWhatWasMade) {
  if (access("/usr/bin/git", X_OK) != 0) GTEST_SKIP() << "this machine has no /usr/bin/git";
  Step build = own("mkdir dist && echo built > dist/out.js && echo built > '[a] b.js'");
  build.keep = Keep::built;
  EXPECT_EQ(bench_.run(build).no_git, "");
  const std::string look =
      "git ls-files; git status --porcelain; git diff HEAD; cat .git/info/exclude; "
      "git cat-file --batch-check='%(objecttype)' --batch-all-objects | sort | uniq -c | tr -s ' '";
  const std::string rest =
      "/\\[a]\\ b.js\n/dist\n/made.js\nnode_modules/\n 2 blob\n 1 commit\n 2 tree\n";
  EXPECT_EQ(said(own(look)), "lib/alias.js\nsrc.js\n" + rest);
  // Nothing is left of what it took the place of.
  Step step = own(look);
  step.planted = {{"src.js", "planted\n"}};
  EXPECT_EQ(said(step), "lib/alias.js\nsrc.js\n" + rest);
  step.argv = own("git show HEAD:src.js; git log --format=%s; git symbolic-ref HEAD").argv;
  EXPECT_EQ(said(step), "planted\nchore: the tree under test\nrefs/heads/main\n");
  EXPECT_THAT(bench_.run(own("git commit -q --allow-empty -m x")).altered, IsEmpty());
  EXPECT_EQ(said(shell("ls -A")), "lib\nmade.js\nnode_modules\nsrc.js\n");
}

TEST_P(OwnTreeTest, NoRepositoryOfAnInstallIsFoundInIt) {
  if (access("/usr/bin/git", X_OK) != 0) GTEST_SKIP() << "this machine has no /usr/bin/git";
  const Ran evil = bench_.run(shell(
      "mkdir -p .git/hooks && printf '[core]\\n\\tfsmonitor = touch /tmp/evil\\n' > .git/config "
      "&& echo x > .git/hooks/pre-commit && mkdir sub && mv src.js sub && ln -s /.scratch lib2"));
  ASSERT_EQ(describe(evil.ending, {}), "exit 0") << evil.err.kept;
  EXPECT_EQ(said(own("git ls-files; git status --porcelain; ls -A .git/hooks /tmp; git fsck")),
            "lib/alias.js\n.git/hooks:\n\n/tmp:\nhome\n");
}

TEST_P(OwnTreeTest, NoLinkThatAnInstallMadeLeadsItsRepositoryOut) {
  if (access("/usr/bin/git", X_OK) != 0) GTEST_SKIP() << "this machine has no /usr/bin/git";
  ASSERT_TRUE(is_success(
      bench_.run(shell("rm -r lib src.js && ln -s /etc lib && ln -s /etc/hosts src.js")).ending));
  EXPECT_EQ(said(own("git ls-files; git show HEAD:src.js; echo; git status --porcelain")),
            "src.js\n/etc/hosts\n");
}

TEST_P(OwnTreeTest, WhatInstallsLeftInTmpCanBeSeenAndNotWritten) {
  Step step = own("cat /tmp/cache/zip; echo evil > /tmp/cache/zip");
  step.seen = {"/tmp/cache"};
  const Ran ran = bench_.run(step);
  EXPECT_EQ(ran.out.kept, "kept\n");
  EXPECT_EQ(describe(ran.ending, {}), "exit 1");
}

TEST_P(OwnTreeTest, ReportsAreCollectedFromItsOwnTmp) {
  Step step = own("echo mine > /tmp/report; ln -s /tree/src.js /tmp/link");
  step.collect = {"/tmp/report", "/tmp/link", "/tree/src.js"};
  EXPECT_THAT(bench_.run(step).collected,
              testing::ElementsAre(testing::Pair("/tmp/report", "mine\n"),
                                   testing::Pair("/tree/src.js", "first\n")));
  EXPECT_THAT(bench_.run(shell("ls /tmp/report")).out.kept, IsEmpty());
}

TEST_P(OwnTreeTest, NoStepSeesWhereTheTreesAreMade) {
  EXPECT_EQ(said(own("ls -A /.scratch")), "");
  EXPECT_EQ(said(shell("ls -A /.scratch")), "");
}

TEST_P(OwnTreeTest, SharedMemoryEndsWithItsStep) {
  EXPECT_THAT(said(shell("ipcmk -M 4096; tail -n +2 /proc/sysvipc/shm | wc -l")),
              testing::EndsWith("\n1\n"));
  EXPECT_EQ(said(shell("tail -n +2 /proc/sysvipc/shm | wc -l")), "0\n");
}

INSTANTIATE_TEST_SUITE_P(Users, OwnTreeTest, testing::ValuesIn(users()),
                         [](const auto& tested) { return name(tested.param); });

}  // namespace
}  // namespace cg::sandbox::test
