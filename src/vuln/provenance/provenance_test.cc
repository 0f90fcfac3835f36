#include "vuln/provenance/provenance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npm/lockfile/lock.h"
#include "vuln/provenance/npm_adapter.h"

namespace cg::provenance {
namespace {

using testing::HasSubstr;

/// A lock and the manifests beside it.
class Sample {
 public:
  explicit Sample(const std::string& packages, const std::string& manifest = "{}")
      : graph_(read(packages)), paths_(graph_) {
    manifests_.push_back(*npm::parse_manifest("web/package.json", manifest));
  }

  [[nodiscard]] Provenance at(std::string_view location) const {
    return classify({graph_, paths_, "web", manifests_}, graph_.at(location));
  }

 private:
  static npm::Graph read(const std::string& packages) {
    auto graph = lockfile::read_package_lock(
        npm::LockKind::package_lock, R"({"lockfileVersion": 3, "packages": {)" + packages + "}}",
        nullptr);
    EXPECT_TRUE(graph) << (graph ? "" : graph.error().what);
    return *std::move(graph);
  }

  npm::Graph graph_;
  Paths paths_;
  std::vector<npm::Manifest> manifests_;
};

TEST(Provenance, HasSevenKindsOfWhichFourAreTheApplications) {
  const struct {
    Provenance provenance;
    std::string_view kind;
    std::string words;
    bool app;
  } cases[] = {
      {AppDirect{"package.json", 14}, "app_direct", "asked for by package.json:14", true},
      {AppDirect{"package.json", 0}, "app_direct", "asked for by package.json", true},
      {AppTransitive{{"a@1", "b@2"}}, "app_transitive", "brought by a@1 > b@2", true},
      {AppVendored{"npm@9.8.1"}, "app_vendored", "inside npm@9.8.1", true},
      {Both{"x", "y"}, "both", "x; also y", true},
      {BaseImage{"node:18", "Dockerfile", 2, "/opt/a"}, "base_image",
       "brought by the image node:18 of Dockerfile:2, at /opt/a", false},
      {BaseImage{}, "base_image", "brought by the image", false},
      {RuntimeBundled{"npm", "/usr/lib"}, "runtime_bundled", "part of npm, at /usr/lib", false},
      {Unknown{"no idea"}, "unknown", "unknown: no idea", false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(kind_name(c.provenance), c.kind);
    EXPECT_EQ(describe(c.provenance), c.words);
    EXPECT_EQ(is_app_layer(c.provenance), c.app);
  }
  EXPECT_EQ(describe(Unknown{"\x1b[2J"}).find('\x1b'), std::string::npos);
}

TEST(Npm, WhatAManifestNamesIsDirectWithItsLine) {
  const Sample sample(R"("": {"dependencies": {"a": "1"}}, "node_modules/a": {"version": "1.0.0"})",
                      "{\n\"dependencies\": {\n\"a\": \"1\"}}");
  EXPECT_EQ(sample.at("node_modules/a"), Provenance(AppDirect{"web/package.json", 3}));
}

TEST(Npm, AWorkspacesManifestCountsAsWell) {
  const Sample sample(
      R"("": {"workspaces": ["p/*"]}, "p/x": {"name": "x", "dependencies": {"a": "1"}},
    "node_modules/x": {"resolved": "p/x", "link": true}, "node_modules/a": {"version": "1.0.0"})");
  EXPECT_EQ(sample.at("node_modules/a"), Provenance(AppDirect{"web/p/x/package.json", 0}));
}

TEST(Npm, TheShortestChainIsTold) {
  const Sample sample(R"("": {"dependencies": {"a": "1", "d": "1"}},
    "node_modules/a": {"version": "1.0.0", "dependencies": {"b": "1"}},
    "node_modules/b": {"version": "2.0.0", "dependencies": {"c": "1"}},
    "node_modules/d": {"version": "4.0.0", "dependencies": {"c": "1"}},
    "node_modules/c": {"version": "3.0.0", "dependencies": {"e": "1"}},
    "node_modules/e": {"version": "5.0.0", "dependencies": {"a": "1"}})");
  EXPECT_EQ(sample.at("node_modules/b"), Provenance(AppTransitive{{"a@1.0.0"}}));
  EXPECT_EQ(sample.at("node_modules/c"), Provenance(AppTransitive{{"d@4.0.0"}}));
  EXPECT_EQ(sample.at("node_modules/e"), Provenance(AppTransitive{{"d@4.0.0", "c@3.0.0"}}));
}

TEST(Npm, BundledCopiesBelongToTheirHolder) {
  const Sample sample(R"("": {"dependencies": {"npm": "9"}},
    "node_modules/npm": {"version": "9.8.1", "dependencies": {"tar": "6"}},
    "node_modules/npm/node_modules/tar": {"version": "6.1.0", "inBundle": true,
      "dependencies": {"deep": "1"}},
    "node_modules/npm/node_modules/tar/node_modules/deep": {"version": "1.0.0", "inBundle": true})");
  EXPECT_EQ(sample.at("node_modules/npm"), Provenance(AppDirect{"web/package.json", 0}));
  EXPECT_EQ(sample.at("node_modules/npm/node_modules/tar"), Provenance(AppVendored{"npm@9.8.1"}));
  EXPECT_EQ(sample.at("node_modules/npm/node_modules/tar/node_modules/deep"),
            Provenance(AppVendored{"npm@9.8.1"}));
}

TEST(Npm, WhatTheRootBundlesIsStillItsOwn) {
  const Sample sample(R"("": {"dependencies": {"a": "1"}, "bundleDependencies": ["a"]},
    "node_modules/a": {"version": "1.0.0", "inBundle": true})");
  EXPECT_EQ(kind_name(sample.at("node_modules/a")), "app_direct");
}

TEST(Npm, AShrinkwrapDictatesItsSubtree) {
  const Sample sample(R"("": {"dependencies": {"s": "1"}},
    "node_modules/s": {"version": "1.0.0", "hasShrinkwrap": true, "dependencies": {"t": "1"}},
    "node_modules/s/node_modules/t": {"version": "2.0.0"})");
  EXPECT_EQ(kind_name(sample.at("node_modules/s")), "app_direct");
  EXPECT_EQ(sample.at("node_modules/s/node_modules/t"), Provenance(AppVendored{"s@1.0.0"}));
}

TEST(Npm, AFolderOfTheRepositoryHoldsWhatIsInIt) {
  const Sample sample(R"("": {"dependencies": {"v": "file:vendor/v"}},
    "vendor/v": {"name": "v", "version": "1.0.0", "dependencies": {"w": "1"}},
    "node_modules/v": {"resolved": "vendor/v", "link": true},
    "vendor/v/node_modules/w": {"version": "1.0.0"})");
  EXPECT_EQ(sample.at("vendor/v/node_modules/w"), Provenance(AppVendored{"web/vendor/v"}));
}

TEST(Npm, AFolderBesideTheLocksIsNamedFromTheTop) {
  const Sample sample(R"("": {"dependencies": {"v": "file:../v"}},
    "../v": {"name": "v", "version": "1.0.0", "dependencies": {"w": "1"}},
    "node_modules/v": {"resolved": "../v", "link": true},
    "../v/node_modules/w": {"version": "1.0.0"})");
  EXPECT_EQ(sample.at("../v/node_modules/w"), Provenance(AppVendored{"v"}));
}

TEST(Npm, WhatNobodyAsksForIsUnknown) {
  const Sample sample(R"("": {}, "node_modules/a": {"version": "1.0.0", "extraneous": true},
    "node_modules/b": {"version": "1.0.0"})");
  EXPECT_THAT(describe(sample.at("node_modules/a")), HasSubstr("extraneous"));
  EXPECT_THAT(describe(sample.at("node_modules/b")), HasSubstr("no manifest"));
  EXPECT_THAT(describe(sample.at("node_modules/none")), HasSubstr("no such copy"));
  EXPECT_THAT(describe(sample.at("")), HasSubstr("itself"));
}

TEST(Npm, AliasesAreLabelledByTheirRealName) {
  const Sample sample(R"("": {"dependencies": {"nick": "npm:real@1"}},
    "node_modules/nick": {"name": "real", "version": "1.0.0", "dependencies": {"b": "1"}},
    "node_modules/b": {"version": "1.0.0"})");
  EXPECT_EQ(sample.at("node_modules/b"), Provenance(AppTransitive{{"real@1.0.0"}}));
}

}  // namespace
}  // namespace cg::provenance
