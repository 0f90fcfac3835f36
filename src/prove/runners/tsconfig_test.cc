// What a tsconfig.json leads the compiler to.
#include "prove/runners/tsconfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace cg::runners {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Files = std::map<std::string, std::string>;

std::optional<std::vector<std::string>> projects_in(const Files& files) {
  return projects_of([&](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(Tsconfig, HasFilesUnlessItSaysThatItHasNone) {
  for (const char* text :
       {"{}", R"({"files": ["a.ts"]})", R"({"include": ["src"]})",
        R"({"files": [], "include": ["src"]})", R"({"include": [], "files": ["a.ts"]})",
        R"({"extends": "./base.json", "references": []})"}) {
    EXPECT_TRUE(read_tsconfig(text).has_files) << text;
  }
  for (const char* text :
       {R"({"files": []})", R"({"include": []})", R"({"files": [], "include": []})"}) {
    EXPECT_FALSE(read_tsconfig(text).has_files) << text;
  }
}

TEST(Tsconfig, IsReadAsTheCompilerReadsIt) {
  const Tsconfig read = read_tsconfig(
      "\xEF\xBB\xBF// what the editor opens\n"
      "{\n  /* none, */ \"files\": [],\n"
      "  \"compilerOptions\": {\"paths\": {\"@a/*\": [\"// no comment\", \"a\\\"/*b\",],},},\n"
      "  \"references\": [{\"path\": \"./one\"}, {\"path\": \"./two.json\",},\n  ], // both\n}\n");
  EXPECT_FALSE(read.has_files);
  EXPECT_THAT(read.references, ElementsAre("./one", "./two.json"));
}

TEST(Tsconfig, WhatCannotBeReadIsForTheCompilerToComplainOf) {
  for (const char* text : {"", "{", "[]", "{,}", "/*", "\"", "{\"files\": []} {}", "\\", "\"\\"}) {
    EXPECT_TRUE(read_tsconfig(text).has_files) << text;
  }
  EXPECT_TRUE(
      read_tsconfig(std::string(kMaxTsconfigBytes + 1, ' ') + R"({"files": []})").has_files);
}

TEST(Projects, AreTheOneBesideTheManifest) {
  EXPECT_EQ(projects_in({}), std::nullopt);
  EXPECT_EQ(projects_in({{"tsconfig.app.json", "{}"}}), std::nullopt);
  EXPECT_THAT(*projects_in({{"tsconfig.json", R"({"references": [{"path": "lib"}]})"},
                            {"lib/tsconfig.json", "{}"}}),
              ElementsAre("tsconfig.json"));
  EXPECT_THAT(*projects_in({{"tsconfig.json", R"({"files": []})"}}), IsEmpty());
}

TEST(Projects, AreThoseThatAnEmptyOneRefersTo) {
  const Files files = {
      {"tsconfig.json",
       R"({"files": [], "references": [{"path": "./tsconfig.app.json"}, {"path": "packages/"}, {"path": "gone"}]})"},
      {"tsconfig.app.json", R"({"include": ["src"]})"},
      {"packages/tsconfig.json",
       R"({"files": [], "references": [{"path": "./one"}, {"path": "../tsconfig.json"}, {"path": ""}]})"},
      {"packages/one/tsconfig.json", "{}"}};
  EXPECT_THAT(*projects_in(files),
              ElementsAre("tsconfig.app.json", "gone/tsconfig.json", "packages/one/tsconfig.json",
                          "packages/../tsconfig.json"));
}

TEST(Projects, AreBounded) {
  std::string many = R"({"files": [], "references": [)";
  for (int i = 0; i < 100; ++i) many += R"({"path": "p)" + std::to_string(i) + "\"},";
  EXPECT_THAT(*projects_in({{"tsconfig.json", many + "]}"}}), SizeIs(kMaxProjects - 1));
  // One that refers to itself through ever new names ends too.
  const auto endless = projects_of([](const std::string&) {
    return std::optional<std::string>(R"({"files": [], "references": [{"path": "./a"}]})");
  });
  EXPECT_THAT(*endless, IsEmpty());
}

}  // namespace
}  // namespace cg::runners
