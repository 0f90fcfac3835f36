#include <gtest/gtest.h>

#include "npm/lockfile/lock_lines.h"
#include "npm/lockfile/pnpm_key.h"
#include "support/support.h"

namespace cg::lockfile {
namespace {

using Kind = LockError::Kind;
using test::edges;
using test::Lines;
using test::nodes;

Graph graph_of_pnpm(const std::string& text) {
  auto lock = read_pnpm_lock(text);
  if (!lock) {
    ADD_FAILURE() << lock.error().what << " in line " << lock.error().at.line;
    return *read_pnpm_lock("lockfileVersion: '9.0'\n");
  }
  return *std::move(lock);
}

const std::string kNine =
    "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n\ncatalogs:\n  default:\n"
    "    a:\n      specifier: ^1.0.0\n      version: 1.0.0\n\n"
    "importers:\n\n"
    "  packages/w:\n    dependencies:\n      root:\n        specifier: workspace:*\n"
    "        version: link:../..\n      outside:\n        specifier: link:../../../o\n"
    "        version: link:../../../o\n"
    "  .:\n    dependencies:\n      a:\n        specifier: 'catalog:'\n        version: 1.0.0\n"
    "      '@s/alias':\n        specifier: npm:real@^2.0.0\n        version: real@2.0.0(a@1.0.0)\n"
    "      w:\n        specifier: workspace:^\n        version: link:packages/w\n"
    "    devDependencies:\n      d:\n        specifier: ^3.0.0\n        version: 3.0.0\n"
    "    optionalDependencies:\n      o:\n        specifier: ^4.0.0\n        version: 4.0.0\n"
    "\npackages:\n\n"
    "  a@1.0.0:\n    resolution: {integrity: sha512-AA==}\n    engines: {node: '>=12'}\n\n"
    "  real@2.0.0:\n    resolution: {integrity: sha512-BB==}\n    peerDependencies:\n"
    "      a: '*'\n      x: ^1\n      y: ^2\n    peerDependenciesMeta:\n      x:\n"
    "        optional: true\n\n"
    "  d@3.0.0:\n    resolution: {integrity: sha512-CC==}\n\n"
    "  o@4.0.0:\n    resolution: {integrity: sha512-DD==}\n\n"
    "  t@https://host.example/t.tgz:\n    resolution: {tarball: https://host.example/t.tgz}\n"
    "    version: 5.0.0\n\n"
    "  g@git+https://host.example/g.git#0123:\n"
    "    resolution: {commit: '0123', repo: https://host.example/g.git, type: git}\n"
    "    version: 6.0.0\n\n"
    "  f@file:local/f:\n    resolution: {directory: local/f, type: directory}\n\n"
    "  unused@7.0.0:\n    resolution: {integrity: sha512-EE==}\n"
    "\nsnapshots:\n\n"
    "  a@1.0.0: {}\n\n"
    "  real@2.0.0(a@1.0.0):\n    dependencies:\n      a: 1.0.0\n"
    "      t: https://host.example/t.tgz\n\n"
    "  d@3.0.0:\n    dependencies:\n      g: git+https://host.example/g.git#0123\n"
    "      f: file:local/f\n    optionalDependencies:\n      o: 4.0.0\n      gone: 1.0.0\n\n"
    "  o@4.0.0: {}\n\n"
    "  t@https://host.example/t.tgz: {}\n\n"
    "  g@git+https://host.example/g.git#0123: {}\n\n"
    "  f@file:local/f: {}\n";

TEST(PnpmLock, ReadsVersionNine) {
  const Graph lock = graph_of_pnpm(kNine);
  EXPECT_EQ(lock.kind(), LockKind::pnpm);
  EXPECT_EQ(lock.lock_version(), "9.0");
  EXPECT_EQ(lock.importers(), (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(
      nodes(lock),
      (Lines{".: @ root", "packages/w: @ workspace", "a@1.0.0: a@1.0.0 registry",
             "real@2.0.0(a@1.0.0): @s/alias=real@2.0.0 registry", "d@3.0.0: d@3.0.0 registry dev",
             "o@4.0.0: o@4.0.0 registry optional", "t@https://host.example/t.tgz: t@5.0.0 tarball",
             "g@git+https://host.example/g.git#0123: g@6.0.0 git dev",
             "f@file:local/f: f@ directory dev", "unused@7.0.0: unused@7.0.0 registry extraneous",
             "link:../o: outside@ link"}));
  EXPECT_EQ(
      edges(lock),
      (Lines{". > a catalog:: a@1.0.0", ". > @s/alias npm:real@^2.0.0: real@2.0.0(a@1.0.0)",
             ". > w workspace:^: packages/w", ". > d ^3.0.0: d@3.0.0 dev",
             ". > o ^4.0.0: o@4.0.0 optional", "packages/w > root workspace:*: .",
             "packages/w > outside link:../../../o: link:../o",
             "real@2.0.0(a@1.0.0) > a *: a@1.0.0 peer",
             "real@2.0.0(a@1.0.0) > t https://host.example/t.tgz: "
             "t@https://host.example/t.tgz",
             "real@2.0.0(a@1.0.0) > x ^1: nothing peer_optional",
             "real@2.0.0(a@1.0.0) > y ^2: nothing peer",
             "d@3.0.0 > g git+https://host.example/g.git#0123: "
             "g@git+https://host.example/g.git#0123",
             "d@3.0.0 > f file:local/f: f@file:local/f", "d@3.0.0 > o 4.0.0: o@4.0.0 optional",
             "d@3.0.0 > gone 1.0.0: nothing optional"}));
}

TEST(PnpmLock, KnowsWhereThingsAre) {
  const Graph lock = graph_of_pnpm(kNine);
  const auto text = [&](const Span& span) {
    return std::string(lock.text().substr(span.begin, span.end - span.begin));
  };
  const Node& real = lock.node(lock.at("real@2.0.0(a@1.0.0)"));
  EXPECT_EQ(text(real.version_at), "2.0.0");
  EXPECT_EQ(text(real.entry),
            "real@2.0.0(a@1.0.0):\n    dependencies:\n      a: 1.0.0\n"
            "      t: https://host.example/t.tgz");
  EXPECT_EQ(real.integrity, "sha512-BB==");
  const Node& git = lock.node(lock.at("g@git+https://host.example/g.git#0123"));
  EXPECT_EQ(text(git.version_at), "6.0.0");
  EXPECT_EQ(git.resolved, "https://host.example/g.git#0123");
  EXPECT_EQ(text(lock.node(lock.at("a@1.0.0")).entry), "a@1.0.0: {}");
}

TEST(PnpmLock, ReadsVersionFiveOfOneProject) {
  const Graph lock = graph_of_pnpm(
      "lockfileVersion: 5.4\n\nspecifiers:\n  '@s/p': ^1.0.0\n  d: ^2.0.0\n  al: npm:real@^3\n\n"
      "dependencies:\n  '@s/p': 1.0.0_x@9.0.0+y@8.0.0\n  al: /real/3.0.0\n\n"
      "devDependencies:\n  d: 2.0.0\n\npackages:\n\n"
      "  /@s/p/1.0.0_x@9.0.0+y@8.0.0:\n    resolution: {integrity: sha512-AA==}\n"
      "    dependencies:\n      git_one: host.example/u/git_one/abc\n    dev: false\n\n"
      "  /d/2.0.0:\n    resolution: {integrity: sha512-BB==}\n    requiresBuild: true\n"
      "    dev: true\n\n"
      "  /real/3.0.0:\n    resolution: {integrity: sha512-CC==}\n    dev: false\n"
      "    optional: true\n\n"
      "  host.example/u/git_one/abc:\n"
      "    resolution: {tarball: https://host.example/u/git_one/tar.gz/abc}\n"
      "    name: git_one\n    version: 0.1.0\n    dev: false\n");
  EXPECT_EQ(lock.lock_version(), "5.4");
  EXPECT_EQ(nodes(lock), (Lines{".: @ root", "/@s/p/1.0.0_x@9.0.0+y@8.0.0: @s/p@1.0.0 registry",
                                "/d/2.0.0: d@2.0.0 registry dev script",
                                "/real/3.0.0: al=real@3.0.0 registry optional",
                                "host.example/u/git_one/abc: git_one@0.1.0 tarball"}));
  EXPECT_EQ(edges(lock), (Lines{". > @s/p ^1.0.0: /@s/p/1.0.0_x@9.0.0+y@8.0.0",
                                ". > al npm:real@^3: /real/3.0.0", ". > d ^2.0.0: /d/2.0.0 dev",
                                "/@s/p/1.0.0_x@9.0.0+y@8.0.0 > git_one "
                                "host.example/u/git_one/abc: host.example/u/git_one/abc"}));
}

TEST(PnpmLock, ReadsVersionSix) {
  const Graph lock = graph_of_pnpm(
      "lockfileVersion: '6.0'\n\nimporters:\n  .:\n    dependencies:\n      a:\n"
      "        specifier: ^1.0.0\n        version: 1.0.0(b@2.0.0)\n"
      "      al:\n        specifier: npm:@s/r@2\n        version: /@s/r@2.0.0\n\npackages:\n\n"
      "  /a@1.0.0(b@2.0.0):\n    resolution: {integrity: sha512-AA==}\n    dependencies:\n"
      "      b: 2.0.0\n\n  /b@2.0.0:\n    resolution: {integrity: sha512-BB==}\n    dev: false\n\n"
      "  /@s/r@2.0.0:\n    resolution: {integrity: sha512-CC==}\n");
  EXPECT_EQ(nodes(lock),
            (Lines{".: @ root", "/a@1.0.0(b@2.0.0): a@1.0.0 registry", "/b@2.0.0: b@2.0.0 registry",
                   "/@s/r@2.0.0: al=@s/r@2.0.0 registry"}));
  EXPECT_EQ(edges(lock), (Lines{". > a ^1.0.0: /a@1.0.0(b@2.0.0)", ". > al npm:@s/r@2: /@s/r@2.0.0",
                                "/a@1.0.0(b@2.0.0) > b 2.0.0: /b@2.0.0"}));
}

TEST(PnpmLock, PassesOverTheDocumentOfPnpmItself) {
  const std::string own =
      "---\nlockfileVersion: '9.0'\nimporters:\n  .:\n    configDependencies: {}\n"
      "    packageManagerDependencies:\n      pnpm:\n        specifier: 11.0.0\n"
      "        version: 11.0.0\npackages:\n  pnpm@11.0.0:\n    resolution: {integrity: x}\n"
      "snapshots:\n  pnpm@11.0.0: {}\n";
  EXPECT_EQ(nodes(graph_of_pnpm(own + "---\n" + kNine)), nodes(graph_of_pnpm(kNine)));
  const auto twice = read_pnpm_lock("---\n" + kNine + "---\n" + kNine);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().kind, Kind::shape);
}

TEST(PnpmLock, RefusesWhatItDoesNotKnow) {
  const struct {
    std::string text;
    Kind kind;
    std::string what;
  } cases[] = {
      {"", Kind::version, "no lockfileVersion: the text is empty"},
      {"a: 1\n", Kind::version, "no lockfileVersion"},
      {"lockfileVersion: 4\n", Kind::version, "lockfileVersion 4 is not read: 5, 6 and 9 are"},
      {"lockfileVersion: '10.0'\n", Kind::version,
       "lockfileVersion 10.0 is not read: 5, 6 and 9 are"},
      {"lockfileVersion: '90'\n", Kind::version, "lockfileVersion 90 is not read: 5, 6 and 9 are"},
      {"lockfileVersion: [9]\n", Kind::shape, "lockfileVersion is not a text"},
      {"- a\n", Kind::shape, "the lockfile is not a mapping"},
      {"lockfileVersion: '9.0'\npackages: []\n", Kind::shape, "packages is not a mapping"},
      {"lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: x\n", Kind::shape,
       "resolution is not a mapping"},
      {"lockfileVersion: '6.0'\npackages:\n  /a@1.0.0:\n    dev: 1\n", Kind::shape,
       "dev is neither true nor false"},
      {"lockfileVersion: '9.0'\nsnapshots:\n  x: {}\n", Kind::shape, "`x` names no package"},
      {"lockfileVersion: '9.0'\nimporters:\n  a: {}\n  ./a: {}\n", Kind::shape,
       "the importer `./a` is there twice"},
      {"lockfileVersion: '9.0'\npackages:\n  a@1.0.0: {}\n  a@1.0.0: {}\n", Kind::syntax,
       "duplicate key `a@1.0.0`"},
      {"lockfileVersion: &x '9.0'\n", Kind::syntax, "not allowed here: an anchor"},
      {"<<<<<<< ours\nlockfileVersion: '9.0'\n", Kind::syntax, "`: ` in a scalar of several lines"},
      {"lockfileVersion: '9.0'\n\xff", Kind::syntax, "not UTF-8"},
      {std::string(kMaxLockBytes + 1, ' '), Kind::too_large, "more than 64 MiB"},
  };
  for (const auto& c : cases) {
    const auto lock = read_pnpm_lock(c.text);
    ASSERT_FALSE(lock) << c.what;
    EXPECT_EQ(lock.error().what, c.what);
    EXPECT_EQ(lock.error().kind, c.kind) << c.what;
  }
}

TEST(PnpmKey, SaysWhatIsInstalled) {
  using enum PnpmFormat;
  const struct {
    PnpmFormat format;
    std::string key;
    std::string name;
    std::string version;
  } cases[] = {
      {v5, "/a/1.0.0", "a", "1.0.0"},
      {v5, "/@s/a_b/1.0.0_x@2.0.0", "@s/a_b", "1.0.0"},
      {v5, "/a/1.0.0_@types+babel__core@7.1.14", "a", "1.0.0"},
      {v5, "host.example/@s/a/1.1.0", "@s/a", "1.1.0"},
      {v5, "host.example/u/r/0123abc", "", ""},
      {v5, "file:../a", "", ""},
      {v5, "/a/b", "", ""},
      {v6, "/a@1.0.0", "a", "1.0.0"},
      {v6, "/@s/a@1.0.0-rc.1(b@2.0.0(c@3.0.0))(d@4.0.0)", "@s/a", "1.0.0-rc.1"},
      {v6, "host.example/u/r/0123", "", ""},
      {v9, "a@1.0.0(patch_hash=abc)(b@1.0.0)", "a", "1.0.0"},
      {v9, "@s/a@1.0.0", "@s/a", "1.0.0"},
      {v9, "a@https://host.example/a(1).tgz", "a", ""},
      {v9, "a", "", ""},
      {v9, "@s", "", ""},
      {v9, "@1.0.0", "", ""},
      {v9, "a@1.0.0)", "a", "1.0.0)"},
  };
  for (const auto& c : cases) {
    const PnpmKey key = parse_pnpm_key(c.format, c.key);
    EXPECT_EQ(key.name, c.name) << c.key;
    EXPECT_EQ(key.version, c.version) << c.key;
  }
  EXPECT_EQ(join_path("packages/a", "../b"), "packages/b");
  EXPECT_EQ(join_path("packages/a", "../.."), ".");
  EXPECT_EQ(join_path(".", "../../x/./y"), "../../x/y");
}

Result<Graph, LockError> read_lock_text(const std::string& text) { return read_pnpm_lock(text); }

TEST(PnpmLock, SurvivesDamage) {
  test::damage(kNine, read_lock_text);
  for (std::size_t n = 0; n < kNine.size(); ++n)
    test::expect_no_crash(kNine.substr(0, n), read_lock_text);
}

TEST(PnpmLock, RealOnesSurviveDamage) {
  const auto data = cg::test::data_dir();
  if (!data) GTEST_SKIP() << cg::test::kNoData;
  test::damage(cg::test::read(*data / "repos/typicode__json-server/pnpm-lock.yaml"),
               read_lock_text);
  test::damage(cg::test::read(*data / "repos/windicss__windicss/pnpm-lock.yaml"), read_lock_text);
}

}  // namespace
}  // namespace cg::lockfile
