// The tree of `dependencies`: version 1 alone, and beside `packages` in version 2.
#include <gtest/gtest.h>

#include <random>

#include "edit/lock_samples.h"

namespace cg::edit {
namespace {

using namespace samples;
using npm::EdgeKind;
using registry::Release;

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

Release made(const std::string& name, const std::string& version) {
  Release release;
  release.name = name;
  release.version = version;
  release.integrity = "sha512-" + name + version;
  release.tarball = "http://localhost:4873/" + name + "/-/" + name + "-" + version + ".tgz";
  return release;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) ADD_FAILURE() << "no " << from;
  return text.replace(at, from.size(), to);
}

/// The second tree of a lock of version 2, alone.
std::string second(const std::string& text) {
  const std::size_t packages = text.find("  \"packages\"");
  const std::size_t tree = text.find("  \"dependencies\": {\n    \"a\"");
  return replaced(text.substr(0, packages) + text.substr(tree), "\"lockfileVersion\": 2",
                  "\"lockfileVersion\": 1");
}

TEST(TreeEdit, ACopyOfVersionOneChangesInItsPlace) {
  const Release b = made("b", "2.0.1");
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
  Release b = made("b", "2.0.0");
  b.integrity = "sha512-b2";
  LockEdit back;
  back.put.push_back({"node_modules/a/node_modules/b", &b, {}});
  EXPECT_EQ(edited(out, back), kOne);
}

TEST(TreeEdit, NewCopiesInNewCopiesAreOneEntry) {
  Release x = made("x", "1.0.0");
  x.needs = {
      {"y", "^1.0.0", EdgeKind::prod}, {"o", "1", EdgeKind::optional}, {"p", "*", EdgeKind::peer}};
  const Release y = made("y", "1.0.0");
  const Release z = made("z", "3.0.0");
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
  const Release cat = made("cat", "2.1.0");
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
  Release a = made("a", "1.1.0");
  a.needs = {{"b", "^2.0.0", EdgeKind::prod}, {"c", "1", EdgeKind::prod}};
  const Release c = made("c", "1.0.0");
  LockEdit edit;
  edit.put = {{"node_modules/a", &a, {.dev = true}}, {"node_modules/a/node_modules/c", &c, {}}};
  const std::string out = edited(kTwo, edit);
  Table one = table_of(out);
  Table two = table_of(second(out));
  EXPECT_EQ(one["node_modules/a"],
            "a 1.1.0 https://registry.example/a/-/a-1.1.0.tgz sha512-a1.1.0 dev b@^2.0.0 c@1");
  // What a rule of the root made of the range stays.
  EXPECT_EQ(two["node_modules/a"],
            "a 1.1.0 https://registry.example/a/-/a-1.1.0.tgz sha512-a1.1.0 dev b@2.0.0-ruled c@1");
  EXPECT_EQ(one["node_modules/a/node_modules/c"],
            "c 1.0.0 https://registry.example/c/-/c-1.0.0.tgz sha512-c1.0.0");
  EXPECT_EQ(two["node_modules/a/node_modules/c"], one["node_modules/a/node_modules/c"]);
}

TEST(TreeEdit, WhatIsInAWorkspaceIsBelowItsLinkInTheSecondTree) {
  const Release b = made("b", "2.0.1");
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
  Release a = made("a", "1.1.0");
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
  const Release b = made("b", "1.0.0");
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
    const Release release = made("b", "9.0.0");
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
