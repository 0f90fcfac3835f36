// npm's configuration as it lies on a disk, and what a repository may add to it.
#include "flow/supplies/registry_access.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "flow/supplies/npm_config.h"
#include "support/new_workspace.h"

namespace cg::supplies {
namespace {

namespace fs = std::filesystem;
using workspace::Access;

/// A home, a workspace, a repository and perhaps an npm, all in one scratch folder.
class Place {
 public:
  Place() {
    for (const char* folder : {"home", "repo", "bin", "npm/bin", "etc"}) {
      fs::create_directories(scratch_ / folder);
    }
  }
  std::string operator/(const std::string& name) const { return scratch_ / name; }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(scratch_ / name).parent_path());
    test::write(scratch_ / name, text);
  }
  void install_npm(const std::string& definitions) const {
    write("npm/bin/npm-cli.js", "#!/bin/false\n");
    fs::permissions(scratch_ / "npm/bin/npm-cli.js", fs::perms::owner_all);
    fs::create_symlink(scratch_ / "npm/bin/npm-cli.js", scratch_ / "bin/npm");
    write("npm/node_modules/@npmcli/config/lib/definitions/definitions.js", definitions);
  }
  [[nodiscard]] cli::Environment environment(const cli::Environment& more = {}) const {
    cli::Environment environment{{"HOME", scratch_ / "home"},
                                 {"PATH", scratch_ / "bin"},
                                 {"npm_config_globalconfig", scratch_ / "etc/npmrc"}};
    environment.insert(more.begin(), more.end());
    return environment;
  }
  [[nodiscard]] Access access() const { return test::new_workspace(scratch_); }

 private:
  test::ScratchDir scratch_;
};

cli::Settings settings(const Place& place) {
  return *cli::resolve_settings({{}, place.environment(), {}});
}

/// The registry that `package` is asked of, or the code of the refusal.
std::string asked(const Place& place, const Access& access, const RegistryWish& wish = {},
                  const cli::Environment& more = {}, const std::string& package = "a") {
  const auto catalog =
      open_catalog(access, {place.environment(more), settings(place)}, wish, place / "repo");
  if (!catalog) return std::string(row(catalog.error().code).code);
  return (*catalog)->config().registry_for(package)->url.str();
}

TEST(NpmDefaults, AreReadFromNpmsOwnFilesWithoutRunningIt) {
  const Place place;
  EXPECT_EQ(learn_public_registry(place.environment()), "");
  place.install_npm(
      "  registry: new Definition('registry', {\n    default: 'https://public.example/',\n");
  EXPECT_EQ(learn_public_registry(place.environment()), "https://public.example/");
}

TEST(NpmDefaults, ThatCannotBeReadAreNotGuessed) {
  const Place place;
  place.install_npm("define('registry', {\n  default: someVariable,\n  type: url,\n})");
  EXPECT_EQ(learn_public_registry(place.environment()), "");
}

TEST(NpmDefaults, AreKeptInTheWorkspaceAndAskedLast) {
  const Place place;
  const Access access = place.access();
  EXPECT_EQ(asked(place, access), "CG-REG-004");
  ASSERT_TRUE(keep_public_registry(access.workspace, "").has_value());
  EXPECT_EQ(asked(place, access), "CG-REG-004");
  ASSERT_TRUE(keep_public_registry(access.workspace, "https://public.example/").has_value());
  EXPECT_EQ(asked(place, access), "https://public.example/");
  place.write("etc/npmrc", "registry=https://global.example\n");
  EXPECT_EQ(asked(place, access), "https://global.example/");
  place.write("home/.npmrc", "registry=https://${WHERE}.example\n@s:registry=https://s.example\n");
  EXPECT_EQ(asked(place, access, {}, {{"WHERE", "user"}}), "https://user.example/");
  EXPECT_EQ(asked(place, access, {}, {{"WHERE", "user"}}, "@s/a"), "https://s.example/");
  const cli::Environment variables{{"WHERE", "x"}, {"npm_config_registry", "https://env.example"}};
  EXPECT_EQ(asked(place, access, {}, variables), "https://env.example/");
  RegistryWish wish;
  wish.registry = "http://127.0.0.1:4873";
  EXPECT_EQ(asked(place, access, wish, variables), "http://127.0.0.1:4873/");
}

TEST(NpmConfig, OfARepositoryCannotRedirect) {
  const Place place;
  const Access access = place.access();
  place.write("home/.npmrc", "registry=https://ours.example\n");
  place.write("repo/.npmrc", "registry=https://evil.example\n");
  EXPECT_EQ(asked(place, access), "CG-REG-002");
  place.write("repo/.npmrc", "@s:registry=https://evil.example/${HOME}\n");
  EXPECT_EQ(asked(place, access), "CG-REG-002");
  place.write("repo/.npmrc", "//ours.example/:_authToken=x\nstrict-ssl=false\n");
  EXPECT_EQ(asked(place, access), "https://ours.example/");
  const auto catalog =
      open_catalog(access, {place.environment(), settings(place)}, {}, place / "repo");
  ASSERT_TRUE(catalog.has_value());
  EXPECT_EQ((*catalog)->notes().size(), 2U);
}

TEST(NpmConfig, ThatIsUnusableIsSaid) {
  const Place place;
  const Access access = place.access();
  place.write("home/.npmrc", "registry=nonsense\n");
  EXPECT_EQ(asked(place, access), "CG-REG-005");
  place.write("home/.npmrc", "registry=https://a.example\n" + std::string(300'000, '#'));
  EXPECT_NE(asked(place, access), "https://a.example/");
  place.write("home/.npmrc", "registry=https://a.example\ncafile=" + (place / "nothing.pem"));
  EXPECT_NE(asked(place, access), "https://a.example/");
  RegistryWish offline;
  offline.mode = catalog::Mode::offline;
  EXPECT_EQ(asked(place, access, offline), "https://a.example/");
}

TEST(RegistryPolicyFile, IsStrict) {
  const Place place;
  const Access access = place.access();
  for (const char* bad : {"x: 1\n", "registry: nonsense\n", "- a\n", "schema: other\n", "a: [\n"}) {
    place.write("work/policy/registry.yaml", bad);
    EXPECT_EQ(asked(place, access), "CG-CONFIG-001") << bad;
  }
  place.write("work/policy/registry.yaml",
              "schema: codegenie/registry/v1\nregistry: https://pinned.example/npm\n");
  EXPECT_EQ(asked(place, access), "https://pinned.example/npm/");
}

TEST(OfflineCache, SaysWhereItCameFromWhereNobodyElseDoes) {
  const Place place;
  const Access access = place.access();
  RegistryWish offline;
  offline.mode = catalog::Mode::offline;
  EXPECT_EQ(asked(place, access, offline), "CG-REG-004");
  const catalog::Cache cache(access.workspace.home);
  ASSERT_TRUE(cache.put({"a", "https://one.example/"}, "x").has_value());
  EXPECT_EQ(asked(place, access, offline), "https://one.example/");
  ASSERT_TRUE(cache.put({"a", "https://two.example/"}, "x").has_value());
  EXPECT_EQ(asked(place, access, offline), "CG-REG-004");
}

}  // namespace
}  // namespace cg::supplies
