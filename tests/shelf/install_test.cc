// Real package managers install what their locks say from a shelf, in a network that has
// nothing else, whatever the repository's own settings want.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fetch/catalog/shelf.h"
#include "fetch/catalog/tarball.h"
#include "npm/lockfile/lock.h"
#include "shelf/bench.h"
#include "traps/registry_process.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kNeutral = "https://registry.example/";
constexpr const char* kManifest = R"({
  "name": "fixture", "version": "1.0.0", "private": true, "license": "MIT",
  "scripts": {"postinstall": "node -e \"require('fs').writeFileSync('script-ran', '')\""},
  "dependencies": {
    "dates": "npm:tinyshop-calendar@1.0.0", "tinyshop-router": "^3.0.0",
    "@tinyshop/template": "*", "tinyshop-native": "*", "tinyshop-hash": "*"
  },
  "devDependencies": {"tinyshop-kiosk": "*"}
}
)";

/// Everything in a repository's files that could lead an installer elsewhere. Nobody
/// listens on port 9.
constexpr const char* kHostileNpmrc =
    "registry=http://127.0.0.1:9/\n@tinyshop:registry=http://127.0.0.1:9/\n"
    "proxy=http://127.0.0.1:9/\nhttps-proxy=http://127.0.0.1:9/\nignore-scripts=false\n"
    "omit[]=dev\ndry-run=true\noffline=true\npackage-lock=false\nglobal=true\n"
    "replace-registry-host=never\ncache=/nonexistent\nscript-shell=/nonexistent\naudit=true\n"
    "store-dir=/nonexistent\nlockfile=false\n";
constexpr const char* kHostileYarnrc =
    "registry \"http://127.0.0.1:9/\"\nyarn-path \"/nonexistent.js\"\n"
    "yarn-offline-mirror \"/nonexistent\"\n--install.ignore-scripts false\n"
    "--install.production true\n\"@tinyshop:registry\" \"http://127.0.0.1:9/\"\n";
constexpr const char* kPlainBerry = "nodeLinker: node-modules\n";
constexpr const char* kHostileBerry =
    "nodeLinker: node-modules\nnpmRegistryServer: \"http://127.0.0.1:9/\"\n"
    "yarnPath: \"/nonexistent.js\"\nenableScripts: true\nhttpProxy: \"http://127.0.0.1:9/\"\n"
    "httpsProxy: \"http://127.0.0.1:9/\"\nenableNetwork: false\nunsafeHttpWhitelist: []\n"
    "npmScopes:\n  tinyshop:\n    npmRegistryServer: \"http://127.0.0.1:9/\"\n";

struct Case {
  std::string manager;
  std::string lock;  // for npm: the version of the lock, or "bare" without `resolved`
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.manager << " " << c.lock; }

/// npm leaves out what lies inside of another package.
std::size_t packages_of(const Case& c) { return c.manager.starts_with("npm") ? 11 : 12; }

bool is_berry(const std::string& manager) {
  return manager.starts_with("yarn") && manager != "yarn1";
}

std::string lock_name(const std::string& manager) {
  if (manager.starts_with("npm")) return "package-lock.json";
  return manager.starts_with("yarn") ? "yarn.lock" : "pnpm-lock.yaml";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

class Bench {
 public:
  Bench() { fs::create_directories(scratch_.path() / "home"); }

  /// A repository whose lock was written by `manager` itself, with a neutral host in it.
  void make_repository(const Case& c) {
    const fs::path folder = scratch_ / "repo";
    fs::create_directories(folder);
    write(folder / "package.json", kManifest);
    if (is_berry(c.manager)) {
      write(folder / ".yarnrc.yml", kPlainBerry);
      write(folder / "yarn.lock", "");
    }
    const catalog::Tools tools = tools_with(c.manager);
    const Ran ran = run(locking(c, tools), lock_environment());
    ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
    fs::remove_all(folder / "node_modules");
    fs::remove_all(folder / ".yarn");
    fs::remove(folder / "script-ran");
    std::string lock = read(folder / lock_name(c.manager));
    replace_all(lock, upstream_.url() + "/", kNeutral);
    write(folder / lock_name(c.manager), lock);
  }

  npm::Graph graph(const Case& c) {
    const std::string name = lock_name(c.manager);
    const std::string text = read(scratch_ / ("repo/" + name));
    std::vector<npm::Manifest> manifests;
    manifests.push_back(*npm::parse_manifest("", kManifest));
    auto found = lockfile::read_lock(*lockfile::lock_kind_of(name), text, manifests);
    EXPECT_TRUE(found.has_value()) << found.error().what;
    return *std::move(found);
  }

  Result<catalog::Stock, Problem> stock(const Case& c, catalog::Mode mode = catalog::Mode::online) {
    const auto catalog = open_catalog(home_(), upstream_.url(), mode);
    const npm::Graph found = graph(c);
    return catalog::take_stock(*catalog, {&found});
  }

  catalog::Shelf lay(const catalog::Stock& stock) {
    const os::Dir folder = *os::Dir::make(scratch_ / "shelf");
    auto shelf = catalog::lay_shelf(home_(), stock, folder);
    EXPECT_TRUE(shelf.has_value());
    return *std::move(shelf);
  }

  /// A copy of the repository, at `tree`.
  void copy_repository(const std::string& tree) {
    fs::copy(scratch_ / "repo", scratch_ / tree, fs::copy_options::recursive);
  }

  catalog::Install plan(const Case& c, const std::string& tree, const catalog::Shelf& shelf,
                        const std::vector<std::string>& scripts = {}) {
    catalog::Place place;
    place.mirror = shelf.mirror;
    place.tree = scratch_ / tree;
    place.scratch = scratch_ / (tree + "-tmp");
    fs::create_directories(place.scratch + "/home");
    const fs::path yarnrc = scratch_ / (tree + "/.yarnrc.yml");
    const catalog::Project project =
        catalog::project_of(graph(c), fs::exists(yarnrc) ? read(yarnrc) : "");
    auto planned = catalog::plan_install(project, tools_with(c.manager), place, scripts);
    EXPECT_TRUE(planned.has_value()) << planned.error();
    for (const auto& [name, bytes] : planned->files) write(scratch_ / (tree + "/" + name), bytes);
    return *std::move(planned);
  }

  Ran run_there(const catalog::Command& command, const std::string& tree,
                const catalog::Shelf& shelf) {
    return run_apart(command, scratch_ / tree, shelf.registry);
  }

  ScratchDir scratch_;

 private:
  std::vector<std::string> lock_environment() {
    const std::string url = upstream_.url() + "/";
    return {"HOME=" + (scratch_ / "home"),
            "YARN_NPM_REGISTRY_SERVER=" + url,
            "YARN_UNSAFE_HTTP_WHITELIST=127.0.0.1",
            "YARN_ENABLE_TELEMETRY=0",
            "YARN_ENABLE_SCRIPTS=0",
            "YARN_IGNORE_PATH=1",
            "YARN_GLOBAL_FOLDER=" + (scratch_ / "home/yarn"),
            "YARN_ENABLE_IMMUTABLE_INSTALLS=false",
            "npm_config_registry=" + url};
  }

  std::vector<std::string> locking(const Case& c, const catalog::Tools& tools) {
    const std::string folder = scratch_ / "repo";
    std::string line = "cd '" + folder + "' && exec \"$@\"";
    std::vector<std::string> argv = {"/bin/sh", "-c", line, "sh"};
    const auto add = [&](const std::vector<std::string>& more) {
      argv.insert(argv.end(), more.begin(), more.end());
    };
    const std::string registry = "--registry=" + upstream_.url() + "/";
    if (c.manager.starts_with("npm")) {
      add(tools.npm->argv);
      add({"install", "--package-lock-only", "--ignore-scripts", "--no-audit", registry});
      if (c.lock == "bare") add({"--omit-lockfile-registry-resolved"});
      add({"--lockfile-version=" + (c.lock == "bare" ? "3" : c.lock)});
    } else if (c.manager == "yarn1") {
      add(tools.yarn->argv);
      add({"install", "--ignore-scripts", "--registry", upstream_.url() + "/"});
    } else if (is_berry(c.manager)) {
      add(tools.yarn->argv);
      add({"install"});
    } else {
      add(tools.pnpm->argv);
      add({"install", "--lockfile-only", "--ignore-scripts", registry});
    }
    return argv;
  }

  const os::Dir& home_() {
    if (!home_folder_) {
      home_folder_ = std::make_unique<os::Dir>(*os::Dir::make(scratch_ / "workspace"));
    }
    return *home_folder_;
  }

  RegistryProcess upstream_{std::string(CG_SOURCE_DIR) + "/examples/registry/serve.mjs"};
  std::unique_ptr<os::Dir> home_folder_;
};

void expect_complete(Bench& bench, const std::string& tree) {
  const std::string script =
      "for (const n of ['dates', 'tinyshop-router', '@tinyshop/template', 'tinyshop-native', "
      "'tinyshop-hash', 'tinyshop-kiosk']) require(n);";
  const std::string at = bench.scratch_ / tree;
  const Ran loaded = run({"/bin/sh", "-c", "cd '" + at + "' && node -e \"" + script + "\""});
  EXPECT_EQ(loaded.exit, 0) << loaded.err;
  EXPECT_FALSE(fs::exists(at + "/script-ran")) << "a script ran";
}

void expect_npm_agrees(Bench& bench, const Case& c, const std::string& tree) {
  const catalog::Tools tools = tools_with(c.manager);
  const std::string line =
      "cd '" + (bench.scratch_ / tree) + "' && rm -f .npmrc && exec \"$@\" ls --all";
  const Ran listed = run({"/bin/sh", "-c", line, "sh", tools.npm->argv[0], tools.npm->argv[1]});
  EXPECT_EQ(listed.exit, 0) << listed.out << listed.err;
}

class Installs : public testing::TestWithParam<Case> {};

TEST_P(Installs, FromTheShelfAloneWhateverTheRepositorySays) {
  const Case& c = GetParam();
  Bench bench;
  bench.make_repository(c);
  if (HasFatalFailure()) return;
  const auto stock = bench.stock(c);
  ASSERT_TRUE(stock.has_value()) << stock.error().what;
  for (const catalog::Missing& missing : stock->missing) ADD_FAILURE() << describe(missing);
  EXPECT_EQ(stock->held.size(), packages_of(c));
  EXPECT_EQ(stock->unpinned.empty(), !is_berry(c.manager));
  const catalog::Shelf shelf = bench.lay(*stock);
  EXPECT_THAT(shelf.notes, IsEmpty());

  bench.copy_repository("plain");
  const Ran plain = bench.run_there(bench.plan(c, "plain", shelf).install, "plain", shelf);
  EXPECT_EQ(plain.exit, 0) << plain.out;
  expect_complete(bench, "plain");
  if (c.manager.starts_with("npm")) expect_npm_agrees(bench, c, "plain");

  bench.copy_repository("hostile");
  write(bench.scratch_ / "hostile/.npmrc", kHostileNpmrc);
  write(bench.scratch_ / "hostile/.yarnrc", kHostileYarnrc);
  if (is_berry(c.manager)) write(bench.scratch_ / "hostile/.yarnrc.yml", kHostileBerry);
  const catalog::Install plan = bench.plan(c, "hostile", shelf, {"tinyshop-native"});
  const Ran hostile = bench.run_there(plan.install, "hostile", shelf);
  EXPECT_EQ(hostile.exit, 0) << hostile.out;
  expect_complete(bench, "hostile");
  const Ran rebuilt = bench.run_there(*plan.rebuild, "hostile", shelf);
  EXPECT_EQ(rebuilt.exit, 0) << rebuilt.out;
  EXPECT_THAT(rebuilt.out, HasSubstr("node index.js")) << "the script that was allowed";
  expect_complete(bench, "hostile");
  if (c.manager.starts_with("npm")) expect_npm_agrees(bench, c, "hostile");

  const auto again = bench.stock(c, catalog::Mode::offline);
  ASSERT_TRUE(again.has_value()) << again.error().what;
  EXPECT_EQ(again->counts.cached, packages_of(c));
}

INSTANTIATE_TEST_SUITE_P(All, Installs,
                         testing::Values(Case{"npm9", "1"}, Case{"npm9", "2"}, Case{"npm9", "3"},
                                         Case{"npm9", "bare"}, Case{"npm10", "1"},
                                         Case{"npm10", "2"}, Case{"npm10", "3"},
                                         Case{"npm10", "bare"}, Case{"npm11", "1"},
                                         Case{"npm11", "2"}, Case{"npm11", "3"},
                                         Case{"npm11", "bare"}, Case{"yarn1", ""},
                                         Case{"yarn2", ""}, Case{"yarn3", ""}, Case{"yarn4", ""},
                                         Case{"pnpm8", ""}, Case{"pnpm9", ""}, Case{"pnpm10", ""}),
                         [](const auto& one) { return one.param.manager + one.param.lock; });

class Hostile : public testing::Test {
 protected:
  void SetUp() override { bench_.make_repository(kCase); }
  const Case kCase{"npm11", "3"};
  Bench bench_;
};

TEST_F(Hostile, ALockThatMeansOtherBytesGetsNone) {
  const std::string path = bench_.scratch_ / "repo/package-lock.json";
  std::string lock = read(path);
  const std::size_t router = lock.find("\"node_modules/tinyshop-router\"");
  const std::size_t at = lock.find("\"integrity\": \"sha512-", router) + 21;
  lock[at] = lock[at] == 'A' ? 'B' : 'A';
  write(path, lock);
  const auto stock = bench_.stock(kCase);
  ASSERT_TRUE(stock.has_value());
  ASSERT_EQ(stock->missing.size(), 1U);
  EXPECT_EQ(stock->missing[0].kind, catalog::Missing::Kind::mismatch);
  EXPECT_EQ(stock->held.size(), packages_of(kCase) - 1);
  const catalog::Shelf shelf = bench_.lay(*stock);
  bench_.copy_repository("tree");
  const Ran ran = bench_.run_there(bench_.plan(kCase, "tree", shelf).install, "tree", shelf);
  EXPECT_NE(ran.exit, 0) << "installed without one of its packages: " << ran.out;
}

TEST_F(Hostile, AFileOfTheCacheThatWasChangedStopsEverything) {
  const auto stock = bench_.stock(kCase);
  ASSERT_TRUE(stock.has_value());
  const std::string path = bench_.scratch_ / ("workspace/" + stock->held[0].tarball.path);
  std::string bytes = read(path);
  bytes[bytes.size() / 2] ^= 1;
  write(path, bytes);
  const auto again = bench_.stock(kCase, catalog::Mode::offline);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().exit(), ExitCode::integrity);
  EXPECT_EQ(again.error().where.at(0).second, path);
}

TEST_F(Hostile, NpmRefusesWhatWasChangedOnTheShelf) {
  const auto stock = bench_.stock(kCase);
  const catalog::Shelf shelf = bench_.lay(*stock);
  const std::string path = shelf.registry + "/tinyshop-router/-/tinyshop-router-3.1.0.tgz";
  std::string bytes = read(path);
  fs::remove(path);  // a name of the cache's file
  bytes[bytes.size() / 2] ^= 1;
  write(path, bytes);
  bench_.copy_repository("tree");
  const Ran ran = bench_.run_there(bench_.plan(kCase, "tree", shelf).install, "tree", shelf);
  EXPECT_NE(ran.exit, 0);
  EXPECT_THAT(ran.out, HasSubstr("EINTEGRITY"));
}

}  // namespace
}  // namespace cg::test
