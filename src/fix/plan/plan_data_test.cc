// Plans for the real package-locks: what they promise holds when the edited lock is
// read again, and nothing that was met is unmet afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "fix/plan/planner.h"
#include "fix/plan/world.h"
#include "npm/lockfile/lock.h"
#include "npm/resolve/place.h"
#include "support/support.h"

namespace cg::plan {
namespace {

namespace fs = std::filesystem;

std::string name_in(const std::string& line) {
  const std::string start = "{\"name\":\"";
  return line.starts_with(start)
             ? line.substr(start.size(), line.find('"', start.size()) - start.size())
             : "";
}

struct Tally {
  std::size_t copies = 0, fixed = 0, entries = 0, added = 0, changed = 0, removed = 0;
  std::map<std::string, std::size_t> reasons, strategies;
};

std::set<std::string> vulnerable(const npm::Graph& graph, const findings::RuleSet& rules) {
  std::set<std::string> out;
  for (const findings::Hit& hit : findings::match_graph(graph, rules).hits) {
    if (!hit.malware) out.insert(std::string(graph.node(hit.node).location));
  }
  return out;
}

/// Manifests as the plan leaves them.
std::vector<npm::Manifest> edited(const std::vector<npm::Manifest>& manifests, const fs::path& repo,
                                  const Plan& plan) {
  std::vector<npm::Manifest> out = manifests;
  for (const edit::ManifestEdit& change : plan.manifests) {
    const auto text = edit::edit_manifest(test::slurp(repo / change.path), change);
    EXPECT_TRUE(text) << (text ? "" : text.error().what);
    if (!text) continue;
    for (npm::Manifest& manifest : out) {
      if (manifest.path == change.path) manifest = *npm::parse_manifest(change.path, *text);
    }
  }
  return out;
}

void check(const fs::path& lock, test::World& world, Tally& tally) {
  const fs::path repo = lock.parent_path();
  std::vector<npm::Manifest> manifests;
  if (auto root = npm::parse_manifest("package.json", test::slurp(repo / "package.json")))
    manifests.push_back(*root);
  const auto kind = lock.filename() == "package-lock.json" ? npm::LockKind::package_lock
                                                           : npm::LockKind::npm_shrinkwrap;
  auto graph = lockfile::read_package_lock(kind, test::slurp(lock),
                                           manifests.empty() ? nullptr : &manifests[0]);
  ASSERT_TRUE(graph);
  const auto hits = findings::match_graph(*graph, world.rules()).hits;
  Options options;
  const Input input{lock.filename(), *graph, manifests, hits, world, world, options};
  const Plan plan = plan_npm(input);
  const auto before = vulnerable(*graph, world.rules());
  std::set<std::string> fixed;
  for (const Copy& copy : plan.copies) {
    if (copy.fate == Fate::fixed) {
      fixed.insert(copy.location);
      if (copy.strategy) ++tally.strategies[std::string(name(*copy.strategy))];
    } else {
      EXPECT_NE(copy.blocker, Blocker::none) << copy.location;
      EXPECT_FALSE(copy.reason.empty());
      ++tally.reasons[std::string(name(copy.blocker))];
      if (std::getenv("CG_WHY") != nullptr)
        std::cout << "  " << copy.location << " " << copy.from << ": " << name(copy.blocker) << " "
                  << copy.reason << "\n";
    }
  }
  if (std::getenv("CG_WHY") != nullptr) {
    for (const Fix& fix : plan.fixes) {
      std::cout << "  step " << fix.touched.size() << " " << fix.recipe << " " << fix.package << " "
                << fix.from << " -> " << fix.to << ": " << fix.why << "\n";
    }
  }
  for (const edit::PutCopy& put : plan.lock.put)
    ++(graph->at(put.location) == npm::kNoNode ? tally.added : tally.changed);
  tally.removed += plan.lock.removed.size();
  const std::size_t entries = plan.lock.put.size() + plan.lock.removed.size();
  std::cout << repo.filename().string() << ": " << before.size() << " copies, " << fixed.size()
            << " fixed, " << entries << " entries, " << plan.overrides.size() << " overrides\n";
  tally.copies += before.size();
  tally.fixed += fixed.size();
  tally.entries += entries;
  const auto text = edit::edit_package_lock(*graph, plan.lock, "https://registry.example/");
  ASSERT_TRUE(text) << text.error().what;
  const auto manifests_after = edited(manifests, repo, plan);
  auto after = lockfile::read_package_lock(kind, *text,
                                           manifests_after.empty() ? nullptr : &manifests_after[0]);
  ASSERT_TRUE(after) << after.error().what;
  for (const std::string& location : vulnerable(*after, world.rules())) {
    EXPECT_TRUE(before.contains(location) && !fixed.contains(location))
        << "still or newly vulnerable: " << location;
  }
  // No need that was met is unmet now.
  const json::Value none;
  resolve::Tree old_tree(*graph,
                         resolve::read_rules(manifests.empty() ? none : manifests[0].overrides));
  resolve::Tree new_tree(
      *after, resolve::read_rules(manifests_after.empty() ? none : manifests_after[0].overrides));
  const auto unmet_before = resolve::unmet(old_tree);
  for (const std::string& need : resolve::unmet(new_tree)) {
    EXPECT_TRUE(std::binary_search(unmet_before.begin(), unmet_before.end(), need))
        << "newly unmet: " << need;
  }
}

TEST(PlanData, RealLocksEndFixedOrExplained) {
  const char* data = std::getenv("CG_DATA");
  if (data == nullptr) {
    GTEST_SKIP() << "CG_DATA is not set: the real lockfiles are not there";
  }
  test::World world;
  test::read_lines(fs::path(data) / "osv-npm.jsonl", [&](std::string line) { world.advise(line); });
  test::read_lines(fs::path(data) / "registry.jsonl", [&](std::string line) {
    std::string name = name_in(line);
    world.publish(std::move(name), std::move(line));
  });
  std::vector<fs::path> locks;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(data) / "repos")) {
    const auto name = entry.path().filename();
    if (name == "package-lock.json" || name == "npm-shrinkwrap.json") locks.push_back(entry.path());
  }
  std::sort(locks.begin(), locks.end());
  Tally tally;
  const char* only = std::getenv("CG_ONLY");
  for (const fs::path& lock : locks) {
    if (only != nullptr && lock.string().find(only) == std::string::npos) continue;
    SCOPED_TRACE(lock.string());
    check(lock, world, tally);
  }
  std::cout << tally.copies << " copies, " << tally.fixed << " fixed, " << tally.entries
            << " entries: " << tally.changed << " changed, " << tally.added << " added, "
            << tally.removed << " removed\n";
  for (const auto& [word, count] : tally.strategies)
    std::cout << "  by " << word << ": " << count << "\n";
  for (const auto& [word, count] : tally.reasons)
    std::cout << "  not fixed, " << word << ": " << count << "\n";
  std::cout << world.missing << " packages that the recorded registry lacks\n";
}

}  // namespace
}  // namespace cg::plan
