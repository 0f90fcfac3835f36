// Pins read back as they are written, and only what is a key on a day is a pin.
#include "model/leaf/pins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::leaf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

hash::Digest digest(Byte fill) {
  hash::Digest out;
  out.fill(fill);
  return out;
}

Pins two() {
  return {{{digest(1), *parse_date("2027-01-31"), "server: \"quoted\" # no comment"},
           {digest(2), *parse_date("2028-01-31"), ""}}};
}

const char* const kHead = "schema: codegenie/leaf-pins/v1\n";

TEST(Pins, ReadBackAsWritten) {
  EXPECT_EQ(*parse_pins(write_pins(two())), two());
  EXPECT_EQ(*parse_pins(write_pins({})), Pins{});
}

TEST(Pins, WhatIsNoPinIsAnErrorWithItsPlace) {
  const std::string spki = to_text(digest(1));
  const auto pin = [&](const std::string& fields) {
    return kHead + std::string("pins:\n  - {") + fields + "}\n";
  };
  const std::string good = "spki: \"" + spki + "\", not_after: 2027-01-31";
  ASSERT_TRUE(parse_pins(pin(good)).has_value());
  std::string nine = std::string(kHead) + "pins:\n";
  for (Byte i = 0; i < 9; ++i) {
    nine += "  - {spki: \"" + to_text(digest(i)) + "\", not_after: 2027-01-31}\n";
  }
  for (const std::string& text : std::vector<std::string>{
           "", "pins: []", "schema: codegenie/leaf-pins/v2\npins: []", kHead, nine,
           std::string(kHead) + "pins: 3", std::string(kHead) + "pins: []\nmore: 1",
           pin(good + ", x: 1"), pin("not_after: 2027-01-31"), pin("spki: \"" + spki + "\""),
           pin("spki: \"" + spki.substr(7) + "\", not_after: 2027-01-31"),
           pin("spki: \"" + spki + "=\", not_after: 2027-01-31"),
           pin("spki: \"md5/" + spki.substr(7) + "\", not_after: 2027-01-31"),
           pin("spki: \"" + spki + "\", not_after: 2027-02-31"),
           pin("spki: \"" + spki + "\", not_after: 1960-01-31"),
           pin("spki: \"" + spki + "\", not_after: soon"), pin(good + ", note: 3"),
           pin(good + ", note: \"a\\u001bb\""), pin(good) + "  - {" + good + "}\n"}) {
    EXPECT_FALSE(parse_pins(text).has_value()) << text;
  }
  EXPECT_THAT(parse_pins(pin(good + ", x: 1")).error(), HasSubstr("line 3: unknown key `x`"));
}

TEST(Pins, CountThroughTheirLastDay) {
  const auto pins = two();
  EXPECT_EQ(current(pins, *parse_iso("2027-01-31T23:59:59.999Z")).size(), 2U);
  EXPECT_EQ(current(pins, *parse_iso("2027-02-01T00:00:00.000Z")).size(), 1U);
  EXPECT_EQ(current(pins, *parse_iso("2028-02-01T00:00:00.000Z")).size(), 0U);
  EXPECT_EQ(current(pins, Time{}).front().last_day, 20'849U);  // 2027-01-31
}

TEST(Pins, AnOperatorIsWarnedBeforeNothingWorks) {
  const Time day = *parse_date("2026-11-15");
  EXPECT_THAT(warnings(two(), day), IsEmpty());
  EXPECT_THAT(warnings({}, day), ElementsAre(HasSubstr("no key is pinned")));
  EXPECT_THAT(warnings({{two().keys[0]}}, day), ElementsAre(HasSubstr("backup")));
  EXPECT_THAT(warnings(two(), *parse_date("2027-01-15")), ElementsAre(HasSubstr("runs out")));
  EXPECT_THAT(warnings(two(), *parse_date("2029-01-15")), ElementsAre(HasSubstr("all pins")));
}

// A P-256 key made for this test, and its SubjectPublicKeyInfo by `openssl pkey -pubin
// -outform der | sha256sum`.
const char* const kPublicKey = R"(-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0nUjRm5jurKuA+s052paCBGhQALT
9tgxJ8gumn9pdvCPkuOj4XmcuD09z78eP5+HnmexfqV3B4/9i9mIxrmeqw==
-----END PUBLIC KEY-----
)";

TEST(Pem, GivesTheDigestThatOpensslGives) {
  const auto keys = spki_of_pem(kPublicKey);
  ASSERT_TRUE(keys.has_value()) << keys.error();
  ASSERT_EQ(keys->size(), 1U);
  EXPECT_EQ(to_text(keys->front().spki), "sha256/S7s0pjzKsoJJyqrQTBZXJUu96ltGJyVivmtvLQFlzvI=");
  EXPECT_FALSE(keys->front().authority);
}

TEST(Pem, PrivateKeysDamageAndNothingAreErrors) {
  const std::string good = kPublicKey;
  for (const std::string& text :
       std::vector<std::string>{"", "x", good.substr(0, 60), good + good.substr(0, 60),
                                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                                "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
                                std::string(300'000, 'x')}) {
    EXPECT_FALSE(spki_of_pem(text).has_value()) << text.substr(0, 80);
  }
  std::string many;
  for (int i = 0; i < 17; ++i) many += good;
  EXPECT_FALSE(spki_of_pem(many).has_value());
  EXPECT_EQ(spki_of_pem(good + good)->size(), 2U);
}

}  // namespace
}  // namespace cg::leaf
