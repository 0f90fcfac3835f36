// Plans for the real locks of yarn and pnpm: what they promise holds when the edited_manifests
// lock is read again, and nothing else changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "fix/plan/flat.h"
#include "fix/plan/world.h"
#include "npm/lockfile/lock.h"
#include "npm/npm/glob.h"
#include "support/support.h"

namespace cg::plan {
namespace {

namespace fs = std::filesystem;

void load(const fs::path& data, test::World& world) {
  test::read_lines(data / "osv-npm.jsonl", [&](const std::string& line) { world.advise(line); });
  const std::string start = "{\"name\":\"";
  test::read_lines(data / "registry.jsonl", [&](std::string line) {
    if (!line.starts_with(start)) return;
    std::string name = line.substr(start.size(), line.find('"', start.size()) - start.size());
    world.publish(std::move(name), std::move(line));
  });
}

std::vector<npm::Manifest> manifests_of(const fs::path& folder) {
  std::vector<npm::Manifest> out;
  const auto read = [&](const std::string& path) {
    auto manifest = npm::parse_manifest(path, test::slurp(folder / path));
    if (manifest) out.push_back(*std::move(manifest));
  };
  if (!fs::exists(folder / "package.json")) return out;
  read("package.json");
  if (out.empty()) return out;
  std::set<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "package.json") continue;
    const fs::path relative = entry.path().lexically_relative(folder);
    if (npm::is_workspace(out.front().workspaces, relative.parent_path().string())) {
      paths.insert(relative);
    }
  }
  for (const std::string& path : paths) read(path);
  return out;
}

std::vector<npm::Manifest> edited_manifests(std::vector<npm::Manifest> manifests,
                                            const fs::path& repo, const Plan& plan) {
  for (const edit::ManifestEdit& change : plan.manifests) {
    const auto text = edit::edit_manifest(test::slurp(repo / change.path), change);
    EXPECT_TRUE(text) << (text ? "" : text.error().what);
    for (npm::Manifest& manifest : manifests) {
      if (text && manifest.path == change.path) {
        manifest = *npm::parse_manifest(change.path, *text);
      }
    }
  }
  return manifests;
}

std::string name_version(std::string_view name, std::string_view version) {
  return std::string(name) + "@" + std::string(version);
}

std::set<std::string> versions_of(const npm::Graph& graph) {
  std::set<std::string> out;
  for (const npm::Node& node : graph.nodes()) out.insert(name_version(node.name, node.version));
  return out;
}

std::set<std::string> vulnerable_packages(const npm::Graph& graph, const findings::RuleSet& rules) {
  std::set<std::string> out;
  for (const findings::Hit& hit : findings::match_graph(graph, rules).hits) {
    out.insert(name_version(graph.node(hit.node).name, graph.node(hit.node).version));
  }
  return out;
}

std::size_t unmet(const npm::Graph& graph) {
  return static_cast<std::size_t>(
      std::count_if(graph.edges().begin(), graph.edges().end(), [](const npm::Edge& edge) {
        return edge.to == npm::kNoNode && edge.kind != npm::EdgeKind::peer &&
               edge.kind != npm::EdgeKind::peer_optional;
      }));
}

/// What the plan says the lock will have.
std::set<std::string> promised(const npm::Graph& graph, const Plan& plan) {
  std::map<std::string, const registry::Release*> put;
  for (const edit::PutCopy& copy : plan.lock.put) put[copy.location] = copy.release;
  const std::set<std::string> removed(plan.lock.removed.begin(), plan.lock.removed.end());
  std::set<std::string> out;
  for (const npm::Node& node : graph.nodes()) {
    const std::string location(node.location);
    if (removed.contains(location)) continue;
    const auto found = put.find(location);
    out.insert(name_version(node.name, found == put.end() ? node.version : found->second->version));
  }
  return out;
}

struct FlatTally {
  std::size_t copies = 0, fixed = 0;
  std::map<std::string, std::size_t> words;
};

void check_flat(const fs::path& lock, test::World& world, FlatTally& tally) {
  SCOPED_TRACE(lock.string());
  const fs::path repo = lock.parent_path();
  const std::vector<npm::Manifest> manifests = manifests_of(repo);
  const auto kind = *lockfile::lock_kind_of(lock.filename().string());
  auto graph = lockfile::read_lock(kind, test::slurp(lock), manifests);
  ASSERT_TRUE(graph);
  const auto hits = findings::match_graph(*graph, world.rules()).hits;
  const Options options;
  const Input input{lock.filename(), *graph, manifests, hits, world, world, options};
  const Plan plan = plan_flat(input);
  const auto text = graph->kind() == npm::LockKind::pnpm
                        ? edit::edit_pnpm_lock(*graph, plan.lock)
                        : edit::edit_yarn_lock(*graph, plan.lock, "https://registry.example/");
  ASSERT_TRUE(text) << text.error().what;
  const std::vector<npm::Manifest> after_manifests = edited_manifests(manifests, repo, plan);
  auto after = lockfile::read_lock(kind, *text, after_manifests);
  ASSERT_TRUE(after) << after.error().what;
  EXPECT_EQ(versions_of(*after), promised(*graph, plan));
  EXPECT_LE(unmet(*after), unmet(*graph));
  const std::set<std::string> before_bad = vulnerable_packages(*graph, world.rules());
  for (const std::string& bad : vulnerable_packages(*after, world.rules())) {
    EXPECT_TRUE(before_bad.contains(bad)) << bad;
  }
  const auto again = findings::match_graph(*after, world.rules()).hits;
  const Plan second =
      plan_flat({lock.filename(), *after, after_manifests, again, world, world, options});
  for (const Fix& fix : second.fixes) {
    ADD_FAILURE() << "not a fixed point: " << fix.recipe << " " << fix.package << " " << fix.from
                  << " " << fix.to << ": " << fix.why;
  }
  std::size_t fixed = 0;
  for (const Copy& copy : plan.copies) {
    const bool done = copy.fate == Fate::fixed;
    fixed += done ? 1U : 0U;
    ++tally.words[done ? "fixed " + std::string(name(*copy.strategy))
                       : std::string(name(copy.fate)) + " " + std::string(name(copy.blocker))];
    EXPECT_FALSE(copy.reason.empty()) << copy.package;
  }
  EXPECT_EQ(hits.size() - fixed, again.size());
  std::cout << lock.lexically_relative(lock.parent_path().parent_path()).string() << " "
            << name(graph->kind()) << ": " << hits.size() << " findings, " << fixed << " fixed, "
            << plan.lock.put.size() << " put, " << plan.lock.removed.size() << " removed\n";
  if (std::getenv("CG_SHOW") != nullptr) {
    for (const Copy& copy : plan.copies) {
      if (copy.fate == Fate::fixed) continue;
      std::cout << "  " << copy.package << " " << copy.from << ": " << name(copy.blocker) << ": "
                << copy.reason << "\n";
    }
  }
  tally.copies += hits.size();
  tally.fixed += fixed;
}

std::set<fs::path> locks_of(const fs::path& data) {
  std::set<fs::path> locks;
  for (const auto& entry : fs::recursive_directory_iterator(data / "repos")) {
    const std::string file = entry.path().filename();
    if (file == "yarn.lock" || file == "pnpm-lock.yaml") locks.insert(entry.path());
  }
  return locks;
}

/// The lock asks for exactly what the release was published with.
bool same_needs(const npm::Graph& graph, npm::NodeId id, const registry::Release& release) {
  const auto edges = graph.edges_of(id);
  std::size_t known = 0;
  for (const registry::Need& need : release.needs) {
    if (need.kind != npm::EdgeKind::prod && need.kind != npm::EdgeKind::optional) return false;
    known += static_cast<std::size_t>(
        std::count_if(edges.begin(), edges.end(), [&](const npm::Edge& edge) {
          return edge.to != npm::kNoNode && edge.name == need.name && edge.range == need.range;
        }));
  }
  return known == edges.size() && known == release.needs.size();
}

std::vector<std::string> lines_without_checksums(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view line : split(text, '\n')) {
    // Old entries of yarn 1 have no integrity, and get one.
    if (line.starts_with("  checksum: ") || line.starts_with("  integrity ")) continue;
    out.emplace_back(line);
  }
  return out;
}

/// Its version is part of other keys, or yarn installs a patch of it instead.
bool bound(const npm::Graph& graph, npm::NodeId id) {
  const npm::Node& node = graph.node(id);
  for (const std::uint32_t at : graph.edges_to(id)) {
    const npm::EdgeKind kind = graph.edges()[at].kind;
    if (kind == npm::EdgeKind::peer || kind == npm::EdgeKind::peer_optional) return true;
  }
  const std::string inside = "(" + name_version(node.name, node.version);
  if (graph.text().find(inside) != std::string_view::npos) return true;
  const std::string patch = "\"" + std::string(node.name) + "@patch:";
  return graph.text().find(patch) != std::string_view::npos;
}

/// What yarn and pnpm wrote themselves is the measure of how entries are to be written.
void check_written(const fs::path& lock, test::World& world, std::size_t& entries,
                   std::size_t& lines) {
  const std::vector<npm::Manifest> manifests = manifests_of(lock.parent_path());
  const std::string text = test::slurp(lock);
  auto graph =
      lockfile::read_lock(*lockfile::lock_kind_of(lock.filename().string()), text, manifests);
  ASSERT_TRUE(graph);
  edit::LockEdit edit;
  for (npm::NodeId id = 0; id < graph->nodes().size(); ++id) {
    const npm::Node& node = graph->node(id);
    const bool plain = node.source == npm::Source::registry &&
                       node.resolved.find("@patch:") == std::string_view::npos;
    const registry::Packument* packument = plain ? world.get(node.name) : nullptr;
    const auto version = semver::Version::parse(node.version);
    const auto at = packument != nullptr && version ? packument->find(*version) : std::nullopt;
    if (!at || !packument->release(*at).bundled.empty()) continue;
    if (!same_needs(*graph, id, packument->release(*at)) || bound(*graph, id)) continue;
    edit.put.push_back({std::string(node.location), &packument->release(*at), node.flags});
  }
  const auto written = graph->kind() == npm::LockKind::pnpm
                           ? edit::edit_pnpm_lock(*graph, edit)
                           : edit::edit_yarn_lock(*graph, edit, "https://registry.example/");
  if (!written) {
    std::cout << lock.parent_path().filename().string() << ": " << written.error().what << "\n";
    return;
  }
  const std::vector<std::string> before = lines_without_checksums(text);
  const std::vector<std::string> after = lines_without_checksums(*written);
  std::multiset<std::string> added(after.begin(), after.end());
  for (const std::string& line : before) {
    if (const auto found = added.find(line); found != added.end()) added.erase(found);
  }
  std::cout << lock.parent_path().filename().string() << " " << name(graph->kind()) << ": "
            << edit.put.size() << " entries written anew, " << added.size() << " of "
            << before.size() << " lines differ\n";
  std::size_t shown = 0;
  for (const std::string& line : added) {
    if (++shown <= 3) std::cout << "    " << line << "\n";
  }
  entries += edit.put.size();
  lines += added.size();
}

TEST(FlatData, EntriesAreWrittenAsTheirToolsWriteThem) {
  const auto data = cg::test::data_dir();
  if (!data) {
    GTEST_SKIP() << "no data, nothing was looked at";
  }
  test::World world;
  load(*data, world);
  std::size_t entries = 0;
  std::size_t lines = 0;
  for (const fs::path& lock : locks_of(*data)) check_written(lock, world, entries, lines);
  std::cout << entries << " entries, " << lines << " lines differ\n";
  EXPECT_GT(entries, 1000U);
  EXPECT_LT(lines * 20, entries);
}

TEST(FlatData, PlansForRealLocksHoldWhenTheLockIsReadAgain) {
  const auto data = cg::test::data_dir();
  if (!data) {
    GTEST_SKIP() << "no data, nothing was looked at";
  }
  test::World world;
  load(*data, world);
  FlatTally tally;
  for (const fs::path& lock : locks_of(*data)) check_flat(lock, world, tally);
  std::cout << tally.copies << " findings, " << tally.fixed << " fixed\n";
  for (const auto& [word, count] : tally.words) std::cout << "  " << word << " " << count << "\n";
  EXPECT_GT(tally.fixed * 4, tally.copies);
}

}  // namespace
}  // namespace cg::plan
