// What is kept of output, what a copy takes along, whom a step spoke to.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <set>

#include "base/base/text.h"
#include "jail/inside/cell_seal.h"
#include "jail/inside/collect.h"
#include "jail/inside/groups.h"
#include "jail/inside/keeping.h"
#include "jail/inside/trace.h"
#include "jail/inside/tree_copy.h"
#include "jail/sandbox/policy.h"
#include "jail/snapshot/sha1.h"
#include "support/support.h"
#include "trust/hash/sha.h"
#include "trust/hash/sha256.h"

namespace cg::inside {
namespace {

using sandbox::Output;
using testing::HasSubstr;

Output kept(std::uint64_t max, const std::vector<std::string>& parts) {
  Keeping keeping(max);
  for (const std::string& part : parts) keeping.add(part);
  return std::move(keeping).take();
}

TEST(Keeping, KeepsAllOfAShortStream) {
  const Output out = kept(8, {"ab", "", "cdef"});
  EXPECT_EQ(out.kept, "abcdef");
  EXPECT_EQ(out.bytes, 6U);
  EXPECT_EQ(kept(8, {"abcdefgh"}).kept, "abcdefgh");
  EXPECT_EQ(kept(0, {"abc"}).kept, "\n[3 bytes left out]\n");
}

TEST(Keeping, KeepsTheStartAndTheEndHoweverItComes) {
  std::string all;
  for (int i = 0; i < 1000; ++i) all += std::to_string(i) + ",";
  for (const std::size_t step : {1UL, 3UL, 7UL, 40UL, 5000UL}) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < all.size(); at += step) parts.push_back(all.substr(at, step));
    const Output out = kept(40, parts);
    EXPECT_EQ(out.kept, all.substr(0, 20) + "\n[" + std::to_string(all.size() - 40) +
                            " bytes left out]\n" + all.substr(all.size() - 20));
    EXPECT_EQ(out.bytes, all.size());
    EXPECT_EQ(out.digest, hash::sha256(as_bytes(all)));
  }
}

TEST(Sha1, IsTheOneThatOthersHave) {
  std::string text;
  for (int i = 0; i < 200; ++i, text += static_cast<char>(i * 7)) {
    EXPECT_EQ(snapshot::sha1(as_bytes(text)), hash::sha1(as_bytes(text))) << i;
  }
}

template <class Address>
std::string bytes_of(const Address& address, std::size_t size = sizeof(Address)) {
  return {reinterpret_cast<const char*>(&address), size};
}

TEST(Connection, IsWrittenAsPeopleWriteIt) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(443);
  four.sin_addr.s_addr = htonl(0xcb007109);
  EXPECT_EQ(connection_text(bytes_of(four), SOCK_STREAM), "tcp 203.0.113.9:443");
  EXPECT_EQ(connection_text(bytes_of(four), SOCK_DGRAM), "udp 203.0.113.9:443");
  EXPECT_EQ(connection_text(bytes_of(four, 7), SOCK_STREAM), "");
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(53);
  six.sin6_addr = in6addr_loopback;
  EXPECT_EQ(connection_text(bytes_of(six), SOCK_DGRAM), "udp [::1]:53");
  sockaddr_un path{};
  path.sun_family = AF_UNIX;
  std::strncpy(path.sun_path, "/run/x", 7);
  EXPECT_EQ(connection_text(bytes_of(path), 0), "unix /run/x");
  path.sun_path[0] = '\0';
  EXPECT_EQ(connection_text(bytes_of(path, 2 + 6), 0), "unix @run/x");
  EXPECT_EQ(connection_text("", 0), "");
}

os::Fd folder(const std::string& path) {
  return os::Fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

TEST(TreeCopy, CopiesLinksAsLinksAndFollowsNone) {
  const test::ScratchDir dir;
  std::filesystem::create_directories(dir / "from/a/b");
  std::filesystem::create_directory(dir / "to");
  test::write(dir / "outside", "secret");
  test::write(dir / "from/a/b/file", std::string(300'000, 'x'));
  std::filesystem::create_symlink(dir / "outside", dir / "from/a/link");
  std::filesystem::create_symlink("../..", dir / "from/a/up");
  chmod((dir / "from/a/b/file").c_str(), 04555);
  ASSERT_TRUE(copy_tree(folder(dir / "from"), folder(dir / "to"), {}));
  EXPECT_EQ(test::read(dir / "to/a/b/file").size(), 300'000U);
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "to/a/link"));
  EXPECT_EQ(std::filesystem::read_symlink(dir / "to/a/up"), "../..");
  struct stat status {};
  ASSERT_EQ(stat((dir / "to/a/b/file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0755U);
}

TEST(AddLinks, MakesThemWhereNothingIsAndFollowsNone) {
  const test::ScratchDir dir;
  std::filesystem::create_directories(dir / "top/a");
  test::write(dir / "outside", "before");
  test::write(dir / "top/file", "file");
  std::filesystem::create_symlink(dir.path(), dir / "top/away");
  ASSERT_TRUE(add_links(folder(dir / "top"), {{"a/one", "../file"},
                                              {"new/folder/two", "../../a"},
                                              {"file", "a"},
                                              {"file/three", "a"},
                                              {"away/planted", "a"},
                                              {"../up", "a"},
                                              {"a/../../up", "a"},
                                              {"/up", "a"},
                                              {"", "a"},
                                              {"b/..", "a"}}));
  EXPECT_EQ(test::read(dir / "top/a/one"), "file");
  EXPECT_EQ(std::filesystem::read_symlink(dir / "top/new/folder/two"), "../../a");
  EXPECT_EQ(test::read(dir / "top/file"), "file");
  std::set<std::string> above;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    above.insert(entry.path().filename());
  }
  EXPECT_THAT(above, testing::ElementsAre("outside", "top"));
}

TEST(TreeCopy, IsBoundedAndRefusesSpecialFiles) {
  const test::ScratchDir dir;
  std::filesystem::create_directories(dir / "from/a/b/c");
  test::write(dir / "from/file", "12345");
  const auto copied = [&](const CopyLimits& limits) {
    std::filesystem::remove_all(dir / "to");
    std::filesystem::create_directory(dir / "to");
    return copy_tree(folder(dir / "from"), folder(dir / "to"), limits);
  };
  EXPECT_TRUE(copied({5, 4, 3}));
  EXPECT_FALSE(copied({4, 4, 3}));
  EXPECT_FALSE(copied({5, 3, 3}));
  EXPECT_FALSE(copied({5, 4, 2}));
  ASSERT_EQ(mkfifo((dir / "from/pipe").c_str(), 0600), 0);
  const auto special = copied({});
  ASSERT_FALSE(special.has_value());
  EXPECT_THAT(special.error(), HasSubstr("pipe is neither"));
}

TEST(Collect, TakesPlainFilesOnly) {
  const test::ScratchDir dir;
  std::filesystem::create_directory(dir / "folder");
  test::write(dir / "file", "123456");
  std::filesystem::create_symlink(dir / "file", dir / "link");
  std::filesystem::create_symlink(dir.path(), dir / "folder/away");
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  const std::vector<std::string> paths{"/tree/file", "/tree/link",   "/tree/folder/away/file",
                                       "/tree/pipe", "/tree/folder", "/tree/none"};
  const auto found =
      collect(paths, 4, [&](const std::string& path) { return placed(path, dir.path()); });
  EXPECT_THAT(found, testing::ElementsAre(testing::Pair("/tree/file", "1234")));
}

TEST(Collect, TakesWhatAFolderHoldsWithinOneBound) {
  const test::ScratchDir dir;
  std::filesystem::create_directories(dir / "folder/deeper");
  test::write(dir / "folder/b", "456789");
  test::write(dir / "folder/a", "123");
  test::write(dir / "folder/c", "x");
  test::write(dir / "folder/deeper/d", "no");
  std::filesystem::create_symlink(dir / "folder/a", dir / "folder/0");
  std::filesystem::create_symlink(dir / "folder", dir / "link");
  const auto found = collect({"/tree/link/", "/tree/none/", "/tree/folder/"}, 7,
                             [&](const std::string& path) { return placed(path, dir.path()); });
  using testing::Pair;
  EXPECT_THAT(found,
              testing::ElementsAre(Pair("/tree/folder/a", "123"), Pair("/tree/folder/b", "4567"),
                                   Pair("/tree/folder/c", "")));
}

TEST(Collect, TakesNoMoreFilesOfAFolderThanAreListed) {
  const test::ScratchDir dir;
  for (std::size_t i = 0; i < sandbox::kMaxListed + 3; ++i) {
    test::write(dir / ("f" + std::to_string(100'000 + i)), "");
  }
  const auto found =
      collect({"/tree/"}, 7, [&](const std::string& path) { return placed(path, dir.path()); });
  EXPECT_EQ(found.size(), sandbox::kMaxListed);
  EXPECT_TRUE(found.contains("/tree/f100000"));
}

TEST(Untraced, AFilterWithoutAWatcherReportsNothing) {
  const auto filter = sandbox::payload_filter();
  ASSERT_TRUE(filter.has_value());
  const auto code = filter->program();
  const std::string bytes(reinterpret_cast<const char*>(code.data()), code.size_bytes());
  const std::string quiet = untraced(bytes);
  ASSERT_EQ(quiet.size(), bytes.size());
  EXPECT_NE(quiet, bytes);
  EXPECT_EQ(untraced(quiet), quiet);
}

/// Folders of jails below the places where this process may make them.
std::set<std::string> jail_folders() {
  std::set<std::string> found;
  std::error_code ignored;
  for (auto it = std::filesystem::recursive_directory_iterator(
           "/sys/fs/cgroup", std::filesystem::directory_options::skip_permission_denied, ignored);
       it != std::filesystem::recursive_directory_iterator(); it.increment(ignored)) {
    if (it->path().filename().string().starts_with("codegenie-jail-")) found.insert(it->path());
  }
  return found;
}

/// Made by a process that ends at once and removes nothing, as after kill -9.
std::set<std::string> abandon_groups() {
  const pid_t child = fork();
  if (child == 0) {
    std::string why;
    const auto groups = Groups::make(0, why);
    _exit(groups && groups->make_group() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::set<std::string> left;
  for (const std::string& path : jail_folders()) {
    if (path.find("codegenie-jail-" + std::to_string(child) + "-") != std::string::npos) {
      left.insert(path);
    }
  }
  return left;
}

/// What steps leave, and one step's own, is limited together.
TEST(Groups, AStepAndWhatEarlierOnesLeftHaveALimit) {
  std::string why;
  const auto groups = Groups::make(1U << 30U, why);
  if (!groups) GTEST_SKIP() << "no cgroup can be made here: " << why;
  const auto group = groups->make_group();
  ASSERT_TRUE(group);
  ASSERT_TRUE(group->limit(256U << 20U, 10));
  std::vector<std::uint64_t> limits;
  for (const std::string& path : jail_folders()) {
    if (path.find("codegenie-jail-" + std::to_string(getpid()) + "-") == path.npos) continue;
    for (const char* file : {"/memory.max", "/memory.limit_in_bytes"}) {
      if (!std::filesystem::exists(path + file)) continue;
      limits.push_back(parse_u64(trim(test::read(path + file))).value_or(0) >> 20U);
    }
  }
  EXPECT_EQ(limits, (std::vector<std::uint64_t>{256U + 1024U + 256U + 64U}));
  groups->remove();
}

TEST(Groups, RemovesWhatAKilledJailLeftAndNothingThatIsInUse) {
  std::string why;
  const auto used = Groups::make(0, why);
  if (!used) GTEST_SKIP() << "no cgroup can be made here: " << why;
  const std::set<std::string> left = abandon_groups();
  EXPECT_FALSE(left.empty());
  // The same process again: its first name is taken, which is no reason to go without.
  const auto again = Groups::make(0, why);
  EXPECT_TRUE(again) << why;
  const std::set<std::string> after = jail_folders();
  for (const std::string& path : left) EXPECT_FALSE(after.contains(path)) << path;
  EXPECT_TRUE(used->make_group()) << "the one in use was taken away";
  if (again) again->remove();
  used->remove();
  for (const std::string& path : jail_folders()) {
    EXPECT_EQ(path.find("codegenie-jail-" + std::to_string(getpid()) + "-"), std::string::npos);
  }
}

}  // namespace
}  // namespace cg::inside
