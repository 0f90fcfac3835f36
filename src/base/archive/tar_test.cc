#include "base/archive/tar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "base/base/bytes.h"
#include "support/support.h"

namespace cg::archive {
namespace {

using Kind = Error::Kind;
using Files = std::map<std::string, std::string>;
using testing::Pair;
using testing::UnorderedElementsAre;

struct TarRead {
  Files files;
  Counts counts;
  std::optional<Error> error;
};

TarRead read_whole_tar(std::string_view bytes, const Limits& limits = {}) {
  TarRead out;
  const auto counts = read_tar(bytes, limits, [&](const Entry& entry) {
    out.files[std::string(entry.name)] = entry.content;
    return Next::more;
  });
  if (counts) {
    out.counts = *counts;
  } else {
    out.error = counts.error();
  }
  return out;
}

std::optional<Kind> kind(const TarRead& read) {
  return read.error ? std::optional(read.error->kind) : std::nullopt;
}

std::string packed(const Files& files) {
  TarWriter writer(1700000000);
  for (const auto& [name, content] : files) EXPECT_TRUE(writer.add(name, content)) << name;
  return std::move(writer).finish();
}

void fix_checksum(std::string& tar, std::size_t block) {
  tar.replace(block + 148, 8, "        ");
  unsigned sum = 0;
  for (std::size_t i = 0; i < 512; ++i) sum += static_cast<Byte>(tar[block + i]);
  std::array<char, 7> digits{};
  for (std::size_t i = 6; i-- > 0; sum >>= 3U) digits[i] = static_cast<char>('0' + (sum & 7U));
  tar.replace(block + 148, 7, digits.data(), 7);
}

/// One entry of any type, as other writers make them.
std::string entry(char type, const std::string& name, const std::string& content) {
  std::string one = packed({{"x", content}});
  one.resize(one.size() - 1024);
  one.replace(0, 100, name + std::string(100 - name.size(), '\0'));
  one[156] = type;
  fix_checksum(one, 0);
  return one;
}

const std::string kEnd(1024, '\0');

std::string pax(const std::string& key, const std::string& value) {
  const std::size_t bare = key.size() + value.size() + 3;
  std::size_t size = bare + 1;
  while (std::to_string(size).size() + bare != size) ++size;
  return std::to_string(size) + " " + key + "=" + value + "\n";
}

TEST(Tar, GivesBackWhatWasWritten) {
  const std::string deep = std::string(120, 'd') + "/" + std::string(99, 'f');
  const Files files = {{"a", ""},
                       {"b/c.json", "{}"},
                       {deep, std::string(1000, 'x')},
                       {"exactly", std::string(512, 'y')}};
  const std::string tar = packed(files);
  const TarRead back = read_whole_tar(tar);
  EXPECT_EQ(kind(back), std::nullopt);
  EXPECT_EQ(back.files, files);
  EXPECT_EQ(back.counts, (Counts{4, 0}));
  EXPECT_TRUE(tar == packed(files)) << "the bytes depend on something else";
}

TEST(Tar, SystemTarReadsWhatWeWrite) {
  const test::ScratchDir dir;
  test::write(dir / "a.tar", packed({{"pkg/one.txt", "1"}, {"pkg/two.txt", "22"}}));
  const auto listed = test::run({"tar", "-tvf", dir / "a.tar", "--utc", "--numeric-owner"});
  EXPECT_EQ(listed.exit, 0) << listed.err;
  EXPECT_EQ(listed.out,
            "-rw-r--r-- 0/0               1 2023-11-14 22:13 pkg/one.txt\n"
            "-rw-r--r-- 0/0               2 2023-11-14 22:13 pkg/two.txt\n");
}

TEST(Tar, ReadsWhatSystemTarWrites) {
  const test::ScratchDir dir;
  const std::string folder = std::string(90, 'd') + "/" + std::string(90, 'e');
  std::filesystem::create_directories(dir.path() / "in" / folder);
  const std::string name = folder + "/" + std::string(120, 'f');
  test::write(dir.path() / "in" / name, "deep");
  test::write(dir.path() / "in/short", "shallow");
  std::filesystem::create_symlink("short", dir.path() / "in/link");
  for (const char* format : {"--format=gnu", "--format=posix"}) {
    SCOPED_TRACE(format);
    const auto made = test::run({"tar", "-cf", dir / "a.tar", "-C", dir / "in", format, "link",
                                 "short", std::string(90, 'd')});
    ASSERT_EQ(made.exit, 0) << made.err;
    const TarRead back = read_whole_tar(test::read(dir / "a.tar"));
    EXPECT_EQ(kind(back), std::nullopt);
    EXPECT_THAT(back.files, UnorderedElementsAre(Pair(name, "deep"), Pair("short", "shallow")));
    EXPECT_EQ(back.counts.skipped, 3U);  // a link, two folders
  }
}

TEST(Tar, NamesAndSizesComeFromPax) {
  std::string big = entry('0', "short", std::string(600, 'z'));
  big.replace(124, 11, "00000000000");
  fix_checksum(big, 0);
  const std::string tar =
      entry('x', "pax", pax("path", "long/name") + pax("size", "600") + pax("mtime", "1.5")) + big +
      entry('0', "plain", "p") + kEnd;
  EXPECT_THAT(read_whole_tar(tar).files,
              UnorderedElementsAre(Pair("long/name", std::string(600, 'z')), Pair("plain", "p")));
}

TEST(Tar, RefusesWhatCouldHarm) {
  const std::string a = entry('0', "a", "1");
  const struct {
    std::string tar;
    Kind kind;
  } cases[] = {
      {entry('0', "../a", "") + kEnd, Kind::unsafe_name},
      {entry('0', "/a", "") + kEnd, Kind::unsafe_name},
      {entry('0', "a//b", "") + kEnd, Kind::unsafe_name},
      {entry('0', "a/./b", "") + kEnd, Kind::unsafe_name},
      {entry('0', "a\\b", "") + kEnd, Kind::unsafe_name},
      {entry('0', "a\nb", "") + kEnd, Kind::unsafe_name},
      {entry('0', "\xff", "") + kEnd, Kind::unsafe_name},
      {entry('0', "", "") + kEnd, Kind::unsafe_name},
      {entry('x', "p", pax("path", "../up")) + a + kEnd, Kind::unsafe_name},
      {entry('x', "p", pax("GNU.sparse.major", "1")) + a + kEnd, Kind::unsupported},
      {entry('S', "sparse", "") + kEnd, Kind::unsupported},
      {entry('x', "p", "999 path=x\n") + a + kEnd, Kind::damaged},
      {entry('x', "p", "4 a\n") + a + kEnd, Kind::damaged},
      {entry('x', "p", pax("size", "-1")) + a + kEnd, Kind::damaged},
      {entry('x', "p", pax("size", "99999999")) + a + kEnd, Kind::truncated},
      {entry('x', "p", std::string(70000, 'a')) + a + kEnd, Kind::entry_too_large},
      {a + a + kEnd, Kind::duplicate_name},
      {a, Kind::truncated},
      {a + std::string(512, '\0') + a, Kind::trailing_data},
      {a + std::string(512, 'x'), Kind::damaged},
      {kEnd, Kind::other_format},
      {std::string(512, 'x'), Kind::other_format},
      {"", Kind::truncated},
  };
  for (const auto& c : cases) {
    const TarRead back = read_whole_tar(c.tar);
    EXPECT_EQ(kind(back), c.kind) << (back.error ? describe(*back.error) : "accepted");
  }
}

TEST(Tar, LimitsHold) {
  const std::string tar = packed({{"a", "123"}, {"b", "456"}});
  Limits limits;
  limits.max_entries = 1;
  EXPECT_EQ(kind(read_whole_tar(tar, limits)), Kind::too_many_entries);
  limits = {};
  limits.max_entry = 2;
  EXPECT_EQ(kind(read_whole_tar(tar, limits)), Kind::entry_too_large);
  limits = {};
  limits.max_output = 5;
  EXPECT_EQ(kind(read_whole_tar(tar, limits)), Kind::output_too_large);
  limits = {};
  limits.max_name = 0;
  EXPECT_EQ(kind(read_whole_tar(tar, limits)), Kind::unsafe_name);
}

TEST(Tar, EveryChangedByteOfAHeaderIsNoticed) {
  const std::string tar = packed({{"a", "1"}});
  for (std::size_t i = 0; i < 512; ++i) {
    std::string bad = tar;
    bad[i] = static_cast<char>(bad[i] ^ 0x01);
    // The byte after the checksum is no part of it; all others are under it.
    EXPECT_TRUE(i == 155 || kind(read_whole_tar(bad))) << i;
  }
}

TEST(Tar, StopsWhenAsked) {
  std::size_t seen = 0;
  const auto counts = read_tar(packed({{"a", "1"}, {"b", "2"}}), {}, [&](const Entry&) {
    ++seen;
    return Next::stop;
  });
  EXPECT_TRUE(counts);
  EXPECT_EQ(seen, 1U);
}

TEST(Tar, TheWriterRefusesWhatUstarCannotHold) {
  TarWriter writer(0);
  EXPECT_FALSE(writer.add(std::string(101, 'a'), ""));
  EXPECT_FALSE(writer.add("../a", ""));
  EXPECT_FALSE(writer.add("", ""));
  EXPECT_FALSE(writer.add(std::string(156, 'a') + "/" + std::string(100, 'b'), ""));
  EXPECT_TRUE(writer.add(std::string(155, 'a') + "/" + std::string(100, 'b'), ""));
  EXPECT_TRUE(writer.add(std::string(100, 'a'), ""));
}

}  // namespace
}  // namespace cg::archive
