#include "base/archive/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <iostream>
#include <map>

#include "base/base/bytes.h"

namespace cg::archive {
namespace {

using Kind = Error::Kind;
using Files = std::map<std::string, std::string>;

std::string le(std::uint64_t value, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i, value >>= 8U) out += static_cast<char>(value & 0xFFU);
  return out;
}

std::string deflated(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = const_cast<Bytef*>(as_bytes(text).data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// One file to be, with everything that a bad writer may get wrong.
struct Item {
  std::string name;
  std::string content;
  bool deflate = false;
  std::uint64_t flags = 0;
  std::optional<std::uint64_t> method = {};
  std::optional<std::uint64_t> size = {};    // as claimed
  std::optional<std::uint64_t> offset = {};  // as claimed
  std::optional<std::string> local_name = {};
  std::uint64_t crc_change = 0;
  bool wide = false;  // sizes in the zip64 field
};

struct Zip {
  std::string body;
  std::string directory;
  std::uint64_t count = 0;

  void add(const Item& item) {
    const std::string data = item.deflate ? deflated(item.content) : item.content;
    const std::uint64_t at = item.offset.value_or(body.size());
    const std::uint64_t size = item.size.value_or(item.content.size());
    const std::uint64_t crc =
        crc32_z(0, as_bytes(item.content).data(), item.content.size()) ^ item.crc_change;
    const std::string local = item.local_name.value_or(item.name);
    const std::string start = le(item.flags, 2) +
                              le(item.method.value_or(item.deflate ? 8 : 0), 2) + le(0, 4) +
                              le(crc, 4);
    body += "PK\x03\x04" + le(20, 2) + start + le(data.size(), 4) + le(size, 4) +
            le(local.size(), 2) + le(0, 2) + local + data;
    const std::string extra =
        item.wide ? le(1, 2) + le(24, 2) + le(size, 8) + le(data.size(), 8) + le(at, 8) : "";
    const auto narrow = [&](std::uint64_t value) { return le(item.wide ? 0xFFFFFFFF : value, 4); };
    directory += "PK\x01\x02" + le(20, 2) + le(20, 2) + start + narrow(data.size()) + narrow(size) +
                 le(item.name.size(), 2) + le(extra.size(), 2) + le(0, 2) + le(0, 2) + le(0, 2) +
                 le(0, 4) + narrow(at) + item.name + extra;
    ++count;
  }

  [[nodiscard]] std::string finish(const std::string& comment = "") const {
    return body + directory + "PK\x05\x06" + le(0, 4) + le(count, 2) + le(count, 2) +
           le(directory.size(), 4) + le(body.size(), 4) + le(comment.size(), 2) + comment;
  }

  [[nodiscard]] std::string finish64() const {
    const std::uint64_t at = body.size() + directory.size();
    return body + directory + "PK\x06\x06" + le(44, 8) + le(45, 2) + le(45, 2) + le(0, 8) +
           le(count, 8) + le(count, 8) + le(directory.size(), 8) + le(body.size(), 8) +
           "PK\x06\x07" + le(0, 4) + le(at, 8) + le(1, 4) + "PK\x05\x06" + le(0, 4) +
           le(0xFFFF, 2) + le(0xFFFF, 2) + le(0xFFFFFFFF, 4) + le(0xFFFFFFFF, 4) + le(0, 2);
  }
};

std::string zip_of(const std::vector<Item>& items) {
  Zip zip;
  for (const Item& item : items) zip.add(item);
  return zip.finish();
}

std::string patched(std::string bytes, std::size_t at, char byte) {
  bytes[at] = byte;
  return bytes;
}

struct ZipRead {
  Files files;
  Counts counts;
  std::optional<Error> error;
};

ZipRead read_whole_zip(std::string_view bytes, const Limits& limits = {},
                       const Wanted& wanted = {}) {
  ZipRead out;
  const auto counts = read_zip(
      bytes, limits,
      [&](const Entry& entry) {
        out.files[std::string(entry.name)] = entry.content;
        return Next::more;
      },
      wanted);
  if (counts) {
    out.counts = *counts;
  } else {
    out.error = counts.error();
  }
  return out;
}

std::optional<Kind> kind(const ZipRead& read) {
  return read.error ? std::optional(read.error->kind) : std::nullopt;
}

const std::string kText = "some text, some text, some text, some text";
const std::vector<Item> kItems = {
    {"dir/", ""}, {"dir/a.json", kText, true}, {"b", kText}, {"c", ""}, {"d", "", true}};
const Files kFiles = {{"dir/a.json", kText}, {"b", kText}, {"c", ""}, {"d", ""}};

TEST(Zip, GivesBackWhatWasPacked) {
  const ZipRead back = read_whole_zip(zip_of(kItems));
  EXPECT_EQ(kind(back), std::nullopt);
  EXPECT_EQ(back.files, kFiles);
  EXPECT_EQ(back.counts, (Counts{4, 1}));
}

TEST(Zip, ReadsAnEmptyOneACommentAndZip64) {
  EXPECT_EQ(kind(read_whole_zip(Zip().finish())), std::nullopt);
  Zip zip;
  for (Item item : kItems) {
    item.wide = true;
    zip.add(item);
  }
  EXPECT_EQ(read_whole_zip(zip.finish64()).files, kFiles);
  EXPECT_EQ(read_whole_zip(zip.finish("a comment")).files, kFiles);
  std::string two_stories = zip.finish64();
  two_stories[two_stories.size() - 12] = 1;  // the narrow count
  two_stories[two_stories.size() - 11] = 0;
  two_stories[two_stories.size() - 14] = 1;
  two_stories[two_stories.size() - 13] = 0;
  EXPECT_EQ(kind(read_whole_zip(two_stories)), Kind::damaged);
}

TEST(Zip, UnwantedEntriesAreNotUnpacked) {
  const std::string zip = zip_of({{"a", kText, true, 0, {}, {}, {}, {}, 1}, {"b", kText}});
  const ZipRead back = read_whole_zip(zip, {}, [](std::string_view name) { return name == "b"; });
  EXPECT_EQ(kind(back), std::nullopt) << "a has a bad checksum, and nobody asked for it";
  EXPECT_EQ(back.counts, (Counts{1, 1}));
}

TEST(Zip, ManySmallFilesNeedNoCopyOfEverything) {
  Zip zip;
  for (int i = 0; i < 70000; ++i) zip.add({"d/" + std::to_string(i), "x"});
  const std::string bytes = zip.finish64();
  const char* const start = bytes.data();
  std::size_t inside = 0;
  const auto counts = read_zip(bytes, {}, [&](const Entry& entry) {
    if (entry.content.data() >= start && entry.content.data() < start + bytes.size()) ++inside;
    return Next::more;
  });
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->files, 70000U);
  EXPECT_EQ(inside, 70000U);
}

TEST(Zip, RefusesWhatCouldHarm) {
  const std::string zeros(8U << 20U, '\0');
  const Item a{"a", kText};
  const struct {
    std::string what;
    std::string zip;
    Kind kind;
  } cases[] = {
      {"climbing", zip_of({{"../a", ""}}), Kind::unsafe_name},
      {"absolute", zip_of({{"/a", ""}}), Kind::unsafe_name},
      {"backslash", zip_of({{"a\\b", ""}}), Kind::unsafe_name},
      {"drive", zip_of({{"C:a", ""}}), Kind::unsafe_name},
      {"slash alone", zip_of({{"/", ""}}), Kind::unsafe_name},
      {"encrypted", zip_of({{"a", kText, false, 1}}), Kind::encrypted},
      {"strongly encrypted", zip_of({{"a", kText, false, 0x40}}), Kind::encrypted},
      {"hidden directory", zip_of({{"a", kText, false, 0x2000}}), Kind::encrypted},
      {"patch data", zip_of({{"a", kText, false, 0x20}}), Kind::unsupported},
      {"lzma", zip_of({{"a", kText, false, 0, 14}}), Kind::unsupported},
      {"wrong size", zip_of({{"a", kText, true, 0, {}, 7}}), Kind::damaged},
      {"wrong stored size", zip_of({{"a", kText, false, 0, {}, 7}}), Kind::damaged},
      {"two names", zip_of({{"a", kText, false, 0, {}, {}, {}, "b"}}), Kind::damaged},
      {"wrong crc", zip_of({{"a", kText, true, 0, {}, {}, {}, {}, 1}}), Kind::checksum},
      {"wrong crc of nothing", zip_of({{"a", "", true, 0, {}, {}, {}, {}, 1}}), Kind::checksum},
      {"another size in the local header", patched(zip_of({a}), 22, 7), Kind::damaged},
      {"another crc in the local header", patched(zip_of({a}), 14, 7), Kind::damaged},
      {"content in a folder", zip_of({{"a/", "x"}}), Kind::damaged},
      {"twice", zip_of({a, a}), Kind::duplicate_name},
      {"same bytes twice", zip_of({a, {"a", kText, false, 0, {}, {}, 0}}), Kind::overlap},
      {"offset outside", zip_of({{"a", "", false, 0, {}, {}, 99999}}), Kind::damaged},
      {"bomb", zip_of({{"a", zeros, true}}), Kind::ratio_too_high},
      {"cut", zip_of({a}).substr(0, 60), Kind::truncated},
      {"tail", zip_of({a}) + "x", Kind::truncated},
      {"front", "x" + zip_of({a}), Kind::damaged},
      {"nothing", "", Kind::other_format},
      {"text", "hello", Kind::other_format},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const ZipRead back = read_whole_zip(c.zip);
    EXPECT_EQ(kind(back), c.kind) << (back.error ? describe(*back.error) : "accepted");
  }
}

TEST(Zip, LimitsHold) {
  const std::string zip = zip_of({{"a", "123"}, {"b", "456"}});
  Limits limits;
  limits.max_entries = 1;
  EXPECT_EQ(kind(read_whole_zip(zip, limits)), Kind::too_many_entries);
  limits = {};
  limits.max_entry = 2;
  EXPECT_EQ(kind(read_whole_zip(zip, limits)), Kind::entry_too_large);
  limits = {};
  limits.max_output = 5;
  EXPECT_EQ(kind(read_whole_zip(zip, limits)), Kind::output_too_large);
  limits = {};
  limits.max_name = 0;
  EXPECT_EQ(kind(read_whole_zip(zip, limits)), Kind::unsafe_name);
}

TEST(Zip, NoChangedByteGivesOtherContent) {
  const std::string zip = zip_of(kItems);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < zip.size(); ++i) {
    std::string bad = zip;
    bad[i] = static_cast<char>(bad[i] ^ 0x04);
    const ZipRead back = read_whole_zip(bad);
    if (back.error) {
      ++refused;
      continue;
    }
    // Times, attributes and a flag nobody reads change nothing.
    EXPECT_EQ(back.files, kFiles) << i;
  }
  std::cout << refused << " of " << zip.size() << " single-byte changes refused\n";
  EXPECT_GT(refused, zip.size() / 3);
}

TEST(Zip, EveryCutIsRefused) {
  const std::string zip = zip_of(kItems);
  for (std::size_t size = 0; size < zip.size(); ++size) {
    EXPECT_NE(kind(read_whole_zip(std::string_view(zip).substr(0, size))), std::nullopt) << size;
  }
}

TEST(Zip, StopsWhenAsked) {
  std::size_t seen = 0;
  EXPECT_TRUE(read_zip(zip_of(kItems), {}, [&](const Entry&) {
    ++seen;
    return Next::stop;
  }));
  EXPECT_EQ(seen, 1U);
}

}  // namespace
}  // namespace cg::archive
