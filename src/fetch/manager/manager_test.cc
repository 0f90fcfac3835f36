#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fetch/manager/pick.h"
#include "fetch/manager/wish.h"

namespace cg::manager {
namespace {

using npm::LockKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using By = Wish::By;

Wish wished(const std::string& manifest, LockKind kind, std::string_view lock_version,
            std::string_view yarnrc = "") {
  const auto read = npm::parse_manifest("package.json", manifest);
  EXPECT_TRUE(read.has_value());
  return *wish_of(*read, kind, lock_version, yarnrc);
}

TEST(Wish, NpmComesWithNode) {
  const npm::Manifest manifest;
  EXPECT_FALSE(wish_of(manifest, LockKind::package_lock, "3", "").has_value());
  EXPECT_FALSE(wish_of(manifest, LockKind::npm_shrinkwrap, "3", "").has_value());
}

TEST(Wish, TheFieldDecides) {
  const Wish wish = wished(R"({"packageManager": "pnpm@8.15.4+sha512.00ff",
                               "engines": {"pnpm": "9"}})",
                           LockKind::pnpm, "6.0");
  EXPECT_EQ(wish.by, By::package_manager);
  EXPECT_EQ(wish.package, "pnpm");
  ASSERT_TRUE(wish.exact.has_value());
  EXPECT_EQ(wish.exact->str(), "8.15.4");
  EXPECT_EQ(wish.pin, (Pin{"sha512", "00ff"}));
  EXPECT_EQ(describe(wish), "pnpm 8.15.4");
  EXPECT_THAT(wish.notes, IsEmpty());
  EXPECT_FALSE(wished(R"({"packageManager": "yarn@1.22.22"})", LockKind::yarn_classic, "1").pin);
}

TEST(Wish, YarnIsTwoPackages) {
  EXPECT_EQ(wished(R"({"packageManager": "yarn@1.22.19"})", LockKind::yarn_classic, "1").package,
            "yarn");
  EXPECT_EQ(wished(R"({"packageManager": "yarn@3.6.4"})", LockKind::yarn_berry, "6").package,
            "@yarnpkg/cli-dist");
}

TEST(Wish, WhatCannotBeReadIsToldAndPassedOver) {
  for (const std::string field : {"pnpm@latest", "pnpm@^9", "pnpm@9", "pnpm", "pnpm@",
                                  "pnpm@https://elsewhere.example/pnpm.tgz", "npm@10.0.0"}) {
    const Wish wish = wished(R"({"packageManager": ")" + field + R"("})", LockKind::pnpm, "9.0");
    EXPECT_EQ(wish.by, By::lock) << field;
    EXPECT_FALSE(wish.exact.has_value()) << field;
    EXPECT_EQ(wish.range, "9 || 10") << field;
    ASSERT_EQ(wish.notes.size(), 1U) << field;
    EXPECT_THAT(wish.notes.front(), HasSubstr(field));
  }
  const Wish wish = wished(R"({"engines": {"yarn": "not a range"}, "volta": {"yarn": "1.19.0"}})",
                           LockKind::yarn_classic, "1");
  EXPECT_EQ(wish.by, By::volta);
  EXPECT_EQ(wish.range, "1.19.0");
  EXPECT_EQ(wish.notes.size(), 1U);
}

TEST(Wish, ANoteIsShortAndSafeToShow) {
  const std::string field = "pnpm@\\u001b[2J" + std::string(100'000, 'a');
  const Wish wish = wished(R"({"packageManager": ")" + field + R"("})", LockKind::pnpm, "9.0");
  ASSERT_EQ(wish.notes.size(), 1U);
  EXPECT_LT(wish.notes.front().size(), 300U);
  EXPECT_EQ(wish.notes.front().find('\x1b'), std::string::npos);
}

TEST(Wish, AYarnThatDoesNotWriteTheLockIsPassedOver) {
  EXPECT_EQ(wished(R"({"packageManager": "yarn@4.1.0"})", LockKind::yarn_classic, "1").range, "1");
  EXPECT_EQ(wished(R"({"packageManager": "yarn@1.22.22"})", LockKind::yarn_berry, "8").range,
            ">=4 <4.14");
}

TEST(Wish, TheRepositorysOwnYarnComesAfterTheField) {
  const std::string yarnrc = "yarnPath: .yarn/releases/yarn-3.8.7.cjs\n";
  const Wish own = wished("{}", LockKind::yarn_berry, "6", yarnrc);
  EXPECT_EQ(own.by, By::yarn_path);
  EXPECT_EQ(own.own, ".yarn/releases/yarn-3.8.7.cjs");
  const Wish named =
      wished(R"({"packageManager": "yarn@3.6.4"})", LockKind::yarn_berry, "6", yarnrc);
  EXPECT_EQ(named.by, By::package_manager);
  EXPECT_EQ(named.own, own.own) << "if the other cannot be had";
}

TEST(Wish, TheLockTellsWhoWritesIt) {
  const auto range = [](LockKind kind, std::string_view version) {
    return wished("{}", kind, version).range;
  };
  EXPECT_EQ(range(LockKind::pnpm, "5.4"), "7");
  EXPECT_EQ(range(LockKind::pnpm, "6.0"), "8");
  EXPECT_EQ(range(LockKind::pnpm, "6.1"), "8");
  EXPECT_EQ(range(LockKind::pnpm, "9.0"), "9 || 10");
  EXPECT_EQ(range(LockKind::pnpm, "10.0"), ">=9");
  EXPECT_EQ(range(LockKind::yarn_classic, "1"), "1");
  EXPECT_EQ(range(LockKind::yarn_berry, "4"), "2");
  EXPECT_EQ(range(LockKind::yarn_berry, "5"), "~3.1");
  EXPECT_EQ(range(LockKind::yarn_berry, "6"), ">=3.2 <4");
  EXPECT_EQ(range(LockKind::yarn_berry, "8"), ">=4 <4.14");
  EXPECT_EQ(range(LockKind::yarn_berry, "9"), "~4.14");
  EXPECT_EQ(range(LockKind::yarn_berry, "10"), ">=4.15 <5");
  EXPECT_EQ(range(LockKind::yarn_berry, "12"), ">=4");
}

std::string version(const std::string& number, const std::string& node,
                    const std::string& more = "") {
  return "\"" + number + R"(": {"name": "pnpm", "version": ")" + number +
         R"(", "engines": {"node": ")" + node +
         R"("}, "dist": {"tarball": "https://registry.example/p.tgz",
         "integrity": "sha512-)" +
         std::string(86, 'A') + R"(=="})" + more + "}";
}

registry::Packument published() {
  auto read = registry::Packument::parse(
      "pnpm", R"({"name": "pnpm", "versions": {)" + version("8.15.9", ">=16.14") + "," +
                  version("9.15.4", ">=18.12") + "," +
                  version("9.15.5", ">=18.12", R"(, "deprecated": "no")") + "," +
                  version("10.0.0-rc.1", ">=18.12") + "," + version("10.4.1", ">=18.12") + "," +
                  version("11.0.0", ">=22.13") + "}}");
  EXPECT_TRUE(read.has_value());
  return *std::move(read);
}

std::string picked(const std::string& manifest, std::string_view lock_version,
                   std::string_view node) {
  const registry::Packument packument = published();
  const auto found = pick(packument, wished(manifest, LockKind::pnpm, lock_version), node);
  return found ? packument.version(*found).str() : found.error();
}

TEST(Pick, TheNewestThatWritesTheLockAndRunsHere) {
  EXPECT_EQ(picked("{}", "9.0", "20.1.0"), "10.4.1");
  EXPECT_EQ(picked("{}", "6.0", "20.1.0"), "8.15.9");
  EXPECT_EQ(picked(R"({"engines": {"pnpm": ">=8"}})", "9.0", "22.20.0"), "10.4.1");
  EXPECT_EQ(picked(R"({"engines": {"pnpm": ">=11"}})", "9.0", "22.20.0"), "11.0.0");
  EXPECT_EQ(picked(R"({"engines": {"pnpm": "9"}})", "9.0", "20.1.0"), "9.15.4") << "deprecated";
  EXPECT_EQ(picked(R"({"engines": {"pnpm": ">=9"}})", "6.0", "20.1.0"), "10.4.1");
}

TEST(Pick, TheOneThatIsNamedOrNone) {
  EXPECT_EQ(picked(R"({"packageManager": "pnpm@9.15.5"})", "9.0", "20.1.0"), "9.15.5");
  EXPECT_EQ(picked(R"({"packageManager": "pnpm@9.1.0"})", "9.0", "20.1.0"),
            "pnpm 9.1.0 is not published");
  EXPECT_EQ(picked(R"({"packageManager": "pnpm@11.0.0"})", "9.0", "20.1.0"),
            "pnpm 11.0.0, by packageManager, needs node >=22.13, and this machine has 20.1.0");
  EXPECT_THAT(picked(R"({"engines": {"pnpm": "11"}})", "9.0", "20.1.0"), HasSubstr("needs node"));
  EXPECT_EQ(picked(R"({"engines": {"pnpm": "99"}})", "9.0", "20.1.0"),
            "no version of pnpm 99 is published");
}

}  // namespace
}  // namespace cg::manager
