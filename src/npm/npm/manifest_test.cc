#include "npm/npm/manifest.h"

#include <gtest/gtest.h>

#include "npm/npm/glob.h"
#include "npm/npm/spec.h"

namespace cg::npm {
namespace {

Manifest parsed(std::string_view text) {
  auto manifest = parse_manifest("package.json", text);
  EXPECT_TRUE(manifest.has_value()) << (manifest ? "" : manifest.error().what);
  return manifest ? *std::move(manifest) : Manifest{};
}

std::string refused(std::string_view text) {
  const auto manifest = parse_manifest("package.json", text);
  return manifest ? "accepted" : manifest.error().what;
}

TEST(Manifest, ReadsWhatDecidesWhatIsInstalled) {
  const Manifest manifest = parsed(R"({
    "name": "shop", "version": "1.0.0", "packageManager": "pnpm@9.1.0",
    "scripts": {"test": "jest"}, "engines": {"node": ">=18"},
    "dependencies": {"a": "^1.0.0", "both": "1"},
    "optionalDependencies": {"both": "2"},
    "devDependencies": {"d": "npm:real@~2"},
    "peerDependencies": {"p": "*", "q": "1"},
    "peerDependenciesMeta": {"q": {"optional": true}},
    "workspaces": {"packages": ["packages/*"]},
    "bundleDependencies": ["a"],
    "overrides": {"x": "1"}, "resolutions": {"y": "2"}, "pnpm": {"overrides": {"z": "3"}}
  })");
  EXPECT_EQ(manifest.name, "shop");
  EXPECT_EQ(manifest.package_manager, "pnpm@9.1.0");
  ASSERT_EQ(manifest.dependencies.size(), 5U);
  EXPECT_EQ(manifest.find("both")->kind, EdgeKind::optional) << "optional wins, as in npm";
  EXPECT_EQ(manifest.find("both")->spec, "2");
  EXPECT_EQ(manifest.find("q")->kind, EdgeKind::peer_optional);
  EXPECT_EQ(manifest.find("p")->kind, EdgeKind::peer);
  EXPECT_EQ(manifest.find("d")->at.line, 6U);
  EXPECT_EQ(manifest.workspaces, std::vector<std::string>{"packages/*"});
  EXPECT_EQ(manifest.bundled, std::vector<std::string>{"a"});
  EXPECT_NE(manifest.overrides.find("x"), nullptr);
  EXPECT_NE(manifest.resolutions.find("y"), nullptr);
  EXPECT_NE(manifest.pnpm_overrides.find("z"), nullptr);
}

TEST(Manifest, AcceptsAByteOrderMarkAsNpmDoes) {
  EXPECT_EQ(parsed("\xEF\xBB\xBF{\"name\": \"a\"}").name, "a");
}

TEST(Manifest, BundleDependenciesMayBeTrue) {
  const Manifest manifest =
      parsed(R"({"dependencies": {"a": "1", "b": "1"}, "bundleDependencies": true})");
  EXPECT_EQ(manifest.bundled, (std::vector<std::string>{"a", "b"}));
}

TEST(Manifest, SaysWhereItIsWrong) {
  EXPECT_EQ(refused("{\"name\": \"a\",\n \"name\": \"b\"}"),
            "line 2, column 2: duplicate key `name`");
  EXPECT_EQ(refused("{\"dependencies\": {\"a\":\n 1}}"),
            "line 2, column 2: `dependencies.a` is not a string");
  EXPECT_EQ(refused("{\"dependencies\": \"a\"}"),
            "line 1, column 18: `dependencies` is not an object");
  EXPECT_EQ(refused("[]"), "line 1, column 1: `package.json` is not an object");
  EXPECT_NE(refused(""), "accepted");
  EXPECT_NE(refused("{\"name\": \"\xFF\"}"), "accepted");
  EXPECT_NE(refused(std::string(300, '[')), "accepted");
}

TEST(Manifest, PassesOverWhatDecidesNothing) {
  EXPECT_EQ(parsed(R"({"name": 5, "scripts": [], "engines": "node", "dependencies": []})").name,
            "");
}

TEST(Spec, TellsTheKindsApart) {
  using enum Spec::Kind;
  const struct {
    std::string_view text;
    Spec::Kind kind;
  } cases[] = {
      {"", range},
      {"*", range},
      {"^1.2.3", range},
      {"1.x || >=2.5.0", range},
      {"1.0.0 - 2.0.0", range},
      {"latest", tag},
      {"next-11", tag},
      {"npm:lodash@^4", alias},
      {"npm:@s/p@1", alias},
      {"workspace:*", workspace},
      {"file:../x", directory},
      {"file:x.tgz", tarball},
      {"link:./x", directory},
      {"../x", directory},
      {"git+ssh://git@h/x.git#v1", git},
      {"github:u/r", git},
      {"u/r#semver:^1", git},
      {"https://h/x.tgz", tarball},
      {"https://h/u/r.git", git},
      {"git://h/x", git},
  };
  for (const auto& c : cases) EXPECT_EQ(parse_spec(c.text).kind, c.kind) << c.text;
  EXPECT_EQ(parse_spec("npm:@s/p@^1.2").name, "@s/p");
  EXPECT_EQ(parse_spec("npm:@s/p@^1.2").rest, "^1.2");
  EXPECT_EQ(parse_spec("npm:bare").name, "bare");
}

TEST(Glob, NamesFolders) {
  EXPECT_TRUE(glob_match("packages/*", "packages/a"));
  EXPECT_FALSE(glob_match("packages/*", "packages/a/b"));
  EXPECT_TRUE(glob_match("./packages/**/", "packages/a/b"));
  EXPECT_TRUE(glob_match("packages/**", "packages"));
  EXPECT_TRUE(glob_match("{apps,libs}/*", "libs/x"));
  EXPECT_FALSE(glob_match("{apps,libs}/*", "tools/x"));
  EXPECT_TRUE(glob_match("p[a-c]?-*x", "pb9-yyx"));
  EXPECT_FALSE(glob_match("", "a"));
  EXPECT_TRUE(is_workspace({"packages/*", "!packages/old"}, "packages/a"));
  EXPECT_FALSE(is_workspace({"packages/*", "!packages/old"}, "packages/old"));
}

TEST(Glob, DoesNotTakeForeverOnManyStars) {
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "*a";
  EXPECT_FALSE(glob_match(pattern + "b", std::string(2000, 'a')));
  std::string deep = "**/";
  for (int i = 0; i < 200; ++i) deep += "**/a/";
  std::string path;
  for (int i = 0; i < 1000; ++i) path += "a/";
  EXPECT_FALSE(glob_match(deep + "b", path + "c"));
  EXPECT_FALSE(glob_match(std::string(60, '{') + std::string(60, '}'), "x"));
}

}  // namespace
}  // namespace cg::npm
