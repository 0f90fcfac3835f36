#include "jail/microvm/image.h"

#include <gmock/gmock.h>

#include "jail/microvm/gather.h"
#include "support/support.h"

namespace cg::microvm {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

/// A machine in a folder: a merged /usr, dash behind a link, npm as a package, a kernel.
class FakeRoot {
 public:
  FakeRoot() {
    for (const char* folder : {"boot", "usr/bin", "usr/lib/x86_64-linux-gnu", "usr/lib64"}) {
      fs::create_directories(scratch_.path() / folder);
    }
    for (const char* name : {"bin", "lib", "lib64"}) {
      fs::create_symlink(std::string("usr/") + name, scratch_.path() / name);
    }
    // A static program as far as anybody looks: a header and no segment.
    std::string init =
        "\x7f"
        "ELF\x02\x01\x01";
    init.resize(64);
    init[18] = 0x3e;
    test::write(scratch_ / "init", init);
    std::string kernel(0x400, '\0');
    kernel.replace(0x202, 4, "HdrS");
    test::write(scratch_ / "boot/vmlinuz-6.1.0-1-cloud-amd64", kernel);
    program("usr/bin/dash", "#!dash");
    fs::create_symlink("dash", scratch_.path() / "usr/bin/sh");
    program("usr/bin/env", "#!env");
    program("usr/bin/node", "#!node");
    fs::create_directories(scratch_.path() / "usr/lib/node_modules/npm/bin");
    program("usr/lib/node_modules/npm/bin/npm-cli.js", "#!/usr/bin/env node");
    test::write(scratch_ / "usr/lib/node_modules/npm/package.json", R"({"version":"11.0.1"})");
    for (const char* name : {"npm", "npx"}) {
      fs::create_symlink("../lib/node_modules/npm/bin/npm-cli.js",
                         scratch_.path() / "usr/bin" / name);
    }
  }
  void program(const std::string& path, const std::string& bytes) const {
    test::write(scratch_ / path, bytes);
    fs::permissions(scratch_.path() / path, fs::perms(0755));
  }
  [[nodiscard]] Recipe recipe() const {
    Recipe out;
    out.root = path();
    out.init = path() + "/init";
    return out;
  }
  [[nodiscard]] std::string path() const { return scratch_.path(); }

 private:
  test::ScratchDir scratch_;
};

os::Dir folder(const std::string& path) {
  auto dir = os::Dir::make(path);
  EXPECT_TRUE(dir.has_value());
  return *std::move(dir);
}

std::string problem(const Result<Image, sandbox::Error>& image) {
  return image ? "none" : image.error().what;
}

TEST(Image, TheSameFilesGiveTheSameDigestWhateverTheirTimesAndWhenMade) {
  const FakeRoot root;
  const test::ScratchDir scratch;
  const auto first = make_image(root.recipe(), folder(scratch / "a"), Time{1});
  ASSERT_TRUE(first.has_value()) << problem(first);
  fs::last_write_time(root.path() + "/usr/bin/node", fs::file_time_type::clock::now());
  fs::permissions(root.path() + "/usr/bin/env", fs::perms(06711));
  const auto second = make_image(root.recipe(), folder(scratch / "b"), Time{2});
  ASSERT_TRUE(second.has_value()) << problem(second);
  EXPECT_EQ(first->digest(), second->digest());
  EXPECT_EQ(test::read(scratch / "a/initramfs"), test::read(scratch / "b/initramfs"));

  root.program("usr/bin/env", "#!other");
  const auto third = make_image(root.recipe(), folder(scratch / "c"), Time{2});
  ASSERT_TRUE(third.has_value()) << problem(third);
  EXPECT_NE(first->digest(), third->digest());
}

TEST(Image, HoldsProgramsTheLinksToThemAndNpmsFolder) {
  const FakeRoot root;
  const test::ScratchDir scratch;
  const auto image = make_image(root.recipe(), folder(scratch / "a"), Time{1});
  ASSERT_TRUE(image.has_value()) << problem(image);
  EXPECT_EQ(image->npm, "11.0.1");
  const auto listed =
      test::run({"cpio", "--quiet", "-tv"}, {}, test::read(scratch / "a/initramfs"));
  ASSERT_EQ(listed.exit, 0);
  for (const char* line :
       {" bin -> usr/bin\n", " usr/bin/sh -> dash\n", " usr/bin/npm -> ../lib", " init\n", " tmp\n",
        " usr/lib/node_modules/npm/package.json\n", " tree\n", " etc/hosts\n"}) {
    EXPECT_THAT(listed.out, HasSubstr(line));
  }
}

TEST(Image, ReadsBackAndFindsAChangedByte) {
  const FakeRoot root;
  const test::ScratchDir scratch;
  const os::Dir place = folder(scratch / "a");
  const auto image = make_image(root.recipe(), place, Time{1});
  ASSERT_TRUE(image.has_value()) << problem(image);
  const auto read = check_image(place);
  ASSERT_TRUE(read.has_value()) << problem(read);
  EXPECT_EQ(write_image(*read), write_image(*image));

  std::string bytes = test::read(scratch / "a/initramfs");
  bytes[bytes.size() / 2] ^= 1;
  test::write(scratch / "a/initramfs", bytes);
  EXPECT_EQ(check_image(place).error().kind, sandbox::Error::Kind::broken);
  fs::remove(scratch / "a/kernel");
  EXPECT_EQ(check_image(place).error().kind, sandbox::Error::Kind::missing);
  test::write(scratch / "a/image.json", "{}");
  EXPECT_THAT(problem(check_image(place)), HasSubstr("no or bad `schema`"));
  fs::remove(scratch / "a/image.json");
  EXPECT_EQ(check_image(place).error().kind, sandbox::Error::Kind::missing);
}

TEST(Image, WhatIsMissingIsNamed) {
  const FakeRoot root;
  const test::ScratchDir scratch;
  const os::Dir place = folder(scratch / "a");
  Recipe recipe = root.recipe();
  recipe.kernel = "/boot/nothing";
  EXPECT_THAT(problem(make_image(recipe, place, Time{})), HasSubstr("boot/nothing"));
  recipe.kernel = "/usr/bin/env";
  EXPECT_THAT(problem(make_image(recipe, place, Time{})), HasSubstr("/usr/bin/env: no kernel"));
  recipe = root.recipe();
  recipe.programs.emplace_back("/usr/bin/absent");
  EXPECT_THAT(problem(make_image(recipe, place, Time{})), HasSubstr("usr/bin/absent"));
  recipe = root.recipe();
  recipe.init = root.path() + "/usr/bin/env";
  EXPECT_THAT(problem(make_image(recipe, place, Time{})), HasSubstr("no static program"));
  recipe.init = root.path() + "/nowhere/init";
  EXPECT_EQ(make_image(recipe, place, Time{}).error().kind, sandbox::Error::Kind::missing);
  fs::remove_all(root.path() + "/boot");
  EXPECT_THAT(problem(make_image(root.recipe(), place, Time{})), HasSubstr("no kernel in /boot"));
}

TEST(Gather, LinksInACircleEnd) {
  const test::ScratchDir scratch;
  fs::create_symlink("b", scratch.path() / "a");
  fs::create_symlink("/a", scratch.path() / "b");
  auto gather = Gather::open(scratch.path());
  ASSERT_TRUE(gather.has_value());
  const auto taken = gather->take("/a");
  ASSERT_FALSE(taken.has_value());
  EXPECT_THAT(taken.error().what, HasSubstr("too many links"));
}

TEST(Gather, ATreeIsTakenWithoutFollowingItsLinks) {
  const test::ScratchDir scratch;
  fs::create_directories(scratch.path() / "tree/sub");
  test::write(scratch / "tree/sub/x", "1");
  fs::create_symlink("/etc", scratch.path() / "tree/out");
  auto gather = Gather::open("/");
  ASSERT_TRUE(gather.has_value());
  ASSERT_TRUE(gather->take_tree(scratch / "tree", "work", 5).has_value());
  std::vector<std::string> paths;
  for (const Member& member : std::move(*gather).members()) {
    paths.push_back(member.path);
    EXPECT_EQ(member.owner, 5U);
  }
  EXPECT_THAT(paths, ::testing::ElementsAre("work", "work/out", "work/sub", "work/sub/x"));
}

TEST(Gather, LinksAreAddedWhereNothingIs) {
  const test::ScratchDir scratch;
  fs::create_directories(scratch.path() / "tree/sub");
  test::write(scratch / "tree/sub/x", "1");
  auto gather = Gather::open("/");
  ASSERT_TRUE(gather.has_value());
  ASSERT_TRUE(gather->take_tree(scratch / "tree", "work", 5).has_value());
  gather->add_links({{"new/y", "../sub/x"}, {"sub", "x"}, {"sub/x", "y"}, {"sub/x/y", "z"}}, "work",
                    5);
  std::vector<std::string> paths;
  for (const Member& member : std::move(*gather).members()) {
    paths.push_back(member.path);
    EXPECT_EQ(member.kind == Member::Kind::link, member.path == "work/new/y");
  }
  EXPECT_THAT(paths,
              ::testing::ElementsAre("work", "work/new", "work/new/y", "work/sub", "work/sub/x"));
}

TEST(Gather, AProgramBringsItsLibraries) {
  auto gather = Gather::open("/");
  ASSERT_TRUE(gather.has_value());
  ASSERT_TRUE(gather->take_program("/bin/sh").has_value());
  std::vector<std::string> names;
  for (const Member& member : std::move(*gather).members()) {
    names.push_back(member.path.substr(member.path.rfind('/') + 1));
  }
  EXPECT_THAT(names, Contains("libc.so.6"));
  EXPECT_THAT(names, Contains(HasSubstr("ld-linux")));
  EXPECT_THAT(names, Not(Contains("libstdc++.so.6")));
}

}  // namespace
}  // namespace cg::microvm
