#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/bytes.h"
#include "base/base/match.h"
#include "base/base/result.h"
#include "base/base/text.h"
#include "base/base/time.h"

namespace cg {
namespace {

Result<int, std::string> half(int n) {
  if (n % 2 != 0) return fail(std::string("odd"));
  return n / 2;
}

Result<int, std::string> quarter(int n) {
  CG_TRY_ASSIGN(const int once, half(n));
  CG_TRY_ASSIGN(const int twice, half(once));
  return twice;
}

TEST(Result, TryHandsTheFirstErrorOn) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).error(), "odd");
}

TEST(ResultDeathTest, ReadingTheWrongSideEndsTheProgram) {
  EXPECT_DEATH(static_cast<void>(*half(3)), "");
  EXPECT_DEATH(static_cast<void>(half(2).error()), "");
}

TEST(Match, PicksTheArmOfTheAlternative) {
  const std::variant<int, std::string> value = "text";
  EXPECT_EQ(match(
                value, [](const int&) { return 1; }, [](const std::string&) { return 2; }),
            2);
}

TEST(Bytes, Base64IsStrict) {
  const struct {
    std::string text;
    std::optional<std::string> bytes;
  } cases[] = {
      {"", ""},
      {"Zg==", "f"},
      {"Zm8=", "fo"},
      {"Zm9v", "foo"},
      {"Zm9vYg==", "foob"},
      {"Zg=", std::nullopt},
      {"Zh==", std::nullopt},
      {"Zm9=", std::nullopt},
      {"Zm 8", std::nullopt},
      {"Zg==Zg==", std::nullopt},
      {"=g==", std::nullopt},
      {"Zm9v\n", std::nullopt},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(from_base64(c.text), c.bytes);
    if (c.bytes) {
      EXPECT_EQ(to_base64(as_bytes(*c.bytes)), c.text);
    }
  }
}

TEST(Bytes, HexIsLowerCaseAndExact) {
  EXPECT_EQ(to_hex(as_bytes("\x01\xfe")), "01fe");
  EXPECT_TRUE(from_hex<2>("01fe"));
  EXPECT_FALSE(from_hex<2>("01FE"));
  EXPECT_FALSE(from_hex<2>("01f"));
}

TEST(Bytes, LittleEndianRoundTrip) {
  const auto bytes = to_le64(0x0102030405060708ULL);
  EXPECT_EQ(bytes[0], 8);
  EXPECT_EQ(from_le64(bytes), 0x0102030405060708ULL);
}

TEST(Text, Utf8) {
  for (const std::string good : {"", "a", "é", "€", "😀", "\x7f"}) EXPECT_TRUE(is_utf8(good));
  for (const std::string bad : {"\x80", "\xc0\xaf", "\xc3", "\xe0\x80\xaf", "\xed\xa0\x80",
                                "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_FALSE(is_utf8(bad)) << to_hex(as_bytes(bad));
  }
  EXPECT_EQ(cut_utf8("a€b", 3), "a");
  EXPECT_EQ(cut_utf8("a€b", 4), "a€");
}

TEST(Text, PrintableShowsWhatWouldDeceive) {
  EXPECT_EQ(printable("ok é"), "ok é");
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("a\nb"), "a\\x0ab");
  EXPECT_EQ(printable("\u202Eevil"), "\\u{202e}evil");
  EXPECT_EQ(printable("\xff"), "\\u{ff}");
}

TEST(Text, Numbers) {
  EXPECT_EQ(parse_u64("0"), 0U);
  EXPECT_EQ(parse_u64("18446744073709551615"), 18446744073709551615ULL);
  for (const std::string bad : {"", "01", "-1", "+1", " 1", "1 ", "18446744073709551616", "0x1"}) {
    EXPECT_EQ(parse_u64(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(grouped(1284), "1 284");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000000), "1 000 000");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(1284, "entry", "entries"), "1 284 entries");
}

TEST(Text, ClosestGuessesOnlyWhatIsNear) {
  const std::vector<std::string> commands = {"audit", "init", "self-check", "version"};
  EXPECT_EQ(closest("adit", commands), "audit");
  EXPECT_EQ(closest("selfcheck", commands), "self-check");
  EXPECT_EQ(closest("verzion", commands), "version");
  EXPECT_EQ(closest("xyzzy", commands), std::nullopt);
  EXPECT_EQ(closest(std::string(1000, 'a'), commands), std::nullopt);
}

TEST(Time, IsoRoundTrip) {
  EXPECT_EQ(to_iso(Time{0}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_iso(Time{1'795'000'000'123}), "2026-11-18T11:06:40.123Z");
  EXPECT_EQ(to_iso(Time{-1}), "1969-12-31T23:59:59.999Z");
  for (const std::int64_t ms : {0LL, -1LL, 1'795'000'000'123LL, 951'782'400'000LL}) {
    EXPECT_EQ(parse_iso(to_iso(Time{ms}))->ms, ms);
  }
  for (const std::string bad :
       {"", "2026-11-15T02:40:11Z", "2026-13-15T02:40:11.000Z", "2026-02-30T02:40:11.000Z",
        "2026-11-15T24:00:00.000Z", "2026-11-15 02:40:11.000Z", "2026-11-15T02:40:1x.000Z"}) {
    EXPECT_FALSE(parse_iso(bad)) << bad;
  }
}

TEST(Time, WhatIsLeftIsReckonedFromWhatWasDone) {
  EXPECT_EQ(time_left(0, 12, 60'000), "");
  EXPECT_EQ(time_left(12, 12, 60'000), "");
  EXPECT_EQ(time_left(3, 12, 80'000), ", about 4 min left");
  EXPECT_EQ(time_left(11, 12, 11 * 29'000), ", less than a minute left");
  EXPECT_EQ(time_left(11, 12, 11 * 31'000), ", about 1 min left");
}

TEST(Bytes, PercentEscapes) {
  EXPECT_EQ(percent_decoded("a%2Fb%2fc"), "a/b/c");
  EXPECT_EQ(percent_decoded("%00%ff"), std::string("\0\xff", 2));
  for (const char* bad : {"%", "%2", "%2x", "a%g0", "%%41"}) {
    EXPECT_EQ(percent_decoded(bad), std::nullopt) << bad;
  }
}

TEST(Text, Ports) {
  EXPECT_EQ(parse_port("65535"), 65535);
  for (const char* bad : {"", "0", "080", "65536", "+1", "99999999999999999999"}) {
    EXPECT_EQ(parse_port(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace cg
