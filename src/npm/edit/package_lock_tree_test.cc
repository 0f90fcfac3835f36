// The tree of `dependencies`: version 1 alone, and beside `packages` in version 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <iostream>
#include <random>
#include <set>

#include "npm/edit/address.h"
#include "npm/edit/lock_samples.h"
#include "support/support.h"

namespace cg::edit {
namespace {

using namespace samples;
using npm::EdgeKind;
using registry::Release;
using test::replaced;

const std::string kTree = R"(  "dependencies": {
    "a": {
      "version": "1.0.0",
      "resolved": "https://registry.example/a/-/a-1.0.0.tgz",
      "integrity": "sha512-a1",
      "requires": {
        "b": "^2.0.0"
      },
      "dependencies": {
        "b": {
          "version": "2.0.0",
          "resolved": "https://registry.example/b/-/b-2.0.0.tgz",
          "integrity": "sha512-b2"
        }
      }
    },
    "b": {
      "version": "1.0.0",
      "resolved": "https://registry.example/b/-/b-1.0.0.tgz",
      "integrity": "sha512-b1",
      "dev": true
    },
    "pet": {
      "version": "npm:cat@2.0.0",
      "resolved": "https://registry.example/cat/-/cat-2.0.0.tgz",
      "integrity": "sha512-cat2"
    }
  }
}
)";
const std::string kOne =
    "{\n  \"name\": \"shop\",\n  \"lockfileVersion\": 1,\n  \"requires\": true,\n" + kTree;

const std::string kTwo = R"({
  "name": "shop",
  "lockfileVersion": 2,
  "requires": true,
  "packages": {
    "": {
      "name": "shop",
      "workspaces": [
        "w"
      ],
      "dependencies": {
        "a": "^1.0.0"
      }
    },
    "node_modules/a": {
      "version": "1.0.0",
      "resolved": "https://registry.example/a/-/a-1.0.0.tgz",
      "integrity": "sha512-a1",
      "dependencies": {
        "b": "^2.0.0"
      }
    },
    "node_modules/w": {
      "resolved": "w",
      "link": true
    },
    "w": {
      "version": "0.1.0",
      "dependencies": {
        "b": "^2.0.0"
      }
    },
    "w/node_modules/b": {
      "version": "2.0.0",
      "resolved": "https://registry.example/b/-/b-2.0.0.tgz",
      "integrity": "sha512-b2"
    }
  },
  "dependencies": {
    "a": {
      "version": "1.0.0",
      "resolved": "https://registry.example/a/-/a-1.0.0.tgz",
      "integrity": "sha512-a1",
      "requires": {
        "b": "2.0.0-ruled"
      }
    },
    "w": {
      "version": "file:w",
      "requires": {
        "b": "^2.0.0"
      },
      "dependencies": {
        "b": {
          "version": "2.0.0",
          "resolved": "https://registry.example/b/-/b-2.0.0.tgz",
          "integrity": "sha512-b2"
        }
      }
    }
  }
}
)";

Release made_locally(const std::string& name, const std::string& version) {
  Release release;
  release.name = name;
  release.version = version;
  release.integrity = "sha512-" + name + version;
  release.tarball = "http://localhost:4873/" + name + "/-/" + name + "-" + version + ".tgz";
  return release;
}

/// The second tree of a lock of version 2, alone.
std::string second(const std::string& text) {
  const std::size_t packages = text.find("  \"packages\"");
  const std::size_t tree = text.find("  \"dependencies\": {\n    \"a\"");
  return replaced(text.substr(0, packages) + text.substr(tree), "\"lockfileVersion\": 2",
                  "\"lockfileVersion\": 1");
}

TEST(TreeEdit, ACopyOfVersionOneChangesInItsPlace) {
  const Release b = made_locally("b", "2.0.1");
  LockEdit edit;
  edit.put.push_back({"node_modules/a/node_modules/b", &b, {}});
  EXPECT_EQ(edited(kOne, edit), replaced(kOne, R"("version": "2.0.0",
          "resolved": "https://registry.example/b/-/b-2.0.0.tgz",
          "integrity": "sha512-b2")",
                                         R"("version": "2.0.1",
          "resolved": "https://registry.example/b/-/b-2.0.1.tgz",
          "integrity": "sha512-b2.0.1")"));
}

TEST(TreeEdit, TheLastCopyBelowTakesTheLevelAlongAndTheFirstBringsIt) {
  LockEdit edit;
  edit.removed = {"node_modules/a/node_modules/b"};
  const std::string out = edited(kOne, edit);
  EXPECT_EQ(out.find("\"dependencies\": {\n        \"b\""), std::string::npos);
  Release b = made_locally("b", "2.0.0");
  b.integrity = "sha512-b2";
  LockEdit back;
  back.put.push_back({"node_modules/a/node_modules/b", &b, {}});
  EXPECT_EQ(edited(out, back), kOne);
}

TEST(TreeEdit, NewCopiesInNewCopiesAreOneEntry) {
  Release x = made_locally("x", "1.0.0");
  x.needs = {
      {"y", "^1.0.0", EdgeKind::prod}, {"o", "1", EdgeKind::optional}, {"p", "*", EdgeKind::peer}};
  const Release y = made_locally("y", "1.0.0");
  const Release z = made_locally("z", "3.0.0");
  LockEdit edit;
  edit.put = {{"node_modules/x/node_modules/y", &y, {.dev = true}},
              {"node_modules/x", &x, {.dev = true}},
              {"node_modules/x/node_modules/y/node_modules/alias", &z, {.optional = true}}};
  const std::string out = edited(kOne, edit);
  EXPECT_NE(out.find(R"(    "x": {
      "version": "1.0.0",
      "resolved": "https://registry.example/x/-/x-1.0.0.tgz",
      "integrity": "sha512-x1.0.0",
      "dev": true,
      "requires": {
        "o": "1",
        "y": "^1.0.0"
      },
      "dependencies": {
        "y": {
          "version": "1.0.0",
          "resolved": "https://registry.example/y/-/y-1.0.0.tgz",
          "integrity": "sha512-y1.0.0",
          "dev": true,
          "dependencies": {
            "alias": {
              "version": "npm:z@3.0.0",
              "resolved": "https://registry.example/z/-/z-3.0.0.tgz",
              "integrity": "sha512-z3.0.0",
              "optional": true
            }
          }
        }
      }
    }
)"),
            std::string::npos)
      << out;
  LockEdit back;
  for (const PutCopy& put : edit.put) back.removed.push_back(put.location);
  EXPECT_EQ(edited(out, back), kOne);
}

TEST(TreeEdit, AnAliasOfVersionOneKeepsItsForm) {
  const Release cat = made_locally("cat", "2.1.0");
  LockEdit edit;
  edit.put.push_back({"node_modules/pet", &cat, {}});
  EXPECT_NE(edited(kOne, edit).find("\"version\": \"npm:cat@2.1.0\""), std::string::npos);
}

TEST(TreeEdit, AHolderDoesNotGoWithoutWhatItHolds) {
  LockEdit edit;
  edit.removed = {"node_modules/a"};
  EXPECT_EQ(refused(kOne, edit).kind, EditError::Kind::shape);
  edit.removed = {"node_modules/a", "node_modules/a/node_modules/b"};
  EXPECT_EQ(table_of(edited(kOne, edit)).size(), 3U);
}

TEST(TreeEdit, VersionTwoChangesInBothTrees) {
  Release a = made_locally("a", "1.1.0");
  a.needs = {{"b", "^2.0.0", EdgeKind::prod}, {"c", "1", EdgeKind::prod}};
  const Release c = made_locally("c", "1.0.0");
  LockEdit edit;
  edit.put = {{"node_modules/a", &a, {.dev = true}}, {"node_modules/a/node_modules/c", &c, {}}};
  const std::string out = edited(kTwo, edit);
  Table one = table_of(out);
  Table two = table_of(second(out));
  EXPECT_EQ(one["node_modules/a"],
            "a 1.1.0 https://registry.example/a/-/a-1.1.0.tgz sha512-a1.1.0 dev b@^2.0.0 c@1");
  // What a rule of the root made_locally of the range stays.
  EXPECT_EQ(two["node_modules/a"],
            "a 1.1.0 https://registry.example/a/-/a-1.1.0.tgz sha512-a1.1.0 dev b@2.0.0-ruled c@1");
  EXPECT_EQ(one["node_modules/a/node_modules/c"],
            "c 1.0.0 https://registry.example/c/-/c-1.0.0.tgz sha512-c1.0.0");
  EXPECT_EQ(two["node_modules/a/node_modules/c"], one["node_modules/a/node_modules/c"]);
}

TEST(TreeEdit, WhatIsInAWorkspaceIsBelowItsLinkInTheSecondTree) {
  const Release b = made_locally("b", "2.0.1");
  LockEdit edit;
  edit.put.push_back({"w/node_modules/b", &b, {}});
  edit.asks.push_back({"w", "b", "^2.0.0", "^2.0.1", EdgeKind::prod});
  const std::string out = edited(kTwo, edit);
  EXPECT_EQ(table_of(out)["w/node_modules/b"],
            "b 2.0.1 https://registry.example/b/-/b-2.0.1.tgz sha512-b2.0.1");
  EXPECT_EQ(table_of(second(out))["node_modules/w/node_modules/b"],
            table_of(out)["w/node_modules/b"]);
  EXPECT_EQ(table_of(out)["w"], " 0.1.0   b@^2.0.1");
  EXPECT_NE(out.find("\"version\": \"file:w\",\n      \"requires\": {\n        \"b\": \"^2.0.1\""),
            std::string::npos);
  LockEdit gone;
  gone.removed = {"w/node_modules/b"};
  EXPECT_EQ(edited(kTwo, gone).find("2.0.0.tgz"), std::string::npos);
}

TEST(TreeEdit, FlagsChangeInBothTrees) {
  LockEdit edit;
  edit.reflagged.push_back({"node_modules/a", {.optional = true}});
  const std::string out = edited(kTwo, edit);
  EXPECT_NE(table_of(out)["node_modules/a"].find(" optional"), std::string::npos);
  EXPECT_NE(table_of(second(out))["node_modules/a"].find(" optional"), std::string::npos);
  edit.reflagged[0].flags = {};
  EXPECT_EQ(edited(out, edit), kTwo);
}

TEST(TreeEdit, PeersAloneAreRequiredByNobody) {
  Release a = made_locally("a", "1.1.0");
  a.needs = {{"p", "*", EdgeKind::peer}};
  LockEdit edit;
  edit.put = {{"node_modules/a", &a, {}}};
  // As other entries of the lock have it.
  EXPECT_EQ(edited(kTwo, edit).find("\"requires\": {}"), std::string::npos);
  const std::string other =
      replaced(kTwo, "  \"dependencies\": {\n    \"a\": {\n      \"version\"",
               "  \"dependencies\": {\n    \"0\": {\n      \"requires\": {}\n    },"
               "\n    \"a\": {\n      \"version\"");
  EXPECT_NE(edited(other, edit).find("\"requires\": {}\n    },\n    \"w\""), std::string::npos);
}

TEST(TreeEdit, ATreeBeforePackagesIsFoundAndOneThatEmptiesGoes) {
  const std::string lock =
      R"({"lockfileVersion": 2, "dependencies": {"a": {"version": "1.0.0"}}, "packages": )"
      R"({"": {}, "node_modules/a": {"version": "1.0.0"}}})";
  const Release b = made_locally("b", "1.0.0");
  LockEdit edit;
  edit.put.push_back({"node_modules/a/node_modules/b", &b, {}});
  const std::string out = edited(lock, edit);
  EXPECT_NE(out.find(R"({"a": {"version": "1.0.0", "dependencies": {"b": {"version": "1.0.0")"),
            std::string::npos)
      << out;
  LockEdit gone;
  gone.removed = {"node_modules/a"};
  EXPECT_EQ(edited(lock, gone), R"({"lockfileVersion": 2, "packages": {"": {}}})");
  const std::string one = R"({"lockfileVersion": 1, "dependencies": {"a": {"version": "1.0.0"}}})";
  EXPECT_EQ(edited(one, gone), R"({"lockfileVersion": 1})");
  gone.put.push_back({"node_modules/b", &b, {}});
  EXPECT_EQ(table_of(edited(one, gone)).size(), 2U);
}

TEST(TreeEdit, OfADamagedLockTheEditIsRefusedOrReadsBack) {
  std::mt19937 random(7);
  std::size_t done = 0;
  for (int round = 0; round < 6000; ++round) {
    std::string text = round % 2 == 0 ? kOne : kTwo;
    for (unsigned hit = 0; hit <= random() % 3; ++hit) {
      const std::size_t at = random() % text.size();
      const std::size_t from = random() % text.size();
      if (random() % 2 == 0) text.erase(at, random() % 40);
      if (random() % 2 == 0)
        text.insert(std::min(at, text.size()), text.substr(from % text.size(), 30));
    }
    const auto graph = lockfile::read_package_lock(npm::LockKind::package_lock, text, nullptr);
    if (!graph) continue;
    const Release release = made_locally("b", "9.0.0");
    LockEdit edit;
    for (const npm::Node& node : graph->nodes()) {
      if (node.source != npm::Source::registry) continue;
      edit.put.push_back({std::string(node.location), &release, {.dev = true}});
      edit.put.push_back({std::string(node.location) + "/node_modules/new", &release, {}});
    }
    const auto out = edit_package_lock(*graph, edit, "https://registry.example/");
    if (!out) continue;
    ++done;
    const npm::Graph after = read_lock(*out);
    for (const PutCopy& put : edit.put) {
      const npm::NodeId id = after.at(put.location);
      ASSERT_NE(id, npm::kNoNode) << *out;
      EXPECT_EQ(after.node(id).version, "9.0.0");
    }
  }
  EXPECT_GT(done, 20U);
}

}  // namespace
}  // namespace cg::edit

namespace cg::edit {
namespace {

using namespace samples;
namespace fs = std::filesystem;

constexpr std::size_t kSamples = 50;

std::vector<fs::path> locks() {
  std::vector<fs::path> out;
  const auto data = test::data_dir();
  if (!data) return out;
  for (const auto& entry : fs::recursive_directory_iterator(*data / "repos")) {
    const std::string name = entry.path().filename();
    if (name == "package-lock.json" || name == "npm-shrinkwrap.json") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_published(const npm::Node& node) {
  return node.source == npm::Source::registry && !node.flags.bundled && !node.version.empty();
}

/// A release has names and ranges for `engines`; one of fifty thousand has a bare text. And
/// not all that is called published has an address of that shape.
bool is_told(const npm::Graph& graph, const npm::Node& node) {
  const std::string_view entry =
      graph.text().substr(node.entry.begin, node.entry.end - node.entry.begin);
  const bool shaped = node.resolved.empty() || prefix_of(node.resolved, node.name);
  return shaped && entry.find("\"engines\": \"") == std::string_view::npos;
}

/// Every so many-th of the copies that `is` accepts, fifty or so.
template <class Is>
std::vector<const npm::Node*> some(const npm::Graph& graph, const Is& is) {
  std::vector<const npm::Node*> all;
  for (const npm::Node& node : graph.nodes()) {
    if (is(node)) all.push_back(&node);
  }
  std::vector<const npm::Node*> out;
  const std::size_t step = std::max<std::size_t>(1, all.size() / kSamples);
  for (std::size_t i = 0; i < all.size(); i += step) out.push_back(all[i]);
  return out;
}

/// The locations that no other lies in.
std::set<std::string_view> leaves_of(const npm::Graph& graph) {
  std::set<std::string_view> all;
  for (const npm::Node& node : graph.nodes()) all.insert(node.location);
  std::set<std::string_view> out;
  for (const std::string_view location : all) {
    const std::string below = std::string(location) + "/node_modules/";
    const auto next = all.lower_bound(below);
    if (next == all.end() || !next->starts_with(below)) out.insert(location);
  }
  return out;
}

struct Tally {
  std::size_t same = 0;
  std::size_t all = 0;
};

TEST(LockEditData, PuttingBackWhatIsThereGivesTheSameBytes) {
  std::map<std::string, Tally> tallies;
  if (!test::data_dir()) GTEST_SKIP() << test::kNoData;
  for (const fs::path& path : locks()) {
    const npm::Graph graph = read_lock(test::read(path));
    std::deque<registry::Release> releases;
    LockEdit all;
    for (const npm::Node& node : graph.nodes()) {
      if (!is_published(node) || !is_told(graph, node)) continue;
      releases.push_back(release_at(graph, node));
      all.put.push_back({std::string(node.location), &releases.back(), node.flags});
    }
    Tally& tally = tallies[std::string(graph.lock_version())];
    tally.all += all.put.size();
    const auto out = edit_package_lock(graph, all, "https://registry.example/");
    ASSERT_TRUE(out.has_value()) << path << out.error().what;
    if (*out == graph.text()) {
      tally.same += all.put.size();
      continue;
    }
    ADD_FAILURE() << path;
    std::size_t shown = 0;
    for (const PutCopy& put : all.put) {
      LockEdit one;
      one.put.push_back(put);
      const auto alone = edit_package_lock(graph, one, "https://registry.example/");
      if (alone && *alone == graph.text()) {
        ++tally.same;
        continue;
      }
      const auto differ = std::mismatch(alone->begin(), alone->end(), graph.text().begin());
      if (++shown > 3) continue;
      std::cout << path.parent_path().filename() << " " << put.location << ": "
                << std::string(differ.first, std::min(alone->end(), differ.first + 80)) << "\n";
    }
  }
  for (const auto& [version, tally] : tallies) {
    std::cout << "version " << version << ": " << tally.same << " of " << tally.all
              << " copies put back byte by byte\n";
    EXPECT_EQ(tally.same, tally.all);
  }
}

TEST(LockEditData, RemovingAndAddingALeafGivesTheSameBytes) {
  std::map<std::string, Tally> tallies;
  if (!test::data_dir()) GTEST_SKIP() << test::kNoData;
  for (const fs::path& path : locks()) {
    const npm::Graph graph = read_lock(test::read(path));
    const auto bare = leaves_of(graph);
    const auto leaves = some(graph, [&](const npm::Node& node) {
      return is_published(node) && bare.contains(node.location);
    });
    Tally& tally = tallies[std::string(graph.lock_version())];
    std::size_t shown = 0;
    for (const npm::Node* node : leaves) {
      const registry::Release release = release_at(graph, *node);
      LockEdit gone;
      gone.removed.emplace_back(node->location);
      const auto without = edit_package_lock(graph, gone, "https://registry.example/");
      ASSERT_TRUE(without.has_value()) << path << without.error().what;
      const npm::Graph rest = read_lock(*without);
      ASSERT_EQ(rest.nodes().size() + 1, graph.nodes().size());
      LockEdit again;
      again.put.push_back({std::string(node->location), &release, node->flags});
      const auto back = edit_package_lock(rest, again, "https://registry.example/");
      ASSERT_TRUE(back.has_value()) << path << back.error().what;
      ++tally.all;
      if (*back == graph.text()) {
        ++tally.same;
      } else if (++shown <= 2) {
        const auto differ = std::mismatch(back->begin(), back->end(), graph.text().begin());
        std::cout << path.parent_path().filename() << " " << node->location << ": "
                  << std::string(differ.first, std::min(back->end(), differ.first + 80)) << "\n";
      }
    }
  }
  for (const auto& [version, tally] : tallies) {
    std::cout << "version " << version << ": " << tally.same << " of " << tally.all
              << " leaves back byte by byte\n";
    EXPECT_GE(tally.same * 100, tally.all * 90);
  }
}

/// The locations whose lines differ.
std::set<std::string> differences(const Table& a, const Table& b) {
  std::set<std::string> out;
  for (const auto& [location, line] : a) {
    const auto other = b.find(location);
    if (other == b.end() || other->second != line) out.insert(location);
  }
  for (const auto& [location, line] : b) {
    if (!a.contains(location)) out.insert(location);
  }
  return out;
}

/// The second tree of a lock of version 2, as a lock of version 1.
std::string second_tree(const std::string& text) {
  const auto lock = json::parse_json(text);
  json::Value::Object out;
  for (const auto& [key, value] : *lock->as_object()) {
    if (key == "dependencies") out.emplace_back(key, value);
  }
  out.emplace_back("lockfileVersion", 1);
  return json::write_json(json::Value(std::move(out)));
}

TEST(LockEditData, AnEditChangesWhatItNamesAndNothingElse) {
  if (!test::data_dir()) GTEST_SKIP() << test::kNoData;
  for (const fs::path& path : locks()) {
    const std::string text = test::read(path);
    const npm::Graph graph = read_lock(text);
    const auto bare = leaves_of(graph);
    const auto leaves = some(graph, [&](const npm::Node& node) {
      return is_published(node) && node.location.starts_with("node_modules/") &&
             bare.contains(node.location);
    });
    ASSERT_GT(leaves.size(), 8U);
    std::deque<registry::Release> releases;
    LockEdit edit;
    std::set<std::string> named;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      std::string location(leaves[i]->location);
      registry::Release& release = releases.emplace_back(release_at(graph, *leaves[i]));
      release.version = "99.0.0";
      release.integrity = "sha512-new";
      release.tarball = "http://127.0.0.1/" + release.name + "/-/x-99.0.0.tgz";
      npm::Flags flags = leaves[i]->flags;
      flags.dev = !flags.dev;
      flags.dev_optional = false;
      if (i % 4 == 0) edit.removed.push_back(location);
      if (i % 4 == 1) edit.put.push_back({location, &release, leaves[i]->flags});
      if (i % 4 == 2) edit.reflagged.push_back({location, flags});
      if (i % 4 == 3) {
        location += "/node_modules/cg-added";
        edit.put.push_back({location, &release, flags});
      }
      named.insert(location);
    }
    const auto out = edit_package_lock(graph, edit, "https://registry.example/");
    ASSERT_TRUE(out.has_value()) << path << out.error().what;
    EXPECT_EQ(differences(table_of(text), table_of(*out)), named) << path;
    EXPECT_EQ(out->find("127.0.0.1"), text.find("127.0.0.1"));
    if (graph.lock_version() != "2") continue;
    EXPECT_EQ(differences(table_of(second_tree(text)), table_of(second_tree(*out))), named) << path;
  }
}

}  // namespace
}  // namespace cg::edit
