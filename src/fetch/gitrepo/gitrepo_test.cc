#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "fetch/gitrepo/config.h"
#include "fetch/gitrepo/links.h"
#include "fetch/gitrepo/locate.h"
#include "fetch/gitrepo/names.h"
#include "fetch/gitrepo/policy.h"
#include "fetch/gitrepo/repo_lock.h"
#include "fetch/gitrepo/wire.h"
#include "support/support.h"

namespace cg::gitrepo {
namespace {

using testing::HasSubstr;

ObjectId some_id() { return *ObjectId::parse("0123456789abcdef0123456789abcdef01234567"); }

std::vector<Order> sample_orders() {
  const Filter filter{{"package.json"}, {"apps/*/x"}, {"node_modules"}, {"yarn.lock"}};
  PrepareOrder prepare{"/r", some_id(), {}, "m\n", {"a", "a@b"}, {"c", "c@d"}, 1, -90};
  prepare.changes = {{"a", std::string("\0\xff", 2)}, {"b", std::nullopt}};
  return {InspectOrder{"/r", "main", filter},
          ExportOrder{"/r", some_id(), filter, "/out", {}, Links::told}, prepare,
          WriteOrder{"/r", "tree", {{NewObject::Kind::tree, "x"}}, "sig", "codegenie/x"},
          ShowOrder{"/r", "HEAD"}};
}

std::vector<Answer> sample_answers() {
  Inspection inspection;
  inspection.work_tree = "/r";
  inspection.submodules = {"a", "b"};
  inspection.dirty = {{DirtyFile::How::deleted, "x"}};
  const Exported exported{
      {{"a", some_id(), 3, true}}, {{Skipped::Why::too_big, "b"}}, {{"c", "../a"}}};
  const Prepared prepared{"t", some_id(),    some_id(), {{NewObject::Kind::blob, "b"}},
                          "d", {{"a", 2, 1}}};
  const Shown shown{some_id(), some_id(), {some_id()}, "t", "s", "m", "d"};
  return {{"", Error{Error::Kind::hostile, "why"}},
          {"seccomp", inspection},
          {"seccomp", exported},
          {"seccomp", prepared},
          {"seccomp", Written{Written::Outcome::replaced, some_id(), some_id(), "refs/x"}},
          {"seccomp", shown}};
}

TEST(Wire, WhatIsWrittenReadsBackToTheSameBytes) {
  for (const Order& order : sample_orders()) {
    const auto bytes = write_order(order);
    ASSERT_TRUE(bytes.has_value());
    const auto back = read_order(*bytes);
    ASSERT_TRUE(back.has_value()) << order.index();
    EXPECT_EQ(write_order(*back), bytes);
  }
  for (const Answer& answer : sample_answers()) {
    const auto bytes = write_answer(answer);
    ASSERT_TRUE(bytes.has_value());
    const auto back = read_answer(*bytes);
    ASSERT_TRUE(back.has_value()) << answer.outcome.index();
    EXPECT_EQ(write_answer(*back), bytes);
  }
}

TEST(Wire, EveryCutAndEveryAdditionIsRefused) {
  for (const Answer& answer : sample_answers()) {
    const std::string bytes = *write_answer(answer);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(read_answer(bytes.substr(0, size)).has_value()) << size;
    }
    EXPECT_FALSE(read_answer(bytes + '\0').has_value());
  }
}

TEST(Wire, AChangedByteIsRefusedOrReadsBackToItself) {
  for (const Order& order : sample_orders()) {
    const std::string bytes = *write_order(order);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        std::string other = bytes;
        other[at] = static_cast<char>(other[at] ^ flip);
        const auto back = read_order(other);
        if (back) {
          EXPECT_EQ(write_order(*back), other);
        }
      }
    }
  }
}

TEST(Wire, ALengthOverTheCapIsRefusedBeforeAnythingIsRead) {
  EXPECT_FALSE(parse_length("\xff\xff\xff\xff").has_value());
  EXPECT_EQ(parse_length(std::string_view("\0\0\1\0", 4)), 256U);
  EXPECT_FALSE(parse_length("abc").has_value());
}

bool is_inside(const std::vector<TreeLink>& links) {
  const JudgedLinks judged = judge_links(links);
  EXPECT_EQ(judged.inside.size() + judged.left_out.size(), links.size());
  return judged.inside.contains(links.front().path);
}

TEST(Links, ThoseThatStayBeneathTheTopAreInside) {
  for (const char* target : {"file", "../file", "../../file", "./x/../y", "../a/b", "..", "../..",
                             "a//b", "...", "nowhere"}) {
    EXPECT_TRUE(is_inside({{"a/b/link", target}})) << target;
  }
  EXPECT_TRUE(is_inside({{"a", "b/c"}, {"b", "d"}, {"d/c", "../e"}}));
}

TEST(Links, NoneLeadsOutOfTheTree) {
  const std::vector<std::vector<TreeLink>> hostile = {
      {{"a", "/etc/passwd"}},
      {{"a", ".."}},
      {{"a/b", "../../x"}},
      {{"a/b", "../a/../../x"}},
      {{"a", ""}},
      {{"a", std::string("b\0/../..", 8)}},
      {{"a", std::string(kMaxTarget + 1, 'x')}},
      {{"../a", "x"}},
      {{"/a", "x"}},
      {{"a/../../b", "x"}},
      {{".git/hooks", "x"}},
      {{"a\nb", "x"}},
      {{"a", "b/.."}, {"b", ".."}},             // by another that leads out
      {{"a", "b/passwd"}, {"b", "/etc"}},       // the same, absolute
      {{"a", "b/../.."}, {"b", "d/e"}},         // by its words, though b leads down
      {{"d/a", "c/../../x"}, {"d/c", "../e"}},  // beside d, not in it: up twice is out
      {{"b/a", "x"}, {"b", ".."}},              // beneath a link, which no git makes
      {{"a", "b"}, {"b", "a"}},
      {{"a", "a"}},
      {{"a", "a/x"}},
  };
  for (const auto& links : hostile) {
    EXPECT_FALSE(is_inside(links)) << links.front().path << " -> " << links.front().target;
  }
}

TEST(Links, AreBounded) {
  std::vector<TreeLink> many;
  for (std::size_t i = 0; i <= kMaxLinks; ++i) many.push_back({"l" + std::to_string(i), "x"});
  EXPECT_EQ(judge_links(many).inside.size(), kMaxLinks);
  std::vector<TreeLink> large;
  for (std::size_t i = 0; i < 1'000; ++i) {
    large.push_back({"l" + std::to_string(i), std::string(kMaxTarget, 'x')});
  }
  EXPECT_LT(judge_links(large).inside.size(), kMaxLinkBytes / kMaxTarget);
  // Each leads to the next, twice: 2^n ways if nobody counted.
  std::vector<TreeLink> chain;
  for (int i = 0; i < 100; ++i) {
    const std::string next = "l" + std::to_string(i + 1);
    chain.push_back({"l" + std::to_string(i), next + "/../" + next});
  }
  EXPECT_FALSE(is_inside(chain));
  EXPECT_EQ(judge_links({{"a", "x"}, {"a", "y"}}).left_out.size(), 1U);
}

TEST(Names, BranchNamesAreSmallPlainAndValid) {
  EXPECT_EQ(branch_name("codegenie/", "CVE-2021-44906", "minimist", "1.2.6"),
            "codegenie/cve-2021-44906-minimist-1.2.6");
  EXPECT_EQ(branch_name("codegenie/", "GHSA-x", "@scope/name", "2.0.0-rc.1+b"),
            "codegenie/ghsa-x-scope-name-2.0.0-rc.1-b");
  for (const char* hostile : {"..", "@{u}", "a..b", "x.lock", "/", "", "~^:?*[\\", "\x7f\x01",
                              ".hidden", "-", "a.", "\xff\xfe"}) {
    const std::string name = branch_name("codegenie/", hostile, hostile, hostile);
    EXPECT_TRUE(is_ref_name(name)) << name;
  }
  const std::string a = branch_name("p/", "x", std::string(300, 'a'), "1");
  const std::string b = branch_name("p/", "x", std::string(300, 'a'), "2");
  EXPECT_NE(a, b);
  EXPECT_LT(a.size(), 200U);
}

TEST(Names, RefsAreAsGitChecksThem) {
  for (const char* good : {"main", "codegenie/x", "a/b/c", "feature/@x", "v1.0", "\xc3\xa4"}) {
    EXPECT_TRUE(is_ref_name(good)) << good;
  }
  for (const char* bad : {"",     "/a",  "a/",  "a//b",  ".a", "a/.b", "a.lock", "a.lock/b",
                          "a..b", "a.",  "a b", "a~",    "a^", "a:",   "a?",     "a*",
                          "a[",   "a\\", "@",   "a@{1}", "-a", "HEAD", "a\x7f",  "a\n"}) {
    EXPECT_FALSE(is_ref_name(bad)) << bad;
  }
}

TEST(Names, WhateverAFileSystemTakesForDotGitIsHostile) {
  for (const char* bad : {"", ".", "..", ".git", ".GIT", ".Git", ".git.", ".git ", ".git . .",
                          "git~1", "GIT~1", ".git::$INDEX_ALLOCATION", ".g\xe2\x80\x8cit",
                          "\xef\xbb\xbf.git", ".git\xe2\x81\xaf", "a/b"}) {
    EXPECT_TRUE(is_hostile_name(bad)) << bad;
  }
  for (const char* good :
       {".gitignore", ".github", "git", "package.json", "..a", ".git2", "\xe2\x82\xac"}) {
    EXPECT_FALSE(is_hostile_name(good)) << good;
  }
  EXPECT_FALSE(is_safe_path("a/../b"));
  EXPECT_FALSE(is_safe_path("/a"));
  EXPECT_FALSE(is_safe_path("a//b"));
  EXPECT_FALSE(is_safe_path("a\nb"));
  EXPECT_TRUE(is_safe_path("a/b c/package.json"));
}

TEST(Names, ConventionalSubjects) {
  EXPECT_TRUE(is_conventional("fix: a"));
  EXPECT_TRUE(is_conventional("feat(core)!: a"));
  EXPECT_FALSE(is_conventional("Fix a bug"));
  EXPECT_FALSE(is_conventional("fix:a"));
  EXPECT_FALSE(is_conventional("fix(): a"));
  EXPECT_FALSE(is_conventional(": a"));
  EXPECT_FALSE(is_conventional("fix: "));
}

TEST(Config, ReadsWhatDecidesTheKindAndNothingElse) {
  const auto config = parse_config(
      "[core]\n\trepositoryformatversion = 1 # x\n\tbare\n\tworktree = \"a # b\" ; c\n"
      "[include]\n\tpath = /etc/passwd\n[filter \"x\"]\n\tclean = touch \\\"y\\\"\n"
      "[Extensions] objectFormat = SHA256\n\trefStorage=ref\\\ntable\n[core \"x\"]\n\tbare = no\n");
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->version, 1);
  EXPECT_TRUE(config->bare);
  EXPECT_EQ(config->work_tree, "a # b");
  EXPECT_EQ(config->object_format, "sha256");
  EXPECT_EQ(config->ref_storage, "reftable");
  EXPECT_EQ(parse_config("[extensions]\n\tcompatObjectFormat = x\n")->unknown,
            "compatobjectformat");
}

TEST(Config, ModulesAreKnownByPathAndHonestNames) {
  const auto modules = parse_modules(
      "[submodule \"a b\"]\n\tpath = third/party\n\turl = x\n[submodule \"Q\\\"\"]\n\tpath = q\n"
      "[submodule \"../../hooks\"]\n\tpath = evil\n[submodule \"fine\"]\n\tpath = ../out\n"
      "[submodule]\n\tpath = none\n[other \"x\"]\n\tpath = y\n[submodule \"z\"]\n\tpath\n");
  ASSERT_TRUE(modules.has_value());
  EXPECT_EQ(*modules, (std::map<std::string, std::string>{{"third/party", "a b"}, {"q", "Q\""}}));
  EXPECT_FALSE(parse_modules("[submodule \"a\\").has_value());
}

TEST(Config, NonsenseIsRefusedWithItsLine) {
  for (const char* bad : {"[core", "[core \"x]\n", "= 1\n", "[core]\na = \"x\n",
                          "[core]\na = \\q\n", "[core]\na b\n", "[a \"b\"c]"}) {
    EXPECT_FALSE(parse_config(bad).has_value()) << bad;
  }
  EXPECT_EQ(parse_config("[core]\n\n?\n").error().line, 3U);
  EXPECT_TRUE(parse_config("").has_value());
}

TEST(Lock, TheSecondIsBusyAndNamesTheFirst) {
  const test::ScratchDir scratch;
  const auto home = os::Dir::make(scratch / "home");
  const auto repo = os::Dir::make(scratch / "repo");
  {
    const auto first = RepoLock::acquire(*home, scratch / "repo");
    ASSERT_TRUE(first.has_value());
    const auto second = RepoLock::acquire(*home, scratch / "repo/../repo/");
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::git_busy);
    EXPECT_EQ(second.error().exit(), ExitCode::busy);
    EXPECT_EQ(second.error().where.back().second, std::to_string(getpid()));
    EXPECT_TRUE(RepoLock::acquire(*home, scratch / "home").has_value());
  }
  EXPECT_TRUE(RepoLock::acquire(*home, scratch / "repo").has_value());
}

TEST(Policy, NoneLeavesADoorAndOnlyWritersWrite) {
  const Location location{"/r", "/r/.git", "/r/.git", "", false};
  for (const Order& order : sample_orders()) {
    const auto policy = git_policy(location, order);
    ASSERT_TRUE(policy.has_value());
    for (const char* call : {"socket",
                             "connect",
                             "socketpair",
                             "sendto",
                             "sendmsg",
                             "execve",
                             "execveat",
                             "fork",
                             "vfork",
                             "clone",
                             "clone3",
                             "ptrace",
                             "process_vm_readv",
                             "pidfd_getfd",
                             "kill",
                             "tgkill",
                             "mount",
                             "unshare",
                             "setns",
                             "chroot",
                             "io_uring_setup",
                             "memfd_create",
                             "bpf",
                             "symlink",
                             "symlinkat",
                             "mknod",
                             "mknodat",
                             "ioctl",
                             "chown",
                             "setuid",
                             "prctl"}) {
      EXPECT_EQ(policy->filter.evaluate({call, {}}), seal::Reaction::kill) << call;
    }
    const bool writes = order.index() == 1 || order.index() == 3;
    for (const char* call : {"rename", "unlink", "mkdir", "link", "chmod", "utimensat"}) {
      EXPECT_EQ(policy->filter.evaluate({call, {}}) == seal::Reaction::allow, writes) << call;
    }
    EXPECT_EQ(policy->reach.writable.empty(), !writes);
    EXPECT_EQ(policy->max_file_bytes == 0, !writes);
  }
}

TEST(Locate, ARepositoryThatWeCouldNotWriteIsTold) {
  const test::ScratchDir scratch;
  for (const char* folder : {"r", "r/.git", "r/.git/objects", "r/.git/refs"}) {
    std::filesystem::create_directories(scratch / folder);
  }
  test::write(scratch / "r/.git/HEAD", "ref: refs/heads/main\n");
  const auto location = locate(scratch / "r");
  ASSERT_TRUE(location) << location.error().what;
  EXPECT_TRUE(check_writable(*location));
  const std::string refs = scratch / "r/.git/refs";
  // Root may write anywhere, until it gives that up.
  if (geteuid() == 0) {
    ASSERT_EQ(chown(refs.c_str(), 65534, 65534), 0);
  } else {
    ASSERT_EQ(chmod(refs.c_str(), 0555), 0);
  }
  const auto refused = check_writable(*location);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Error::Kind::storage);
  EXPECT_THAT(refused.error().what, HasSubstr("/refs belongs to user "));
  ASSERT_EQ(chmod(refs.c_str(), 0777), 0);
  EXPECT_TRUE(check_writable(*location)) << "everybody is let in";
}

TEST(Locate, NothingIsFollowedThatDoesNotPointBack) {
  const test::ScratchDir scratch;
  const auto make = [&](const std::string& name) {
    ASSERT_TRUE(os::Dir::make(scratch / name).has_value());
  };
  make("victim/.git/objects");
  make("victim/.git/refs");
  make("victim/.git/worktrees/w");
  test::write(scratch / "victim/.git/HEAD", "ref: refs/heads/main\n");
  test::write(scratch / "victim/.git/worktrees/w/gitdir", "/nowhere/.git\n");
  test::write(scratch / "victim/.git/worktrees/w/commondir", "../..\n");
  make("evil");
  test::write(scratch / "evil/.git", "gitdir: ../victim/.git/worktrees/w\n");
  EXPECT_EQ(locate(scratch / "evil").error().kind, Error::Kind::hostile);
  test::write(scratch / "evil/.git", "gitdir: ../victim/.git\n");
  EXPECT_EQ(locate(scratch / "evil").error().kind, Error::Kind::unsupported);
  test::write(scratch / "evil/.git", std::string(20'000, 'x'));
  EXPECT_EQ(locate(scratch / "evil").error().kind, Error::Kind::hostile);
  make("deep/a/b");
  std::filesystem::create_symlink(scratch / "victim/.git", scratch / "deep/.git");
  EXPECT_EQ(locate(scratch / "deep/a/b").error().kind, Error::Kind::hostile);
  make("victim/sub/x");
  EXPECT_EQ(locate(scratch / "victim/sub/x")->prefix, "sub/x");
  test::write(scratch / "victim/.git/commondir", "/elsewhere\n");
  EXPECT_EQ(locate(scratch / "victim").error().kind, Error::Kind::hostile);
  EXPECT_EQ(locate(scratch / "none").error().kind, Error::Kind::not_a_repository);
}

TEST(Problems, EachKindHasItsCodeAndSaysWhere) {
  for (int kind = 0; kind <= static_cast<int>(kLastKind); ++kind) {
    const Problem problem = to_problem({static_cast<Error::Kind>(kind), "x\n"}, "/r");
    EXPECT_THAT(std::string(row(problem.code).code), HasSubstr("CG-GIT-"));
    EXPECT_FALSE(problem.effect.empty());
    EXPECT_EQ(problem.where.back().second.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace cg::gitrepo
