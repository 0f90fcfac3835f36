#include <gtest/gtest.h>

#include "npm/edit/lock_samples.h"
#include "support/support.h"

namespace cg::edit {
namespace {

using namespace samples;
using npm::EdgeKind;
using registry::Release;
using test::replaced;

const std::string kLock = R"({
  "name": "shop",
  "version": "1.0.0",
  "lockfileVersion": 3,
  "requires": true,
  "packages": {
    "": {
      "name": "shop",
      "version": "1.0.0",
      "license": "MIT",
      "workspaces": [
        "packages/*"
      ],
      "dependencies": {
        "a": "^1.0.0",
        "pet": "npm:cat@^2.0.0"
      },
      "devDependencies": {
        "d": "~1.0.0"
      }
    },
    "node_modules/a": {
      "version": "1.0.0",
      "resolved": "https://registry.example/a/-/a-1.0.0.tgz",
      "integrity": "sha512-a1",
      "license": "MIT",
      "dependencies": {
        "b": "^1.0.0",
        "c": "^1.0.0"
      },
      "bin": {
        "a": "cli.js"
      },
      "engines": {
        "node": ">=4"
      }
    },
    "node_modules/b": {
      "version": "1.0.0",
      "resolved": "https://registry.example/b/-/b-1.0.0.tgz",
      "integrity": "sha512-b1",
      "custom": "kept",
      "license": "MIT"
    },
    "node_modules/d": {
      "version": "1.0.0",
      "resolved": "https://registry.example/d/-/d-1.0.0.tgz",
      "integrity": "sha512-d1",
      "dev": true,
      "license": "MIT"
    },
    "node_modules/pet": {
      "name": "cat",
      "version": "2.0.0",
      "resolved": "https://registry.example/cat/-/cat-2.0.0.tgz",
      "integrity": "sha512-cat2",
      "license": "MIT"
    },
    "node_modules/w": {
      "resolved": "packages/w",
      "link": true
    },
    "packages/w": {
      "version": "0.1.0",
      "license": "MIT",
      "dependencies": {
        "b": "^1.0.0"
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
  const std::string base = name.substr(name.find('/') + 1);
  release.tarball = "http://127.0.0.1:4873/" + name + "/-/" + base + "-" + version + ".tgz";
  release.license = "MIT";
  return release;
}

std::string everywhere(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

LockEdit put(const std::string& location, const Release& release, npm::Flags flags = {}) {
  LockEdit edit;
  edit.put.push_back({location, &release, flags});
  return edit;
}

TEST(PackageLockEdit, AnEmptyEditGivesTheSameBytes) { EXPECT_EQ(edited(kLock, {}), kLock); }

TEST(PackageLockEdit, OfACopyOnlyWhatDiffersChanges) {
  const Release release = made("b", "1.0.1");
  std::string wanted = replaced(kLock, R"("version": "1.0.0",
      "resolved": "https://registry.example/b/-/b-1.0.0.tgz",
      "integrity": "sha512-b1")",
                                R"("version": "1.0.1",
      "resolved": "https://registry.example/b/-/b-1.0.1.tgz",
      "integrity": "sha512-b1.0.1")");
  EXPECT_EQ(edited(kLock, put("node_modules/b", release)), wanted);
}

TEST(PackageLockEdit, MetadataOfTheReleaseReplacesThatOfTheOldOne) {
  Release release = made("a", "1.1.0");
  release.needs = {{"b", "^1.0.0", EdgeKind::prod},
                   {"e", "1", EdgeKind::prod},
                   {"f", "2", EdgeKind::optional},
                   {"p", "3", EdgeKind::peer},
                   {"q", "4", EdgeKind::peer_optional}};
  release.engines = {{"npm", ">=6"}, {"node", ">=10"}};
  release.bin = {{"@s/a", "./bin/../cli.js"}, {"b", "/b.js"}};
  release.os = {"linux", "darwin"};
  release.deprecated = "use \"b\"";
  release.install_script = true;
  release.funding = "https://fund.example";
  const std::string lock = replaced(kLock, R"("dev": true,
      "license": "MIT")",
                                    R"("dev": true,
      "license": "MIT",
      "funding": {
        "url": "https://other.example"
      })");
  const std::string out = edited(lock, put("node_modules/a", release));
  const std::size_t begin = out.find("\"node_modules/a\"");
  EXPECT_EQ(out.substr(begin, out.find("    \"node_modules/b\"") - begin), R"("node_modules/a": {
      "version": "1.1.0",
      "resolved": "https://registry.example/a/-/a-1.1.0.tgz",
      "integrity": "sha512-a1.1.0",
      "deprecated": "use \"b\"",
      "hasInstallScript": true,
      "license": "MIT",
      "os": [
        "linux",
        "darwin"
      ],
      "dependencies": {
        "b": "^1.0.0",
        "e": "1"
      },
      "bin": {
        "a": "cli.js",
        "b": "b.js"
      },
      "engines": {
        "node": ">=10",
        "npm": ">=6"
      },
      "funding": {
        "url": "https://fund.example"
      },
      "optionalDependencies": {
        "f": "2"
      },
      "peerDependencies": {
        "p": "3",
        "q": "4"
      },
      "peerDependenciesMeta": {
        "q": {
          "optional": true
        }
      }
    },
)");
}

TEST(PackageLockEdit, FieldsThatNoEntryHasAreNotBegunWith) {
  Release release = made("b", "1.0.1");
  release.funding = "https://fund.example";
  release.license = "ISC";
  // Only a lock of some length shows that it has none.
  EXPECT_NE(edited(kLock, put("node_modules/b", release)).find("funding"), std::string::npos);
  std::string dozens = kLock;
  const std::size_t last = dozens.rfind("    \"node_modules/");
  for (int i = 0; i < 30; ++i) {
    dozens.insert(last, "    \"node_modules/n" + std::to_string(i) +
                            "\": {\n      \"version\": \"1.0.0\"\n    },\n");
  }
  EXPECT_EQ(edited(dozens, put("node_modules/b", release)).find("funding"), std::string::npos);
  std::string bare = everywhere(kLock, ",\n      \"license\": \"MIT\"\n", "\n");
  bare = everywhere(bare, "      \"license\": \"MIT\",\n", "");
  EXPECT_EQ(edited(bare, put("node_modules/b", release)).find("ISC"), std::string::npos);
  EXPECT_NE(edited(kLock, put("node_modules/b", release)).find("ISC"), std::string::npos);
}

TEST(PackageLockEdit, AnAddedCopyStandsWhereNpmSortsIt) {
  const Release c = made("c", "1.2.0");
  const Release scoped = made("@s/x", "1.0.0");
  const Release nested = made("b", "2.0.0");
  LockEdit edit = put("node_modules/c", c, {.dev = true});
  edit.put.push_back({"node_modules/a/node_modules/b", &nested, {}});
  edit.put.push_back({"node_modules/@s/x", &scoped, {}});
  edit.put.push_back({"packages/w/node_modules/c", &c, {}});
  const std::string out = edited(kLock, edit);
  std::string keys;
  const npm::Graph graph = read_lock(out);
  for (const npm::Node& node : graph.nodes()) keys += std::string(node.location) + "\n";
  EXPECT_EQ(keys,
            "\nnode_modules/@s/x\nnode_modules/a\nnode_modules/a/node_modules/b\nnode_modules/b\n"
            "node_modules/c\nnode_modules/d\nnode_modules/pet\nnode_modules/w\npackages/w\n"
            "packages/w/node_modules/c\n");
  EXPECT_NE(out.find(R"(    "node_modules/c": {
      "version": "1.2.0",
      "resolved": "https://registry.example/c/-/c-1.2.0.tgz",
      "integrity": "sha512-c1.2.0",
      "dev": true,
      "license": "MIT"
    },
)"),
            std::string::npos);
  EXPECT_NE(out.find("https://registry.example/@s/x/-/x-1.0.0.tgz"), std::string::npos);
  LockEdit back;
  for (const PutCopy& added : edit.put) back.removed.push_back(added.location);
  EXPECT_EQ(edited(out, back), kLock);
}

TEST(PackageLockEdit, RemovingTheFirstTheLastOrAllLeavesJson) {
  const std::vector<std::string> all = {"node_modules/a", "node_modules/b", "node_modules/d"};
  std::string lock = R"({"lockfileVersion": 3, "packages": {)";
  for (const std::string& location : all)
    lock += "\"" + location + "\": {\"version\": \"1.0.0\"}, ";
  lock.resize(lock.size() - 2);
  lock += "}}";
  for (unsigned which = 0; which < 8; ++which) {
    LockEdit edit;
    for (unsigned i = 0; i < 3; ++i) {
      if ((which >> i & 1U) != 0) edit.removed.push_back(all[i]);
    }
    const std::string out = edited(lock, edit);
    EXPECT_EQ(table_of(out).size(), 3 - edit.removed.size()) << out;
    const Release z = made("z", "1.0.0");
    edit.put.push_back({"node_modules/z", &z, {}});
    EXPECT_EQ(table_of(edited(lock, edit)).size(), 4 - edit.removed.size());
  }
}

TEST(PackageLockEdit, AnAliasKeepsItsFolderAndSaysItsName) {
  const Release cat = made("cat", "2.0.5");
  const std::string out = edited(kLock, put("node_modules/pet", cat));
  EXPECT_NE(out.find("\"name\": \"cat\",\n      \"version\": \"2.0.5\",\n      \"resolved\": "
                     "\"https://registry.example/cat/-/cat-2.0.5.tgz\""),
            std::string::npos);
  const std::string added = edited(kLock, put("node_modules/dog", cat));
  EXPECT_NE(added.find("\"node_modules/dog\": {\n      \"name\": \"cat\",\n"), std::string::npos);
}

TEST(PackageLockEdit, FlagsAloneChangeNothingElse) {
  LockEdit edit;
  edit.reflagged.push_back({"node_modules/d", {}});
  edit.reflagged.push_back({"node_modules/b", {.dev_optional = true, .peer = true}});
  std::string wanted = replaced(kLock, "      \"dev\": true,\n", "");
  wanted = replaced(wanted, "\"custom\": \"kept\",\n      \"license\": \"MIT\"\n",
                    "\"custom\": \"kept\",\n      \"devOptional\": true,\n      \"license\": "
                    "\"MIT\",\n      \"peer\": true\n");
  EXPECT_EQ(edited(kLock, edit), wanted);
}

TEST(PackageLockEdit, RequestsChangeInTheEntryOfTheImporter) {
  LockEdit edit;
  edit.asks.push_back({"", "d", "~1.0.0", "~1.2.0", EdgeKind::dev});
  edit.asks.push_back({"", "pet", "npm:cat@^2.0.0", "npm:cat@^3.0.0", EdgeKind::prod});
  edit.asks.push_back({"packages/w", "b", "^1.0.0", "^1.5.0", EdgeKind::prod});
  std::string wanted = replaced(kLock, "~1.0.0", "~1.2.0");
  wanted = replaced(wanted, "npm:cat@^2.0.0", "npm:cat@^3.0.0");
  wanted = replaced(wanted, "\"b\": \"^1.0.0\"\n      }\n    }\n  }",
                    "\"b\": \"^1.5.0\"\n      }\n    }\n  }");
  EXPECT_EQ(edited(kLock, edit), wanted);
}

TEST(PackageLockEdit, LineEndsIndentationAndTheEndOfTheFileAreThoseOfTheFile) {
  const Release a = made("a", "1.1.0");
  Release c = made("c", "1.0.0");
  c.needs = {{"x", "1", EdgeKind::prod}, {"y", "1", EdgeKind::prod}};
  c.os = {"linux"};
  LockEdit edit = put("node_modules/a", a);
  edit.put.push_back({"node_modules/c", &c, {.peer = true}});
  edit.removed = {"node_modules/d"};
  const std::string plain = edited(kLock, edit);
  const auto same = [&](const auto& restyle) {
    EXPECT_EQ(edited(restyle(kLock), edit), restyle(plain));
  };
  same([](const std::string& text) { return everywhere(text, "\n", "\r\n"); });
  same([](const std::string& text) { return everywhere(text, "  ", "\t"); });
  same([](const std::string& text) { return everywhere(text, "  ", "    "); });
  same([](const std::string& text) { return text.substr(0, text.size() - 1); });
  same([](const std::string& text) { return json::write_json(*json::parse_json(text)); });
}

TEST(PackageLockEdit, AnAddressIsSpeltAsTheLockSpellsThem) {
  const Release b = made("b", "1.0.1");
  const Release scoped = made("@s/x", "1.0.0");
  const auto with = [&](const std::string& prefix) {
    return everywhere(kLock, "https://registry.example/", prefix);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find("\"" + part + "\"") != std::string::npos;
  };
  for (const std::string prefix :
       {"http://mirror.example/", "https://m.example:8443/api/npm/all/"}) {
    EXPECT_TRUE(has(edited(with(prefix), put("node_modules/b", b)), prefix + "b/-/b-1.0.1.tgz"));
    EXPECT_TRUE(
        has(edited(with(prefix), put("node_modules/@s/x", scoped)), prefix + "@s/x/-/x-1.0.0.tgz"));
  }
  const std::string spelt = replaced(kLock, "\"node_modules/a\": {", R"("node_modules/@s/y": {
      "version": "1.0.0",
      "resolved": "https://scope.example/@s%2fy/-/y-1.0.0.tgz"
    },
    "node_modules/a": {)");
  EXPECT_TRUE(has(edited(spelt, put("node_modules/@s/x", scoped)),
                  "https://scope.example/@s%2fx/-/x-1.0.0.tgz"));
  Release odd = b;
  odd.tarball = "http://localhost/x/b/-/@s/b-1.0.1.tar.gz?token=1#2";
  EXPECT_TRUE(has(edited(kLock, put("node_modules/b", odd)),
                  "https://registry.example/b/-/@s/b-1.0.1.tar.gz"));
  // An address that only its own registry can tell.
  const std::string other = replaced(kLock, "https://registry.example/b/-/b-1.0.0.tgz",
                                     "https://p.example/download/b/1.0.0/0a1b");
  EXPECT_EQ(edited(other, put("node_modules/b", b)).find("b-1.0.1.tgz"), std::string::npos);
  odd.tarball = "https://p.example/download/b/1.0.1/2c3d";
  EXPECT_TRUE(has(edited(other, put("node_modules/b", odd)), odd.tarball));
}

TEST(PackageLockEdit, NoAddressOfThisMachineAndNoneWhereTheLockHasNone) {
  const Release b = made("b", "1.0.1");
  std::string none = kLock;
  for (std::size_t at = none.find("      \"resolved\": \"https"); at != std::string::npos;
       at = none.find("      \"resolved\": \"https")) {
    none.erase(at, none.find('\n', at) + 1 - at);
  }
  EXPECT_EQ(edited(none, put("node_modules/b", b)).find("tgz"), std::string::npos);
  const std::string local =
      everywhere(kLock, "https://registry.example/", "http://localhost:4873/");
  EXPECT_NE(
      edited(local, put("node_modules/b", b)).find("https://registry.example/b/-/b-1.0.1.tgz"),
      std::string::npos);
  const std::string out = edited(local, put("node_modules/b", b), "http://127.0.0.1:1/");
  EXPECT_EQ(out.find("b-1.0.1.tgz"), std::string::npos);
  EXPECT_EQ(out.find("127.0.0.1"), std::string::npos);
}

TEST(PackageLockEdit, AKeyWithEscapesIsFoundAndKept) {
  const std::string lock = replaced(kLock, "\"node_modules/b\"", R"("node_modules/\u0062")");
  const Release release = made("b", "1.0.1");
  EXPECT_EQ(edited(lock, put("node_modules/b", release)),
            replaced(edited(kLock, put("node_modules/b", release)), "\"node_modules/b\"",
                     R"("node_modules/\u0062")"));
}

TEST(PackageLockEdit, WhatCannotBeMeantIsRefused) {
  using Kind = EditError::Kind;
  const Release b = made("b", "1.0.1");
  EXPECT_EQ(refused(kLock, put("node_modules/w", b)).kind, Kind::unsupported);
  EXPECT_EQ(refused(kLock, put("", b)).kind, Kind::shape);
  EXPECT_EQ(refused(kLock, put("packages/w", b)).kind, Kind::shape);
  LockEdit twice = put("node_modules/b", b);
  twice.removed = {"node_modules/b"};
  EXPECT_EQ(refused(kLock, twice).kind, Kind::shape);
  LockEdit edit;
  edit.removed = {"node_modules/none"};
  EXPECT_EQ(refused(kLock, edit).kind, Kind::not_found);
  edit = {};
  edit.reflagged.push_back({"node_modules/none", {}});
  EXPECT_EQ(refused(kLock, edit).kind, Kind::not_found);
  edit = {};
  edit.asks.push_back({"", "d", "~1.0.1", "~1.2.0", EdgeKind::dev});
  EXPECT_EQ(refused(kLock, edit).kind, Kind::shape);
  edit.asks[0] = {"", "d", "~1.0.0", "~1.2.0", EdgeKind::prod};
  EXPECT_EQ(refused(kLock, edit).kind, Kind::not_found);
  edit.asks[0] = {"packages/none", "d", "~1.0.0", "~1.2.0", EdgeKind::prod};
  EXPECT_EQ(refused(kLock, edit).kind, Kind::not_found);
}

}  // namespace
}  // namespace cg::edit
