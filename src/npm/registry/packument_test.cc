#include "npm/registry/packument.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "base/json/json.h"
#include "npm/registry/name.h"
#include "npm/registry/release_json.h"
#include "npm/registry/stored.h"
#include "support/support.h"

namespace cg::registry {
namespace {

using npm::EdgeKind;

constexpr std::string_view kDist =
    R"("dist":{"tarball":"https://registry.example/a/-/a.tgz",)"
    R"("integrity":"sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="})";

/// A packument of `a` with these versions: "1.0.0": { …fields }.
std::string answer(const std::vector<std::pair<std::string, std::string>>& versions,
                   const std::string& more = "") {
  std::string json = R"({"name":"a","versions":{)";
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const auto& [version, fields] = versions[i];
    json += (i == 0 ? "\"" : ",\"") + version + "\":{" + std::string(kDist);
    json += (fields.empty() ? "" : ",") + fields + "}";
  }
  return json + "}" + more + "}";
}

Packument parsed(std::string_view json, std::string_view name = "a") {
  auto packument = Packument::parse(name, json);
  EXPECT_TRUE(packument.has_value()) << (packument ? "" : packument.error().what);
  if (packument) {
    auto again = Packument::read(name, packument->stored());
    EXPECT_TRUE(again.has_value()) << (again ? "" : again.error().what);
    EXPECT_TRUE(again && is_sound(*again)) << packument->stored();
  }
  return packument ? *std::move(packument)
                   : *Packument::read("a", "codegenie-packument 1\ta\t0\t{}\n");
}

Release only(const std::string& fields) {
  const Packument packument = parsed(answer({{"1.0.0", fields}}));
  EXPECT_EQ(packument.size(), 1U) << fields;
  return packument.size() == 1 ? packument.release(0) : Release{};
}

std::string needs(const Release& release) {
  std::string out;
  for (const Need& need : release.needs) {
    out += need.name + "@" + need.range + ":" + std::to_string(static_cast<int>(need.kind)) + " ";
  }
  return out;
}

PackumentError::Kind refused(std::string_view json, std::string_view name = "a") {
  const auto packument = Packument::parse(name, json);
  EXPECT_FALSE(packument.has_value()) << json;
  return packument ? PackumentError::Kind::syntax : packument.error().kind;
}

TEST(Packument, SortsVersionsAsNpmOrdersThem) {
  const Packument packument = parsed(answer(
      {{"10.0.0", ""}, {"2.0.0", ""}, {"2.0.0-rc.10", ""}, {"2.0.0-rc.9", ""}, {"1.9.0", ""}}));
  std::string order;
  for (std::size_t i = 0; i < packument.size(); ++i) order += packument.version(i).raw() + " ";
  EXPECT_EQ(order, "1.9.0 2.0.0-rc.9 2.0.0-rc.10 2.0.0 10.0.0 ");
  EXPECT_EQ(packument.find(*semver::Version::parse("2.0.0")), 3U);
  EXPECT_EQ(packument.find(*semver::Version::parse("2.0.1")), std::nullopt);
}

TEST(Packument, NeedsAreAsNpmSeesThem) {
  const Release release = only(R"(
    "optionalDependencies":{"both":"2","o":"1"},
    "dependencies":{"b":"^1","both":"1","c":"npm:real@~2"},
    "peerDependencies":{"p":"*","q":"1"},
    "peerDependenciesMeta":{"q":{"optional":true},"p":{"optional":false},"z":{"optional":true}})");
  EXPECT_EQ(needs(release), "b@^1:0 c@npm:real@~2:0 both@2:2 o@1:2 p@*:3 q@1:4 ");
}

TEST(Packument, BundledDependenciesComeInEverySpelling) {
  const std::string deps = R"("dependencies":{"b":"1","c":"1"},)";
  const std::vector<std::string> both = {"b", "c"};
  const std::vector<std::string> one = {"b"};
  EXPECT_EQ(only(deps + R"("bundleDependencies":true)").bundled, both);
  EXPECT_EQ(only(deps + R"("bundledDependencies":true)").bundled, both);
  EXPECT_EQ(only(deps + R"("bundleDependencies":["b"])").bundled, one);
  EXPECT_EQ(only(deps + R"("bundledDependencies":["b"])").bundled, one);
  EXPECT_EQ(only(deps + R"("bundleDependencies":{"b":"1"})").bundled, one);
  EXPECT_TRUE(only(deps + R"("bundleDependencies":false)").bundled.empty());
  EXPECT_TRUE(only(deps + R"("bundleDependencies":null)").bundled.empty());
  EXPECT_TRUE(only(deps + R"("bundleDependencies":["../b", "", 7])").bundled.empty());
}

TEST(Packument, FieldsOfAWrongTypeCountAsNotThere) {
  const Release release = only(R"(
    "dependencies":["b","c"],"optionalDependencies":null,"peerDependencies":"x",
    "peerDependenciesMeta":[1],"engines":["node >= 0.4"],"os":"linux","cpu":["x64",1],"libc":{},
    "license":["MIT"],"licenses":[{"type":"MIT"}],"deprecated":false,"bin":[],"funding":7,
    "hasInstallScript":"yes","_hasShrinkwrap":"no","scripts":"x","name":5,"version":null)");
  EXPECT_TRUE(release.needs.empty() && release.engines.empty() && release.bin.empty());
  EXPECT_EQ(release.os, std::vector<std::string>{"linux"});
  EXPECT_EQ(release.cpu, std::vector<std::string>{"x64"});
  EXPECT_TRUE(release.license.empty() && release.deprecated.empty() && release.funding.is_null());
  EXPECT_FALSE(release.install_script || release.shrinkwrap);
  EXPECT_EQ(only(R"("dependencies":{"b":{"version":"1"},"c":"2"})").needs.size(), 1U);
}

TEST(Packument, LicenseIsATextOrATypeOfAnObject) {
  EXPECT_EQ(only(R"("license":"MIT")").license, "MIT");
  EXPECT_EQ(only(R"("license":{"type":"BSD","url":"x"})").license, "BSD");
  EXPECT_EQ(only(R"("license":{"name":"BSD"})").license, "");
}

TEST(Packument, BinIsWrittenUnderTheBaseNameAndStaysInside) {
  const auto bin = [](const std::string& json) { return only(R"("bin":)" + json).bin; };
  EXPECT_EQ(bin(R"("./cli.js")"), (Pairs{{"a", "cli.js"}}));
  EXPECT_EQ(bin(R"({"x":"./bin/../x.js","y":"/y.js"})"), (Pairs{{"x", "x.js"}, {"y", "y.js"}}));
  EXPECT_EQ(bin(R"({"../../up":"../../../etc/x","":"z","n":""})"), (Pairs{{"up", "etc/x"}}));
  const Packument scoped =
      parsed(R"({"name":"@s/tool","versions":{"1.0.0":{"bin":"t.js",)" + std::string(kDist) + "}}}",
             "@s/tool");
  EXPECT_EQ(scoped.release(0).bin, (Pairs{{"tool", "t.js"}}));
}

TEST(Packument, InstallScriptsAreSeenInFullAndAbbreviatedForm) {
  EXPECT_TRUE(only(R"("hasInstallScript":true)").install_script);
  EXPECT_TRUE(only(R"("scripts":{"postinstall":"node x"})").install_script);
  EXPECT_TRUE(only(R"("scripts":{"preinstall":"node x"})").install_script);
  EXPECT_TRUE(only(R"("scripts":{"install":"node-gyp rebuild"})").install_script);
  EXPECT_TRUE(only(R"("gypfile":true)").install_script);
  EXPECT_FALSE(only(R"("scripts":{"test":"x","install":""})").install_script);
  const Packument packument =
      parsed(answer({{"1.0.0", R"("hasInstallScript":true)"}, {"1.0.1", ""}}));
  EXPECT_TRUE(packument.install_script(0));
  EXPECT_FALSE(packument.install_script(1));
}

TEST(Packument, DeprecatedIsAMessage) {
  const Packument packument = parsed(answer({{"1.0.0", R"("deprecated":"use\tb\n")"},
                                             {"1.0.1", R"("deprecated":"")"},
                                             {"1.0.2", R"("deprecated":true)"}}));
  EXPECT_TRUE(packument.deprecated(0));
  EXPECT_EQ(packument.release(0).deprecated, "use\tb\n");
  EXPECT_FALSE(packument.deprecated(1));
  EXPECT_TRUE(packument.deprecated(2));
}

TEST(Packument, TheDigestMayBeOldButMustBeThere) {
  const auto dist = [](const std::string& fields) {
    return R"({"name":"a","versions":{"1.0.0":{"dist":{)" + fields + "}}}}";
  };
  const std::string tarball = R"("tarball":"https://registry.example/a.tgz")";
  const std::string sha1 = R"("shasum":"DA39A3EE5E6B4B0D3255BFEF95601890AFD80709")";
  const Packument old = parsed(dist(tarball + "," + sha1));
  EXPECT_EQ(old.release(0).integrity, "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=");
  EXPECT_EQ(old.release(0).shasum, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  for (const std::string& fields :
       {tarball, sha1, tarball + R"(,"integrity":"sha512-AA==")", tarball + R"(,"shasum":"xyz")",
        R"("tarball":"file:///a.tgz",)" + sha1, R"("tarball":"https://r.example/a b",)" + sha1}) {
    const Packument packument = parsed(dist(fields));
    EXPECT_EQ(packument.size(), 0U) << fields;
    EXPECT_EQ(packument.left_out(), 1U);
  }
}

TEST(Packument, WhatIsNoVersionOrLiesIsLeftOutAndCounted) {
  const Packument packument = parsed(answer({{"1.0.0", ""},
                                             {"v1.0.1", ""},
                                             {"1.0", ""},
                                             {"latest", ""},
                                             {"01.0.0", ""},
                                             {"1.0.2", R"("version":"9.9.9")"},
                                             {"1.0.3", R"("version":"v1.0.3")"},
                                             {"1.0.4", R"("name":"b")"},
                                             {"1.0.5", R"("dependencies":{"../../etc":"1"})"},
                                             {"1.0.6", R"("dependencies":{"":"1"})"},
                                             {"2.0.0+a", ""},
                                             {"2.0.0+b", ""}}));
  EXPECT_EQ(packument.left_out(), 8U);
  ASSERT_EQ(packument.size(), 4U);
  EXPECT_EQ(packument.release(1).version, "1.0.3");
  EXPECT_EQ(packument.find(*semver::Version::parse("2.0.0+b")), 3U);
}

TEST(Packument, TimesAndTagsAreThoseOfItsVersions) {
  const Packument packument = parsed(answer(
      {{"1.0.0", ""}, {"1.1.0", ""}, {"1.2.0", ""}, {"1.3.0", ""}},
      R"(,"dist-tags":{"latest":"1.1.0","gone":"7.0.0","odd":3},)"
      R"("time":{"created":"x","1.0.0":"2020-01-02T03:04:05.678Z","1.1.0":"2020-01-02T03:04:05Z",)"
      R"("1.2.0":"yesterday","9.0.0":"2020-01-02T03:04:05.678Z"})"));
  EXPECT_EQ(packument.tag("latest"), 1U);
  EXPECT_EQ(packument.tag("gone"), std::nullopt);
  EXPECT_EQ(packument.tag("odd"), std::nullopt);
  EXPECT_EQ(to_iso(packument.published(0).value_or(Time{})), "2020-01-02T03:04:05.678Z");
  EXPECT_EQ(to_iso(packument.published(1).value_or(Time{})), "2020-01-02T03:04:05.000Z");
  EXPECT_EQ(packument.published(2), std::nullopt);
  EXPECT_EQ(packument.published(3), std::nullopt);
}

TEST(Packument, FundingIsKeptAsPublishedUnlessItIsAMonster) {
  EXPECT_EQ(json::write_json(only(R"("funding":[{"url":"x"},"y"])").funding),
            R"([{"url":"x"},"y"])");
  EXPECT_TRUE(only(R"("funding":")" + std::string(40'000, 'x') + "\"").funding.is_null());
}

TEST(Packument, RubbishIsToldFromOtherRubbish) {
  using Kind = PackumentError::Kind;
  EXPECT_EQ(refused(""), Kind::syntax);
  EXPECT_EQ(refused("<html>"), Kind::syntax);
  EXPECT_EQ(refused(R"({"name":"a","versions":{)"), Kind::syntax);
  EXPECT_EQ(refused("[]"), Kind::shape);
  EXPECT_EQ(refused(R"({"error":"not found"})"), Kind::shape);
  EXPECT_EQ(refused(R"({"name":"a"})"), Kind::shape);
  EXPECT_EQ(refused(R"({"name":"a","versions":[]})"), Kind::shape);
  EXPECT_EQ(refused(R"({"name":"b","versions":{}})"), Kind::name);
  EXPECT_EQ(refused(R"({"name":"a","time":{"unpublished":{"name":"x"}}})"), Kind::unpublished);
  EXPECT_EQ(refused(R"({"name":"../a","versions":{}})", "../a"), Kind::name);
  EXPECT_EQ(refused(std::string(kMaxPackumentBytes + 1, ' ')), Kind::too_large);
  EXPECT_EQ(refused(std::string(100'000, '[')), Kind::syntax);
}

TEST(Packument, HalvesOfSurrogatePairsInADescriptionDoNotMatter) {
  const Packument packument = parsed(answer(
      {{"1.0.0", R"("license":"a\ud83dz\\ud83d\ud83d\ude00")"}}, R"(,"readme":"x\ud83d \\")"));
  EXPECT_EQ(packument.release(0).license, "a\xef\xbf\xbdz\\ud83d\xf0\x9f\x98\x80");
}

TEST(Packument, ReadsItsOwnLinesAndNoDamagedOnes) {
  const std::string stored =
      parsed(answer({{"1.0.0", R"("license":"MIT")"}, {"1.1.0", ""}})).stored();
  EXPECT_FALSE(Packument::read("b", stored).has_value());
  for (std::size_t cut = 0; cut < stored.size(); ++cut) {
    const auto packument = Packument::read("a", stored.substr(0, cut));
    EXPECT_TRUE(!packument || stored[cut - 1] == '\n') << cut;
  }
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < stored.size(); ++at) {
    std::string damaged = stored;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    const auto packument = Packument::read("a", damaged);
    if (!packument) continue;
    ++accepted;
    for (std::size_t i = 0; i < packument->size(); ++i) {
      EXPECT_EQ(packument->release(i).name, "a");
    }
  }
  EXPECT_LT(accepted, stored.size());
}

TEST(Packument, LinesOfAnotherMachineMustBeWhatWeWouldWrite) {
  const std::string stored = parsed(answer({{"1.0.0", R"("license":"MIT")"}})).stored();
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = stored;
    changed.replace(changed.find(from), from.size(), to);
    const auto packument = Packument::read("a", changed);
    return packument && is_sound(*packument);
  };
  EXPECT_TRUE(with("MIT", "ISC"));
  EXPECT_FALSE(with("\"MIT\"", " \"MIT\""));
  EXPECT_FALSE(with("\"license\"", "\"licence\""));
  EXPECT_FALSE(with("1.0.0\t\t", "1.0.0\ts\t"));
  EXPECT_FALSE(with("{\"dist\"", "x{\"dist\""));
}

TEST(Packument, SurvivesAMove) {
  Packument packument = parsed(answer({{"1.0.0", R"("license":"MIT")"}}));
  const Release* first = &packument.release(0);
  const Packument moved = std::move(packument);
  EXPECT_EQ(&moved.release(0), first);
  EXPECT_EQ(moved.release(0).license, "MIT");
}

TEST(PackageName, IsWhatCanBeAFolderOfNodeModules) {
  for (const char* name : {"a", "JSONStream", "@s/a", "a.b", "x~1", "@S/_a", "lodash.get"}) {
    EXPECT_TRUE(is_package_name(name)) << name;
  }
  for (const char* name :
       {"",    ".",       "..",     "../a",         "a/b",   "@s",  "@s/",
        "@/a", "@s/../a", "@s/a/b", "@./a",         "@s/.a", "_a",  ".a",
        "a b", "a\n",     "a\\b",   "node_modules", "a%2fb", "a:b", "\xc3\xa4"}) {
    EXPECT_FALSE(is_package_name(name)) << name;
  }
  EXPECT_FALSE(is_package_name(std::string(215, 'a')));
}

/// Every recorded packument: parsed, kept as lines, read back, the same.
TEST(RealPackuments, AllAreReadAndKeptAndReadAgainTheSame) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the recorded packuments are not there";
  }
  std::ifstream lines(*data / "registry.jsonl");
  std::string line;
  std::size_t packuments = 0;
  std::size_t releases = 0;
  std::size_t left_out = 0;
  std::size_t needs_seen = 0;
  while (std::getline(lines, line)) {
    const auto json =
        json::parse_json(line, {.max_bytes = kMaxPackumentBytes, .max_nodes = 50'000'000});
    ASSERT_TRUE(json.has_value());
    const std::string name = *json->find("name")->as_string();
    SCOPED_TRACE(name);
    const auto packument = Packument::parse(name, line);
    ASSERT_TRUE(packument.has_value()) << packument.error().what;
    const auto again = Packument::read(name, packument->stored());
    ASSERT_TRUE(again.has_value()) << again.error().what;
    EXPECT_TRUE(is_sound(*again));
    EXPECT_EQ(packument->size() + packument->left_out(),
              json->find("versions")->as_object()->size());
    ++packuments;
    releases += packument->size();
    left_out += packument->left_out();
    for (std::size_t i = 0; i < again->size(); ++i) needs_seen += again->release(i).needs.size();
  }
  std::cout << packuments << " packuments, " << releases << " releases, " << needs_seen
            << " dependencies, " << left_out << " left out\n";
  EXPECT_GT(packuments, 2000U);
  EXPECT_LT(left_out * 100, releases);
}

}  // namespace
}  // namespace cg::registry
