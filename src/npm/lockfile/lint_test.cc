#include "npm/lockfile/lint.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cg::lockfile
