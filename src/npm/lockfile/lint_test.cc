#include "npm/lockfile/lint.h"

#include <gtest/gtest.h>

#include <map>

#include "npm/lockfile/elsewhere.h"
#include "npm/lockfile/lock.h"

namespace cg::lockfile {
namespace {

Lint lint_of(const std::string& entry, const std::string& spec = "^1.0.0") {
  auto graph =
      read_package_lock(LockKind::package_lock,
                        R"({"lockfileVersion":3,"packages":{"":{"dependencies":{"a":")" + spec +
                            R"("}},"node_modules/a":{"version":"1.0.0",)" + entry + "}}}",
                        nullptr);
  EXPECT_TRUE(graph.has_value());
  return lint(*graph);
}

const std::string kHash = R"("integrity":"sha512-AA==")";

TEST(Lint, AnHonestEntryPasses) {
  const Lint lint = lint_of(R"("resolved":"https://registry.example/a/-/a-1.0.0.tgz",)" + kHash);
  EXPECT_TRUE(lint.lies.empty());
  EXPECT_TRUE(lint.weak.empty());
}

TEST(Lint, AnotherPackagesTarballIsALie) {
  EXPECT_EQ(
      lint_of(R"("resolved":"https://registry.example/b/-/b-1.0.0.tgz",)" + kHash).lies.size(), 1U);
  EXPECT_EQ(lint_of(R"("resolved":"https://files.example/b-1.0.0.tgz",)" + kHash).lies.size(), 1U);
}

TEST(Lint, AnAddressThatWasAskedForIsNone) {
  const std::string url = "https://files.example/b-1.0.0.tgz";
  EXPECT_TRUE(lint_of(R"("resolved":")" + url + "\"," + kHash, url).lies.empty());
}

TEST(Lint, PlainHttpNeedsAnIntegrity) {
  const std::string plain = R"("resolved":"http://registry.example/a/-/a-1.0.0.tgz")";
  EXPECT_EQ(lint_of(plain).lies.size(), 1U);
  const Lint checked = lint_of(plain + "," + kHash);
  EXPECT_TRUE(checked.lies.empty());
  EXPECT_EQ(checked.weak.size(), 1U);
}

TEST(Lint, OnlyThisMachineItselfMayUsePlainHttpWithoutOne) {
  const auto lies = [](const std::string& start) {
    return lint_of(R"("resolved":")" + start + R"(/a/-/a-1.0.0.tgz")").lies.size();
  };
  EXPECT_EQ(lies("http://127.0.0.1:4873"), 0U);
  EXPECT_EQ(lies("http://localhost"), 0U);
  for (const std::string start : {"http://127.0.0.1.evil.example", "http://localhost.evil.example",
                                  "http://[::1].evil.example", "http://127.0.0.1@evil.example",
                                  "HTTP://evil.example", "http:evil.example"}) {
    EXPECT_EQ(lies(start), 1U) << start;
  }
}

using Where = Elsewhere::Kind;

/// Of every package that has one, by its name.
std::map<std::string, Elsewhere> all(const Graph& graph, std::string_view folder = "") {
  std::map<std::string, Elsewhere> out;
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    if (auto found = elsewhere(graph, id, folder)) {
      out.emplace(std::string(graph.node(id).name), *std::move(found));
    }
  }
  return out;
}

Graph npm_lock(const std::string& root, const std::string& packages) {
  auto graph = read_package_lock(LockKind::package_lock,
                                 R"({"lockfileVersion": 3, "packages": {"": {"dependencies": {)" +
                                     root + "}}, " + packages + "}}",
                                 nullptr);
  EXPECT_TRUE(graph.has_value()) << graph.error().what;
  return *std::move(graph);
}

TEST(Elsewhere, TellsAddressesOfNpmApart) {
  const Graph graph = npm_lock(
      R"("a": "^1", "b": "https://Files.Example:443/b.tgz", "c": "https://files.example:8443/c.tgz",
         "d": "http://files.example/d.tgz", "e": "github:u/e", "f": "file:f.tgz",
         "g": "https://git.example/u/g/releases/download/v1/g.tgz", "h": "file:../../h.tgz",
         "i": "https://git.example/u/i.git", "j": "https://user@files.example/j.tgz")",
      R"("node_modules/a": {"version": "1.0.0", "resolved": "https://registry.example/a/-/a-1.0.0.tgz"},
         "node_modules/b": {"version": "1.0.0", "resolved": "https://Files.Example:443/b.tgz", "integrity": "sha512-x"},
         "node_modules/c": {"version": "1.0.0", "resolved": "https://files.example:8443/c.tgz"},
         "node_modules/d": {"version": "1.0.0", "resolved": "http://files.example/d.tgz", "integrity": "sha512-x"},
         "node_modules/e": {"version": "1.0.0", "resolved": "git+ssh://git@github.com/u/e.git#0123"},
         "node_modules/f": {"version": "1.0.0", "resolved": "file:f.tgz", "integrity": "sha512-x"},
         "node_modules/g": {"version": "1.0.0", "resolved": "https://git.example/u/g/releases/download/v1/g.tgz", "integrity": "sha512-x"},
         "node_modules/h": {"version": "1.0.0", "resolved": "file:../../h.tgz", "integrity": "sha512-x"},
         "node_modules/i": {"version": "1.0.0", "resolved": "git+https://git.example/u/i.git#0123", "integrity": "sha512-x"},
         "node_modules/j": {"version": "1.0.0", "resolved": "https://user@files.example/j.tgz", "integrity": "sha512-x"})");
  const auto found = all(graph, "packages/shop");
  EXPECT_FALSE(found.contains("a"));
  EXPECT_EQ(found.at("b").kind, Where::archive);
  EXPECT_EQ(found.at("b").host, "files.example");
  EXPECT_EQ(found.at("c").kind, Where::unpinned);
  EXPECT_EQ(found.at("c").host, "files.example:8443");
  EXPECT_EQ(found.at("d").kind, Where::plain);
  EXPECT_EQ(found.at("e").kind, Where::git);
  EXPECT_EQ(found.at("f").kind, Where::local);
  EXPECT_EQ(found.at("g").kind, Where::archive)
      << "the shape of a registry, but asked for as it is";
  EXPECT_EQ(found.at("h").kind, Where::local) << "two folders up is still in the repository";
  EXPECT_EQ(found.at("i").kind, Where::git);
  EXPECT_EQ(found.at("j").kind, Where::plain) << "no address that we read";
  EXPECT_EQ(all(graph, "shop").at("h").kind, Where::outside);
}

TEST(Elsewhere, FollowsFoldersOutOfTheRepository) {
  const Graph graph = npm_lock(
      R"("in": "file:vendor/in", "out": "file:../out")",
      R"("node_modules/in": {"resolved": "vendor/in", "link": true}, "vendor/in": {"version": "1.0.0", "name": "in"},
         "node_modules/out": {"resolved": "../out", "link": true}, "../out": {"version": "1.0.0", "name": "out"})");
  const auto found = all(graph);
  EXPECT_EQ(found.at("in").kind, Where::local);
  EXPECT_EQ(found.at("out").kind, Where::outside);
}

TEST(Elsewhere, ReadsLocksOfYarn) {
  const auto graph = read_yarn_lock(
      R"(# yarn lockfile v1

"a@https://files.example/a.tgz":
  version "1.0.0"
  resolved "https://files.example/a.tgz#0123456789012345678901234567890123456789"

"b@github:u/b":
  version "1.0.0"
  resolved "https://codeload.github.com/u/b/tar.gz/0123456789012345678901234567890123456789"

"c@git+ssh://git@git.example/u/c.git":
  version "1.0.0"
  resolved "git+ssh://git@git.example/u/c.git#0123456789012345678901234567890123456789"

"d@file:./d.tgz":
  version "1.0.0"
  resolved "file:./d.tgz#0123456789012345678901234567890123456789"
)",
      {});
  ASSERT_TRUE(graph.has_value()) << graph.error().what;
  const auto found = all(*graph);
  EXPECT_EQ(found.at("a").kind, Where::archive);
  EXPECT_EQ(found.at("b").kind, Where::unpinned);
  EXPECT_EQ(found.at("b").host, "codeload.github.com");
  EXPECT_EQ(found.at("c").kind, Where::git) << "a commit is no digest of an archive";
  EXPECT_EQ(found.at("d").kind, Where::local);
}

TEST(Elsewhere, ReadsLocksOfPnpm) {
  const auto graph = read_pnpm_lock(R"(lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a:
        specifier: https://files.example/a.tgz
        version: https://files.example/a.tgz
      b:
        specifier: github:u/b
        version: https://codeload.github.com/u/b/tar.gz/0123
      c:
        specifier: link:../c
        version: link:../c
packages:
  a@https://files.example/a.tgz:
    resolution: {integrity: sha512-x, tarball: https://files.example/a.tgz}
    version: 1.0.0
  b@https://codeload.github.com/u/b/tar.gz/0123:
    resolution: {tarball: https://codeload.github.com/u/b/tar.gz/0123}
    version: 1.0.0
snapshots:
  a@https://files.example/a.tgz: {}
  b@https://codeload.github.com/u/b/tar.gz/0123: {}
)");
  ASSERT_TRUE(graph.has_value()) << graph.error().what;
  const auto found = all(*graph);
  EXPECT_EQ(found.at("a").kind, Where::archive);
  EXPECT_EQ(found.at("b").kind, Where::unpinned);
  EXPECT_EQ(found.at("c").kind, Where::outside);
}

TEST(Elsewhere, ReadsNoHostThatIsOnlyNearlyOne) {
  EXPECT_EQ(https_host("https://A.example/x"), "a.example");
  EXPECT_EQ(https_host("https://[::1]:8443/x"), "[::1]:8443");
  for (const char* url :
       {"http://a.example/x", "https:/a.example/x", "https://a@b.example/x", "https://a.example",
        "https:///x", "https://a.example/x?y", "https://a\\b/x", "HTTPS://a/x"}) {
    EXPECT_EQ(https_host(url), std::nullopt) << url;
  }
}

}  // namespace
}  // namespace cg::lockfile
