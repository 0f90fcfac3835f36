// Every repository of the test data is read, or its error has a name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>

#include "base/json/json.h"
#include "flow/repository/context.h"
#include "support/support.h"

namespace cg::repository {
namespace {

namespace fs = std::filesystem;

std::string kinds_of(const std::vector<Disagreement>& all) {
  std::map<std::string_view, int> counts;
  for (const Disagreement& each : all) ++counts[name(each.kind)];
  std::string out;
  for (const auto& [kind, count] : counts) {
    out += " " + std::string(kind) + "=" + std::to_string(count);
  }
  return out;
}

void print_row(const std::string& repo, const RepoFiles& files, const LoadedLocks& loaded) {
  std::size_t copies = 0;
  for (const LoadedLock& lock : loaded.locks) copies += lock.graph.nodes().size();
  std::cout << std::left << std::setw(56) << repo << std::right << std::setw(6)
            << files.manifests.size() << std::setw(6) << loaded.locks.size() << std::setw(8)
            << copies << std::setw(5) << loaded.errors.size() << std::setw(6) << loaded.notes.size()
            << kinds_of(loaded.disagreements) << "\n";
  for (const FileError& error : loaded.errors) {
    std::cout << "    " << name(error.kind) << ": " << describe(error) << "\n";
  }
}

TEST(RealRepositories, AreReadOrTheirErrorsHaveNames) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the repositories are not there";
  }
  std::vector<fs::path> repos;
  for (const auto& entry : fs::directory_iterator(*data / "repos")) {
    if (entry.is_directory()) repos.push_back(entry.path());
  }
  std::sort(repos.begin(), repos.end());
  EXPECT_GE(repos.size(), 50U);
  std::size_t locks = 0;
  std::size_t errors = 0;
  for (const fs::path& repo : repos) {
    const auto dir = os::Dir::open(repo);
    ASSERT_TRUE(dir);
    const RepoFiles files = discover(*dir);
    const LoadedLocks loaded = load_locks(*dir, files);
    print_row(repo.filename(), files, loaded);
    EXPECT_TRUE(!loaded.locks.empty() || !loaded.errors.empty()) << repo;
    locks += loaded.locks.size();
    errors += loaded.errors.size();
    const json::Value json = to_json(gather(*dir));
    const auto back = json::parse_json(json::write_json(json));
    EXPECT_TRUE(back && *back == json) << repo;
  }
  std::cout << repos.size() << " repositories, " << locks << " lockfiles read, " << errors
            << " errors\n";
}

}  // namespace
}  // namespace cg::repository
