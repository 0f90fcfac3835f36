// Direct and transitive, against what a reference reader found in real lockfiles.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>

#include "base/base/text.h"
#include "npm/lockfile/lock.h"
#include "support/support.h"
#include "vuln/provenance/npm_adapter.h"

namespace cg::provenance {
namespace {

namespace fs = std::filesystem;

struct Loaded {
  npm::Graph graph;
  Paths paths;
  std::vector<npm::Manifest> manifests;
  std::string folder;
  std::map<std::string_view, npm::NodeId> by_location;
};

Loaded load(const fs::path& repo, const std::string& lockfile) {
  const fs::path lock = repo / lockfile;
  std::vector<npm::Manifest> manifests;
  auto manifest =
      npm::parse_manifest("package.json", test::read(lock.parent_path() / "package.json"));
  EXPECT_TRUE(manifest);
  manifests.push_back(*std::move(manifest));
  auto graph = lockfile::read_lock(*lockfile::lock_kind_of(lock.filename().string()),
                                   test::read(lock), manifests);
  EXPECT_TRUE(graph) << lock;
  const std::size_t slash = lockfile.rfind('/');
  Loaded out{*std::move(graph),
             Paths(npm::GraphBuilder({}, "").finish()),
             std::move(manifests),
             slash == std::string::npos ? "" : lockfile.substr(0, slash),
             {}};
  out.paths = Paths(out.graph);
  for (npm::NodeId id = 0; id < out.graph.nodes().size(); ++id) {
    out.by_location[out.graph.node(id).location] = id;
  }
  return out;
}

TEST(RealLocks, DirectAndTransitiveAreWhatTheReferenceSays) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the pairs are not there";
  }
  const std::string table = test::read(*data / "pairs_open.tsv");
  std::map<std::string, Loaded> locks;
  std::map<std::string, std::size_t> counts;
  std::size_t rows = 0;
  std::size_t wrong = 0;
  for (const std::string_view line : split(table, '\n')) {
    const std::vector<std::string_view> cells = split(line, '\t');
    if (cells.size() < 12 || !cells[2].starts_with("npm-")) continue;
    std::string repo(cells[0]);
    repo.replace(repo.find('/'), 1, "__");
    const std::string key = repo + "/" + std::string(cells[1]);
    auto found = locks.find(key);
    if (found == locks.end()) {
      found = locks.emplace(key, load(*data / "repos" / repo, std::string(cells[1]))).first;
    }
    const Loaded& lock = found->second;
    const auto id = lock.by_location.find(cells[5]);
    ASSERT_NE(id, lock.by_location.end()) << line;
    const Provenance provenance =
        classify({lock.graph, lock.paths, lock.folder, lock.manifests}, id->second);
    const std::string kind(kind_name(provenance));
    ++rows;
    ++counts[std::string(cells[11]) + " as " + kind];
    // Inside of a holder it does not matter who asks.
    const bool agrees = kind == "app_vendored" || kind == "app_" + std::string(cells[11]);
    if (!agrees && ++wrong <= 10) ADD_FAILURE() << line << "\n" << describe(provenance);
  }
  for (const auto& [what, count] : counts) std::cout << count << " " << what << "\n";
  std::cout << rows << " pairs of " << locks.size() << " locks, " << wrong << " wrong\n";
  EXPECT_GE(rows, 4'000U);
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace cg::provenance
