#include "npm/lockfile/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "npm/lockfile/lock.h"
#include "support/support.h"

namespace cg::lockfile {
namespace {

Graph small() {
  return *read_package_lock(LockKind::package_lock,
                            "{\r\n \"lockfileVersion\": 3, \"packages\": {\"\": {}, "
                            "\"node_modules/a\":{ \"version\" : \"1.0.0\"}}}",
                            nullptr);
}

TEST(Rewrite, ChangesOnlyWhatItIsTold) {
  const Graph graph = small();
  const Node& node = graph.node(graph.at("node_modules/a"));
  EXPECT_EQ(*rewrite(graph, {}), graph.text());
  EXPECT_EQ(*rewrite(graph, {{node.version_at, "1.0.17"}}),
            "{\r\n \"lockfileVersion\": 3, \"packages\": {\"\": {}, "
            "\"node_modules/a\":{ \"version\" : \"1.0.17\"}}}");
}

TEST(Rewrite, AnEscapedVersionIsReplacedWhole) {
  const Graph graph = *read_package_lock(
      LockKind::package_lock,
      R"({"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "\u0031.0.0"}}})",
      nullptr);
  const Node& node = graph.node(graph.at("node_modules/a"));
  EXPECT_EQ(node.version, "1.0.0");
  EXPECT_EQ(*rewrite(graph, {{node.version_at, "2.0.0"}}),
            R"({"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "2.0.0"}}})");
}

TEST(Rewrite, RefusesWhatCannotBeMeant) {
  const Graph graph = small();
  EXPECT_EQ(rewrite(graph, {{{5, 3}, ""}}).error().kind, RewriteError::Kind::outside);
  EXPECT_EQ(rewrite(graph, {{{0, 9999}, ""}}).error().kind, RewriteError::Kind::outside);
  EXPECT_EQ(rewrite(graph, {{{4, 8}, ""}, {{2, 5}, ""}}).error().kind, RewriteError::Kind::overlap);
}

/// The manifests beside a yarn.lock: the root's is enough to read it.
std::vector<Manifest> root_manifest_of(const std::filesystem::path& lock) {
  auto root =
      npm::parse_manifest("package.json", cg::test::read(lock.parent_path() / "package.json"));
  std::vector<Manifest> out;
  if (root) out.push_back(*std::move(root));
  return out;
}

/// Every version that was found is put back where it was found: if any place were wrong
/// by a byte, the file would not come out the same. Returns how many locks there were.
std::size_t put_back_all(const std::filesystem::path& folder) {
  std::size_t locks = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    const auto kind = lock_kind_of(file.path().filename().string());
    if (!kind || !file.is_regular_file()) continue;
    SCOPED_TRACE(file.path().string());
    const std::string text = cg::test::read(file.path());
    const auto graph = read_lock(*kind, text, root_manifest_of(file.path()));
    EXPECT_TRUE(graph.has_value()) << graph.error().what;
    if (!graph) continue;
    EXPECT_EQ(*rewrite(*graph, {}), text);
    std::vector<Change> changes;
    for (const Node& node : graph->nodes()) {
      const auto [begin, end] = node.version_at;
      if (begin == end) continue;
      const std::string written = text.substr(begin, end - begin);
      EXPECT_NE(written.find(std::string(node.version)), std::string::npos) << written;
      changes.push_back({node.version_at, written});
    }
    // pnpm has several copies at one place; one change of it is enough.
    std::sort(changes.begin(), changes.end(),
              [](const Change& a, const Change& b) { return a.where.begin < b.where.begin; });
    changes.erase(std::unique(changes.begin(), changes.end(),
                              [](const Change& a, const Change& b) { return a.where == b.where; }),
                  changes.end());
    EXPECT_EQ(*rewrite(*graph, changes), text);
    ++locks;
  }
  return locks;
}

TEST(Rewrite, EveryCommittedLockfileComesBackUnchanged) {
  EXPECT_GE(put_back_all(std::string(CG_SOURCE_DIR) + "/tests/fixtures/traps"), 30U);
}

TEST(Rewrite, EveryRealLockfileComesBackUnchanged) {
  const auto data = cg::test::data_dir();
  if (!data) GTEST_SKIP() << cg::test::kNoData;
  EXPECT_EQ(put_back_all(*data / "repos"), 60U);
}

}  // namespace
}  // namespace cg::lockfile
