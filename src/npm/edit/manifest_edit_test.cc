#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "npm/edit/collate.h"
#include "npm/edit/edit.h"
#include "support/support.h"

namespace cg::edit {
namespace {

using npm::EdgeKind;
using test::replaced;

const std::string kManifest = R"({
  "name": "shop",
  "dependencies": {
    "express": "^4.0.0",
    "pet":"npm:cat@^2.0.0"
  },
  "devDependencies": { "express": "^4.0.0" },
  "peerDependencies": {
    "react": ">=16"
  },
  "scripts": {}
}
)";

std::string edited_manifest(const std::string& text, const ManifestEdit& edit) {
  auto out = edit_manifest(text, edit);
  if (!out) ADD_FAILURE() << out.error().what;
  return out ? *out : std::string();
}

std::string ruled(const std::string& text, std::vector<OverrideRule> rules) {
  return edited_manifest(text, {"package.json", {}, std::move(rules)});
}

EditError::Kind refused_manifest(const std::string& text, const ManifestEdit& edit) {
  auto out = edit_manifest(text, edit);
  EXPECT_FALSE(out.has_value());
  return out ? EditError::Kind::shape : out.error().kind;
}

TEST(ManifestEdit, OnlyTheNamedRangeChanges) {
  EXPECT_EQ(edited_manifest(kManifest, {}), kManifest);
  ManifestEdit edit;
  edit.asks = {{"", "express", "^4.0.0", "^4.17.3", EdgeKind::dev},
               {"", "pet", "npm:cat@^2.0.0", "npm:cat@^2.1.0", EdgeKind::prod},
               {"", "react", ">=16", ">=17", EdgeKind::peer_optional}};
  std::string wanted =
      replaced(kManifest, "{ \"express\": \"^4.0.0\" }", "{ \"express\": \"^4.17.3\" }");
  wanted = replaced(wanted, "cat@^2.0.0", "cat@^2.1.0");
  EXPECT_EQ(edited_manifest(kManifest, edit), replaced(wanted, ">=16", ">=17"));
}

TEST(ManifestEdit, AMarkAtTheStartAndOneLineStay) {
  ManifestEdit edit;
  edit.asks = {{"", "a", "1", "2", EdgeKind::prod}};
  edit.overrides = {{{"b", "c"}, "3"}};
  EXPECT_EQ(edited_manifest("\xEF\xBB\xBF{\"dependencies\":{\"a\":\"1\"}}", edit),
            "\xEF\xBB\xBF{\"dependencies\":{\"a\":\"2\"},\"overrides\":{\"b\":{\"c\":\"3\"}}}");
  EXPECT_EQ(
      edited_manifest("{\"dependencies\": {\"a\": \"1\"}, \"x\": 1}\n", edit),
      "{\"dependencies\": {\"a\": \"2\"}, \"overrides\": {\"b\": {\"c\": \"3\"}}, \"x\": 1}\n");
}

TEST(ManifestEdit, ANewRuleStandsBehindTheDependencies) {
  EXPECT_EQ(ruled(kManifest, {{{"express", "qs"}, "6.7.3"}, {{"ms@^2.0.0"}, "2.1.3"}}),
            replaced(kManifest, "  \"peerDependencies\"", R"(  "overrides": {
    "express": {
      "qs": "6.7.3"
    },
    "ms@^2.0.0": "2.1.3"
  },
  "peerDependencies")"));
  EXPECT_EQ(ruled("{\r\n\t\"name\": \"x\"\r\n}", {{{"a"}, "1"}}),
            "{\r\n\t\"name\": \"x\",\r\n\t\"overrides\": {\r\n\t\t\"a\": \"1\"\r\n\t}\r\n}");
  EXPECT_EQ(ruled("{}", {{{"a"}, "1"}}), "{\"overrides\":{\"a\":\"1\"}}");
}

TEST(ManifestEdit, RulesThatAreThereAreMergedWith) {
  const std::string text = R"({
  "overrides": {
    "z": "1",
    "express": "4",
    "a": {
      "b": "1"
    }
  }
}
)";
  std::string wanted = replaced(text, "\"express\": \"4\"", R"("express": {
      ".": "4",
      "qs": "6.7.3"
    })");
  EXPECT_EQ(ruled(text, {{{"express", "qs"}, "6.7.3"}}), wanted);
  EXPECT_EQ(ruled(text, {{{"z"}, "2"}}), replaced(text, "\"z\": \"1\"", "\"z\": \"2\""));
  EXPECT_EQ(ruled(text, {{{"a"}, "9"}}),
            replaced(text, "\"b\": \"1\"", "\"b\": \"1\",\n      \".\": \"9\""));
  EXPECT_EQ(ruled(text, {{{"a", "c"}, "2"}, {{"a", "b"}, "3"}}),
            replaced(text, "\"b\": \"1\"", "\"b\": \"3\",\n      \"c\": \"2\""));
}

TEST(ManifestEdit, ARuleGoesWithWhatItLeavesEmpty) {
  const std::string with = ruled(kManifest, {{{"express", "qs"}, "6.7.3"}});
  EXPECT_EQ(ruled(with, {{{"express", "qs"}, ""}}), kManifest);
  const std::string two = ruled(with, {{{"ms"}, "2.1.3"}});
  EXPECT_EQ(ruled(two, {{{"express", "qs"}, ""}}), ruled(kManifest, {{{"ms"}, "2.1.3"}}));
  EXPECT_EQ(ruled(two, {{{"ms"}, ""}}), with);
  EXPECT_EQ(ruled("{\"overrides\": {\"a\": \"1\"}}", {{{"a"}, ""}}), "{}");
}

TEST(ManifestEdit, WhatIsNotThereIsRefused) {
  const auto asked = [](Ask ask) { return ManifestEdit{"package.json", {std::move(ask)}, {}}; };
  EXPECT_EQ(refused_manifest(kManifest, asked({"", "none", "1", "2", EdgeKind::prod})),
            EditError::Kind::not_found);
  EXPECT_EQ(refused_manifest(kManifest, asked({"", "x", "1", "2", EdgeKind::optional})),
            EditError::Kind::not_found);
  EXPECT_EQ(refused_manifest(kManifest, asked({"", "pet", "1", "2", EdgeKind::prod})),
            EditError::Kind::shape);
  EXPECT_EQ(refused_manifest(kManifest, {"", {}, {{{"none"}, ""}}}), EditError::Kind::not_found);
  EXPECT_EQ(refused_manifest(kManifest, {"", {}, {{{}, "1"}}}), EditError::Kind::shape);
  EXPECT_EQ(refused_manifest("{\"overrides\": 1}", {"", {}, {{{"a"}, "1"}}}),
            EditError::Kind::shape);
  EXPECT_EQ(refused_manifest("[]", {}), EditError::Kind::shape);
  EXPECT_EQ(refused_manifest("{\"a\": 1, \"a\": 2}", {}), EditError::Kind::shape);
  EXPECT_EQ(refused_manifest("{", {}), EditError::Kind::shape);
}

}  // namespace
}  // namespace cg::edit

namespace cg::edit {
namespace {

TEST(Collate, NamesAreSortedAsNpmSortsThem) {
  const std::vector<std::string> sorted = {"@a/b",
                                           "@a/b-c",
                                           "@a/bc",
                                           "_x",
                                           "a",
                                           "a_b",
                                           "a-b",
                                           "a.b",
                                           "a/b",
                                           "a0",
                                           "a1",
                                           "ab",
                                           "aB",
                                           "Ab",
                                           "AB",
                                           "abc",
                                           "b",
                                           "node_modules/a",
                                           "node_modules/A",
                                           "node_modules/a-b",
                                           "node_modules/a/node_modules/b",
                                           "node_modules/ab"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      const int way = collate(sorted[i], sorted[j]);
      if (sorted[i][0] == '_' || sorted[j][0] == '_') continue;  // below
      EXPECT_EQ(way < 0, i < j) << sorted[i] << " " << sorted[j];
      EXPECT_EQ(way == 0, i == j);
    }
  }
  EXPECT_LT(collate("_x", "@a"), 0);
  EXPECT_LT(collate("-", "@"), 0);
  EXPECT_LT(compare_members({"JSV"}, {"abbrev"}, Alphabet::bytes), 0);
  EXPECT_GT(compare_members({"JSV"}, {"abbrev"}, Alphabet::words), 0);
  EXPECT_LT(collate("z", "\xC3\xA9"), 0);
}

TEST(Collate, MembersAreTextsFirstThenObjectsEachWithItsOwnFirstOnes) {
  const std::vector<Ranked> sorted = {
      {"0", false},           {"12", true},       {"version", false}, {"resolved", false},
      {"cpu", false},         {"license", false}, {"requires", true}, {"packages", true},
      {"dependencies", true}, {"bin", true},      {"engines", true}};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(compare_members(sorted[i], sorted[j], Alphabet::words) < 0, i < j) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace cg::edit
