#include "base/archive/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "base/archive/format.h"
#include "base/base/bytes.h"

namespace cg::archive {
namespace {

using Kind = Error::Kind;
using Unpack = Result<std::string, Error> (*)(std::string_view, const Limits&);

std::string noise(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string out;
  while (out.size() < size) out += static_cast<char>(random());
  return out;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
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

std::string zstd(const std::string& text) { return zstd_compress(text); }

Result<std::string, Error> gunzip_all(std::string_view packed, const Limits& limits) {
  return gunzip(packed, limits);
}
Result<std::string, Error> unzstd_all(std::string_view packed, const Limits& limits) {
  return unzstd(packed, limits);
}

struct Codec {
  std::string (*pack)(const std::string&);
  Unpack unpack;
};
const Codec kCodecs[] = {{gzip, gunzip_all}, {zstd, unzstd_all}};

std::optional<Kind> kind(const Result<std::string, Error>& result) {
  return result ? std::nullopt : std::optional(result.error().kind);
}

TEST(Stream, GivesBackWhatWasPackedAcrossSeveralMembers) {
  for (const Codec& codec : kCodecs) {
    for (const std::size_t size : {0U, 1U, 1000U, 262144U, 262145U, 3000000U}) {
      SCOPED_TRACE(size);
      const std::string one = noise(size);
      const std::string packed = codec.pack(one) + codec.pack("middle") + codec.pack("");
      const auto back = codec.unpack(packed, {});
      ASSERT_TRUE(back) << describe(back.error());
      EXPECT_TRUE(*back == one + "middle");
    }
  }
}

TEST(Stream, RefusesABombBeforeItIsUnpacked) {
  const std::string zeros(64U << 20U, '\0');
  for (const Codec& codec : kCodecs) {
    const std::string bomb = codec.pack(zeros);
    EXPECT_EQ(kind(codec.unpack(bomb, {})), Kind::ratio_too_high);
    Limits patient;
    patient.max_ratio = 1'000'000;
    EXPECT_EQ(kind(codec.unpack(bomb, patient)), std::nullopt);
    patient.max_output = zeros.size() - 1;
    EXPECT_EQ(kind(codec.unpack(bomb, patient)), Kind::output_too_large);
  }
}

TEST(Stream, AShortRunOfZerosIsNoBomb) {
  for (const Codec& codec : kCodecs) {
    EXPECT_EQ(kind(codec.unpack(codec.pack(std::string(1000000, '\0')), {})), std::nullopt);
  }
}

TEST(Stream, StopsWhenTheSinkHasEnough) {
  std::size_t seen = 0;
  const Sink one_piece = [&](std::string_view piece) {
    seen += piece.size();
    return Next::stop;
  };
  const std::string text = noise(2000000);
  EXPECT_TRUE(gunzip(gzip(text), {}, one_piece));
  EXPECT_TRUE(unzstd(zstd(text), {}, one_piece));
  EXPECT_GT(seen, 0U);
  EXPECT_LE(seen, 2 * 256 * 1024U);
}

TEST(Stream, EveryCutIsNoticed) {
  const std::string text = noise(700) + std::string(700, 'a');
  for (const Codec& codec : kCodecs) {
    const std::string packed = codec.pack(text);
    for (std::size_t size = 0; size < packed.size(); ++size) {
      EXPECT_NE(kind(codec.unpack(packed.substr(0, size), {})), std::nullopt) << size;
    }
    EXPECT_EQ(kind(codec.unpack(packed.substr(0, packed.size() - 1), {})), Kind::truncated);
  }
}

TEST(Stream, EveryChangedByteOfTheContentIsNoticed) {
  const std::string text = noise(300) + std::string(300, 'a');
  for (const Codec& codec : kCodecs) {
    const std::string packed = codec.pack(text);
    std::size_t unnoticed = 0;
    for (std::size_t i = 0; i < packed.size(); ++i) {
      std::string bad = packed;
      bad[i] = static_cast<char>(bad[i] ^ 0x10);
      const auto back = codec.unpack(bad, {});
      // A changed time or system in gzip's header leaves the content alone.
      EXPECT_TRUE(!back || *back == text) << i;
      if (back) ++unnoticed;
    }
    EXPECT_LE(unnoticed, 8U);
  }
}

TEST(Stream, RefusesWhatFollowsTheEndAndOtherFormats) {
  EXPECT_EQ(kind(gunzip(gzip("a") + "b")), Kind::trailing_data);
  EXPECT_EQ(kind(gunzip(gzip("a") + std::string(8, '\0'))), Kind::trailing_data);
  EXPECT_NE(kind(unzstd(zstd("a") + "hello, world")), std::nullopt);
  EXPECT_EQ(kind(gunzip("")), Kind::other_format);
  EXPECT_EQ(kind(unzstd("")), Kind::other_format);
  EXPECT_EQ(kind(gunzip(zstd("a"))), Kind::other_format);
  EXPECT_EQ(kind(unzstd(gzip("a"))), Kind::other_format);
}

TEST(Stream, SaysWhatAndWhere) {
  const auto cut = gunzip(gzip("hello").substr(0, 15));
  ASSERT_FALSE(cut);
  EXPECT_EQ(describe(cut.error()), "ends too early at byte 15");
  EXPECT_EQ(describe({Kind::unsafe_name, 512, "../a"}), "unsafe name at byte 512, entry `../a`");
}

TEST(Stream, PackingTwiceGivesTheSameBytes) {
  const std::string text = noise(100000) + std::string(100000, 'x');
  EXPECT_TRUE(zstd_compress(text, 3) == zstd_compress(text, 3));
  EXPECT_LT(zstd_compress(text, 3).size(), text.size());
}

TEST(Format, IsToldByTheFirstBytes) {
  const std::string tar = std::string(257, 'a') + "ustar";
  const std::pair<std::string, Format> cases[] = {
      {gzip("a"), Format::gzip},
      {zstd("a"), Format::zstd},
      {std::string("\x5c\x2a\x4d\x18", 4), Format::zstd},
      {"PK\x03\x04rest", Format::zip},
      {"PK\x05\x06rest", Format::zip},
      {tar, Format::tar},
      {tar.substr(0, 261), Format::other},
      {"{}", Format::json},
      {" \r\n\t[1]", Format::json},
      {"", Format::other},
      {"hello", Format::other},
      {"\x1f", Format::other},
  };
  for (const auto& [bytes, format] : cases) EXPECT_EQ(name(detect(bytes)), name(format)) << bytes;
}

}  // namespace
}  // namespace cg::archive
