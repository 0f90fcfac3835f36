#include "jail/microvm/cpio.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "support/support.h"

namespace cg::microvm {
namespace {

using ::testing::HasSubstr;

Member file(std::string path, std::string bytes, unsigned mode = 0644) {
  return {std::move(path), Member::Kind::file, mode, 0, std::move(bytes)};
}

std::string must(Result<std::string, CpioError> result) {
  EXPECT_TRUE(result.has_value()) << describe(result.error());
  return result ? *result : std::string();
}

CpioError::Kind refusal(std::vector<Member> members) {
  const auto result = write_cpio(std::move(members));
  EXPECT_FALSE(result.has_value());
  return result.has_value() ? CpioError::Kind{} : result.error().kind;
}

TEST(Cpio, SameMembersInAnyOrderGiveTheSameBytes) {
  std::vector<Member> members = {file("usr/bin/a", "1"),
                                 file("usr/b", "22"),
                                 file("c", "333"),
                                 {"bin", Member::Kind::link, 0777, 0, "usr/bin"}};
  const std::string first = must(write_cpio(members));
  std::reverse(members.begin(), members.end());
  EXPECT_EQ(first, must(write_cpio(members)));
  EXPECT_EQ(first.size() % 512, 0U);
}

TEST(Cpio, AnotherReaderFindsWhatWasWritten) {
  const test::ScratchDir scratch;
  const std::string archive =
      must(write_cpio({file("usr/bin/tool", "#!/bin/sh\n", 0755),
                       file("etc/odd\nname", "x"),
                       {"lib", Member::Kind::link, 0777, 0, "usr/lib"},
                       {"work/empty", Member::Kind::folder, 0700, 65534, {}}}));
  const auto listed =
      test::run({"cpio", "--quiet", "-tvn", "-H", "newc"}, {"TZ=UTC", "LC_ALL=C"}, archive);
  ASSERT_EQ(listed.exit, 0) << listed.err;
  EXPECT_THAT(listed.out,
              HasSubstr("-rwxr-xr-x   1 0        0              10 Oct 26  1985 usr/bin/tool"));
  EXPECT_THAT(listed.out, HasSubstr("lib -> usr/lib"));
  EXPECT_THAT(listed.out, HasSubstr("drwx------   2 65534    65534"));
  EXPECT_THAT(listed.out,
              HasSubstr("drwxr-xr-x   2 0        0               0 Oct 26  1985 usr/bin"));

  const auto unpacked = test::run(
      {"cpio", "--quiet", "-id", "-D", scratch.path(), "--no-preserve-owner"}, {}, archive);
  ASSERT_EQ(unpacked.exit, 0) << unpacked.err;
  EXPECT_EQ(test::read(scratch / "usr/bin/tool"), "#!/bin/sh\n");
  EXPECT_EQ(test::read(scratch / "etc/odd\nname"), "x");
}

TEST(Cpio, EverySizeIsPaddedSoThatTheNextMemberIsFound) {
  std::vector<Member> members;
  std::string expected;
  for (std::size_t size = 0; size < 20; ++size) {
    const std::string name = "f" + std::string(size, 'n');
    members.push_back(file(name, std::string(size, 'b')));
    expected += name + "\n";
  }
  const auto listed = test::run({"cpio", "--quiet", "-t"}, {}, must(write_cpio(members)));
  ASSERT_EQ(listed.exit, 0) << listed.err;
  EXPECT_EQ(listed.out, expected);
}

TEST(Cpio, PathsThatLeadElsewhereAreRefused) {
  for (const char* path :
       {"", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", "TRAILER!!!"}) {
    EXPECT_EQ(refusal({file(path, "")}), CpioError::Kind::bad_path) << path;
  }
  EXPECT_EQ(refusal({file(std::string("a\0b", 3), "")}), CpioError::Kind::bad_path);
}

TEST(Cpio, TwoMembersCannotHaveOnePath) {
  EXPECT_EQ(refusal({file("a", "1"), file("a", "2")}), CpioError::Kind::twice);
}

TEST(Cpio, NothingIsWrittenThroughALink) {
  EXPECT_EQ(refusal({{"a", Member::Kind::link, 0777, 0, "/etc"}, file("a/passwd", "")}),
            CpioError::Kind::no_folder);
  EXPECT_EQ(refusal({file("a", ""), file("a-b", ""), file("a/b/c", "")}),
            CpioError::Kind::no_folder);
}

}  // namespace
}  // namespace cg::microvm
