#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <random>

#include "base/json/json.h"
#include "npm/lockfile/lock.h"
#include "support/support.h"

namespace cg::lockfile {
namespace {

Graph graph_of_package_lock(const std::string& text, const Manifest* root = nullptr) {
  auto graph = read_package_lock(LockKind::package_lock, text, root);
  if (!graph) ADD_FAILURE() << graph.error().at.line << ": " << graph.error().what;
  return *std::move(graph);
}

LockError refused(const std::string& text) {
  auto graph = read_package_lock(LockKind::package_lock, text, nullptr);
  if (graph) ADD_FAILURE() << "accepted: " << text;
  return graph.error();
}

const Node& at(const Graph& graph, std::string_view location) {
  const NodeId id = graph.at(location);
  if (id == kNoNode) throw std::runtime_error("nothing at " + std::string(location));
  return graph.node(id);
}

/// Where the dependency `name` of the copy at `from` leads.
std::string goes_to(const Graph& graph, std::string_view from, std::string_view name) {
  for (const Edge& edge : graph.edges_of(graph.at(from))) {
    if (edge.name == name) {
      return edge.to == kNoNode ? "nowhere" : std::string(graph.node(edge.to).location);
    }
  }
  return "not asked for";
}

const std::string kLock = R"({
  "name": "shop", "version": "1.0.0", "lockfileVersion": 3, "requires": true,
  "packages": {
    "": {
      "name": "shop", "version": "1.0.0", "workspaces": ["packages/*"],
      "dependencies": {"a": "^1.0.0", "alias": "npm:real@^2", "gone": "*"},
      "devDependencies": {"d": "1"}, "optionalDependencies": {"opt": "1"}
    },
    "node_modules/a": {
      "version": "1.2.3", "resolved": "https://registry.example/a/-/a-1.2.3.tgz",
      "integrity": "sha512-aaaa", "hasInstallScript": true,
      "dependencies": {"b": "^1", "c": "2"}, "peerDependencies": {"p": "*", "q": "*"},
      "peerDependenciesMeta": {"q": {"optional": true}}
    },
    "node_modules/a/node_modules/b": {"version": "1.0.1", "inBundle": true},
    "node_modules/b": {"version": "2.0.0", "dev": true, "dependencies": {"c": "2"}},
    "node_modules/c": {"version": "2.0.0-rc.1"},
    "node_modules/alias": {"name": "real", "version": "2.1.0"},
    "node_modules/d": {"version": "1.0.0", "resolved": "git+ssh://git@host.example/u/d.git#abc", "dev": true},
    "node_modules/w": {"resolved": "packages/w", "link": true},
    "packages/w": {"version": "0.0.1", "dependencies": {"c": "2", "b": "3"}},
    "packages/w/node_modules/b": {"version": "3.0.0", "resolved": "https://host.example/b.tgz"},
    "node_modules/@s/deep": {"version": "1.0.0", "optional": true, "devOptional": true, "peer": true},
    "vendored/x": {"version": "1.0.0"}
  }
})";

TEST(PackageLock, ReadsEveryCopyWithItsFlags) {
  const Graph graph = graph_of_package_lock(kLock);
  EXPECT_EQ(graph.lock_version(), "3");
  EXPECT_EQ(graph.nodes().size(), 12U);
  EXPECT_EQ(at(graph, "node_modules/a").version, "1.2.3");
  EXPECT_EQ(at(graph, "node_modules/a").integrity, "sha512-aaaa");
  EXPECT_TRUE(at(graph, "node_modules/a").flags.install_script);
  EXPECT_TRUE(at(graph, "node_modules/a/node_modules/b").flags.bundled);
  EXPECT_TRUE(at(graph, "node_modules/b").flags.dev);
  EXPECT_TRUE(at(graph, "node_modules/@s/deep").flags.peer);
  EXPECT_TRUE(at(graph, "node_modules/@s/deep").flags.optional);
  EXPECT_EQ(at(graph, "node_modules/@s/deep").name, "@s/deep");
}

TEST(PackageLock, AnAliasGoesByThePackagesOwnName) {  // trap 14
  const Graph graph = graph_of_package_lock(kLock);
  EXPECT_EQ(at(graph, "node_modules/alias").name, "real");
  EXPECT_EQ(at(graph, "node_modules/alias").alias, "alias");
  EXPECT_EQ(goes_to(graph, "", "alias"), "node_modules/alias");
}

TEST(PackageLock, LinksFoldersAndWorkspacesAreNotPublishedPackages) {  // trap 15
  const Graph graph = graph_of_package_lock(kLock);
  EXPECT_EQ(at(graph, "").source, Source::root);
  EXPECT_EQ(at(graph, "packages/w").source, Source::workspace);
  EXPECT_EQ(at(graph, "vendored/x").source, Source::directory);
  EXPECT_EQ(at(graph, "node_modules/w").source, Source::link);
  EXPECT_EQ(at(graph, "node_modules/w").target, graph.at("packages/w"));
  EXPECT_EQ(at(graph, "node_modules/d").source, Source::git);
  EXPECT_EQ(at(graph, "packages/w/node_modules/b").source, Source::tarball);
  EXPECT_EQ(graph.importers().size(), 2U);
}

TEST(PackageLock, EachDependentGetsTheNearestCopy) {  // trap 1
  const Graph graph = graph_of_package_lock(kLock);
  EXPECT_EQ(goes_to(graph, "node_modules/a", "b"), "node_modules/a/node_modules/b");
  EXPECT_EQ(goes_to(graph, "node_modules/a", "c"), "node_modules/c");
  EXPECT_EQ(goes_to(graph, "packages/w", "b"), "packages/w/node_modules/b");
  EXPECT_EQ(goes_to(graph, "packages/w", "c"), "node_modules/c");
  EXPECT_EQ(goes_to(graph, "", "b"), "not asked for");
  EXPECT_EQ(goes_to(graph, "", "gone"), "nowhere");
  EXPECT_EQ(graph.edges_to(graph.at("node_modules/c")).size(), 3U);
}

TEST(PackageLock, KnowsTheKindsOfDependencies) {  // traps 19, 20
  const Graph graph = graph_of_package_lock(kLock);
  std::map<std::string, EdgeKind> kinds;
  for (const NodeId id : {graph.at(""), graph.at("node_modules/a")}) {
    for (const Edge& edge : graph.edges_of(id)) kinds[std::string(edge.name)] = edge.kind;
  }
  EXPECT_EQ(kinds["d"], EdgeKind::dev);
  EXPECT_EQ(kinds["opt"], EdgeKind::optional);
  EXPECT_EQ(kinds["p"], EdgeKind::peer);
  EXPECT_EQ(kinds["q"], EdgeKind::peer_optional);
}

TEST(PackageLock, KnowsWhereEachEntryStands) {
  const Graph graph = graph_of_package_lock(kLock);
  const Node& node = at(graph, "node_modules/b");
  const std::string_view entry =
      graph.text().substr(node.entry.begin, node.entry.end - node.entry.begin);
  EXPECT_EQ(entry,
            R"("node_modules/b": {"version": "2.0.0", "dev": true, "dependencies": {"c": "2"}})");
  EXPECT_EQ(graph.text().substr(node.version_at.begin, 5), "2.0.0");
  EXPECT_EQ(graph.position(node.entry.begin).line, 16U);
}

TEST(PackageLock, Version1NeedsTheManifest) {  // trap 22
  const auto manifest = npm::parse_manifest(
      "package.json", R"({"dependencies": {"a": "^1"}, "devDependencies": {"z": "npm:y@1"}})");
  const Graph graph = graph_of_package_lock(R"({"lockfileVersion": 1, "dependencies": {
    "a": {"version": "1.0.0", "requires": {"b": "^1"}, "dependencies": {
      "b": {"version": "1.5.0", "bundled": true, "requires": {"c": "*"}}}},
    "b": {"version": "2.0.0", "dev": true},
    "c": {"version": "git+https://host.example/c.git#0123", "from": "c"},
    "f": {"version": "file:../f"},
    "z": {"version": "npm:y@1.0.0", "optional": true}}})",
                                            &*manifest);
  EXPECT_EQ(graph.lock_version(), "1");
  EXPECT_EQ(goes_to(graph, "", "a"), "node_modules/a");
  EXPECT_EQ(goes_to(graph, "node_modules/a", "b"), "node_modules/a/node_modules/b");
  EXPECT_EQ(goes_to(graph, "node_modules/a/node_modules/b", "c"), "node_modules/c");
  EXPECT_TRUE(at(graph, "node_modules/a/node_modules/b").flags.bundled);
  EXPECT_EQ(at(graph, "node_modules/c").source, Source::git);
  EXPECT_EQ(at(graph, "node_modules/f").source, Source::directory);
  EXPECT_EQ(at(graph, "node_modules/z").name, "y");
  EXPECT_EQ(at(graph, "node_modules/z").version, "1.0.0");
  EXPECT_EQ(at(graph, "node_modules/z").alias, "z");
}

TEST(PackageLock, TheVersionMayComeLast) {
  const Graph graph = graph_of_package_lock(
      R"({"dependencies": {"a": {"version": "1.0.0"}}, "lockfileVersion": 1})");
  EXPECT_EQ(at(graph, "node_modules/a").version, "1.0.0");
}

TEST(PackageLock, Version2IsReadFromPackages) {  // trap 23
  const Graph graph = graph_of_package_lock(
      R"({"lockfileVersion": 2, "packages": {"": {}, "node_modules/a": {"version": "1.0.0"}},
                              "dependencies": {"a": {"version": "9.9.9"}}})");
  EXPECT_EQ(at(graph, "node_modules/a").version, "1.0.0");
}

TEST(PackageLock, OtherVersionsAreRefused) {  // traps 24, 25
  EXPECT_EQ(refused(R"({"lockfileVersion": 4, "packages": {}})").kind, LockError::Kind::version);
  EXPECT_EQ(refused(R"({"lockfileVersion": 0, "dependencies": {}})").kind,
            LockError::Kind::version);
  EXPECT_EQ(refused(R"({"dependencies": {}})").kind, LockError::Kind::version);
  EXPECT_EQ(refused(R"({"lockfileVersion": "3", "packages": {}})").kind, LockError::Kind::version);
  EXPECT_EQ(refused(R"({"lockfileVersion": 3})").kind, LockError::Kind::shape);
}

TEST(PackageLock, BrokenOnesSayWhere) {
  const LockError twice =
      refused("{\"lockfileVersion\": 3, \"packages\": {\n\"a\": {},\n\"a\": {}}}");
  EXPECT_EQ(twice.at.line, 3U);
  EXPECT_EQ(refused("{\"lockfileVersion\": 3, \"packages\": {\"a\": 1}}").what,
            "`packages.a` is not an object");
  EXPECT_EQ(refused("{\"lockfileVersion\": 3, \"packages\": {\"a\": {\"version\": 1}}}").what,
            "`version` is not a string");
  EXPECT_EQ(
      refused("{\"lockfileVersion\": 3, \"packages\": {\"\": {\"dependencies\": {\"x\": {}}}}}")
          .what,
      "`dependencies` is not a string");
  EXPECT_EQ(refused("{\"a\": \"\xFF\"}").kind, LockError::Kind::syntax);
  EXPECT_EQ(refused("\xEF\xBB\xBF{}").kind, LockError::Kind::syntax);
  EXPECT_EQ(refused("").kind, LockError::Kind::syntax);
  EXPECT_EQ(refused(std::string(100'000, '[')).kind, LockError::Kind::syntax);
  EXPECT_EQ(refused(kLock.substr(0, kLock.size() / 2)).kind, LockError::Kind::syntax);
  EXPECT_EQ(refused(std::string(kMaxLockBytes + 1, ' ')).kind, LockError::Kind::too_large);
}

TEST(PackageLock, HostileKeysMakeNoCycle) {
  const Graph graph = graph_of_package_lock(R"({"lockfileVersion": 3, "packages": {
    "": {}, "node_modules/": {"version": "1.0.0"}, "node_modules/node_modules/x": {"version": "1.0.0"},
    "../node_modules/y": {"version": "1.0.0", "dependencies": {"x": "1", "": "1"}}, "node_modules/l": {"link": true, "resolved": "node_modules/l"},
    "/": {}, "//": {}, "..": {}, "node_modules": {}}})");
  EXPECT_EQ(graph.nodes().size(), 9U);
}

/// Every package-lock of the data: the entries lie inside each other as they should,
/// and a lock put together from its parts is the lock.
TEST(PackageLock, RealLocksReadWholeAndAreTiledByTheirEntries) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: no real lockfiles";
  }
  std::size_t locks = 0;
  std::size_t packages = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(*data / "repos")) {
    if (file.path().filename() != "package-lock.json") continue;
    SCOPED_TRACE(file.path().string());
    const std::string text = test::read(file.path());
    const auto manifest =
        npm::parse_manifest("package.json", test::read(file.path().parent_path() / "package.json"));
    ASSERT_TRUE(manifest.has_value());
    const Graph graph = graph_of_package_lock(text, &*manifest);
    ++locks;
    packages += graph.nodes().size() - 1;
    for (const Node& node : graph.nodes()) {
      if (node.version_at.end != 0) {
        EXPECT_EQ(text.substr(node.version_at.begin - 1, 1), "\"");
        EXPECT_EQ(text.substr(node.version_at.end, 1), "\"");
      }
      if (node.entry.end != 0) {
        EXPECT_EQ(text[node.entry.begin], '"');
        EXPECT_EQ(text[node.entry.end - 1], '}');
      }
    }
    EXPECT_EQ(graph.text(), text);
  }
  std::cout << locks << " package-locks, " << packages << " installed copies\n";
  EXPECT_GE(locks, 33U);
}

TEST(PackageLock, DamageNeverCrashes) {
  std::mt19937 random(11);
  for (int i = 0; i < 20000; ++i) {
    std::string text = kLock;
    for (auto n = random() % 4 + 1; n > 0; --n) {
      if (text.empty()) break;
      const std::size_t where = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.resize(where + 1);
          break;
        case 1:
          text[where] = static_cast<char>(random());
          break;
        case 2:
          text.erase(where, random() % 50);
          break;
        default:
          text.insert(where, text.substr(random() % text.size(), random() % 50));
      }
    }
    const auto graph = read_package_lock(LockKind::package_lock, text, nullptr);
    if (!graph) {
      EXPECT_FALSE(graph.error().what.empty());
    }
  }
}

}  // namespace
}  // namespace cg::lockfile
