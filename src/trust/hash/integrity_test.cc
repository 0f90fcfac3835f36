#include "trust/hash/integrity.h"

#include <gtest/gtest.h>

#include <random>

#include "support/support.h"

namespace cg::hash {
namespace {

std::string sri(Algorithm algorithm, std::string_view bytes) {
  return std::string(name(algorithm)) + "-" +
         to_base64(as_bytes(Sha(algorithm).update(as_bytes(bytes)).finish()));
}

bool matches(const std::string& integrity, std::string_view bytes) {
  const auto parsed = Integrity::parse(integrity);
  return parsed && parsed->matches(as_bytes(bytes));
}

TEST(Sha, AgreesWithTheToolsOfTheSystemInAnyPieces) {
  std::mt19937_64 random(20261115);
  const test::ScratchDir scratch;
  const std::string path = scratch / "f";
  for (const std::size_t size : {0UL, 1UL, 63UL, 64UL, 111UL, 112UL, 128UL, 129UL, 300'007UL}) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    test::write(path, bytes);
    for (const Algorithm algorithm :
         {Algorithm::sha1, Algorithm::sha256, Algorithm::sha384, Algorithm::sha512}) {
      Sha whole(algorithm);
      Sha pieces(algorithm);
      whole.update(as_bytes(bytes));
      for (std::size_t at = 0; at < size;) {
        const std::size_t n = std::min<std::size_t>(size - at, 1 + random() % 200);
        pieces.update(as_bytes(bytes).subspan(at, n));
        at += n;
      }
      const std::string digest = whole.finish();
      EXPECT_EQ(digest.size(), size_of(algorithm));
      EXPECT_EQ(pieces.finish(), digest);
      const std::string tool = std::string(name(algorithm)) + "sum";
      EXPECT_EQ(test::run({tool, path}).out.substr(0, 2 * digest.size()), to_hex(as_bytes(digest)));
    }
    EXPECT_EQ(test::run({"sha1sum", path}).out.substr(0, 40), to_hex(sha1(as_bytes(bytes))));
    EXPECT_EQ(test::run({"sha512sum", path}).out.substr(0, 128), to_hex(sha512(as_bytes(bytes))));
    EXPECT_EQ(test::run({"sha224sum", path}).out.substr(0, 56), to_hex(sha224(as_bytes(bytes))));
    const std::string script =
        "const c=require('crypto'),b=require('fs').readFileSync(process.argv[1]);"
        "process.stdout.write('sha512-'+c.createHash('sha512').update(b).digest('base64'))";
    EXPECT_EQ(test::run({"node", "-e", script, path}).out, sri(Algorithm::sha512, bytes));
  }
}

TEST(Integrity, TheStrongestDecidesAndAnyOfItsDigestsWillDo) {
  const std::string right512 = sri(Algorithm::sha512, "right");
  const std::string wrong512 = sri(Algorithm::sha512, "wrong");
  const std::string right1 = sri(Algorithm::sha1, "right");
  const struct {
    std::string text;
    bool matches;
  } cases[] = {
      {right512, true},
      {right1, true},
      {sri(Algorithm::sha256, "right"), true},
      {sri(Algorithm::sha384, "right"), true},
      {wrong512, false},
      {right1 + " " + wrong512, false},
      {wrong512 + " " + right1, false},
      {wrong512 + "\n" + right512, true},
      {"  " + right512 + "  ", true},
      {right512 + "?foo=bar", true},
      {"md5-AAAA " + right512, true},
      {"sha3-AAAA " + right1, true},
      {"sha512-!!!! " + right1, false},  // broken, but of the strongest
      {"sha512- " + right1, false},
      {"sha512-" + right1.substr(5) + " " + right1, false},  // too short
      {right512.substr(0, right512.size() - 2), false},      // without its padding
      {"SHA512" + right512.substr(6), false},
  };
  for (const auto& c : cases) EXPECT_EQ(matches(c.text, "right"), c.matches) << c.text;
}

TEST(Integrity, WithoutAKnownAlgorithmThereIsNone) {
  for (const std::string text : {"", " ", "md5-AAAA", "nonsense", "-", "sha512"}) {
    EXPECT_FALSE(Integrity::parse(text).has_value()) << text;
  }
  EXPECT_FALSE(Integrity::parse(std::string(kMaxIntegrityBytes + 1, 'a')).has_value());
}

TEST(Integrity, AShasumIsOneToo) {
  const std::string hex = to_hex(sha1(as_bytes("right")));
  EXPECT_TRUE(Integrity::of_sha1_hex(hex)->matches(as_bytes("right")));
  EXPECT_EQ(Integrity::of_sha1_hex(hex), Integrity::parse(sri(Algorithm::sha1, "right")));
  EXPECT_FALSE(Integrity::of_sha1_hex(hex.substr(1)).has_value());
  EXPECT_FALSE(Integrity::of_sha1_hex("Z" + hex.substr(1)).has_value());
}

TEST(Integrity, IsWrittenAsItsStrongestPart) {
  const std::string right512 = sri(Algorithm::sha512, "right");
  const std::string other512 = sri(Algorithm::sha512, "other");
  const auto parsed =
      Integrity::parse(right512 + " " + sri(Algorithm::sha1, "right") + " " + other512);
  EXPECT_EQ(parsed->str(), right512 + " " + other512);
  EXPECT_EQ(Integrity::parse(parsed->str()), parsed);
}

}  // namespace
}  // namespace cg::hash
