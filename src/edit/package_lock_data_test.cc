// Edits of real locks: what is put back as it was gives back the bytes, and an edit
// changes what it names in both trees and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <iostream>
#include <set>

#include "edit/address.h"
#include "edit/lock_samples.h"
#include "support/support.h"

namespace cg::edit {
namespace {

using namespace samples;
namespace fs = std::filesystem;

constexpr std::size_t kSamples = 50;

std::vector<fs::path> locks() {
  std::vector<fs::path> out;
  const auto data = test::data_dir();
  if (!data) {
    std::cout << "CG_DATA is not set: no real lockfiles\n";
    return out;
  }
  for (const auto& entry : fs::recursive_directory_iterator(*data / "repos")) {
    const std::string name = entry.path().filename();
    if (name == "package-lock.json" || name == "npm-shrinkwrap.json") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_published(const npm::Node& node) {
  return node.source == npm::Source::registry && !node.flags.bundled && !node.version.empty();
}

/// A release has names and ranges for `engines`; one of fifty thousand has a bare text. And
/// not all that is called published has an address of that shape.
bool is_told(const npm::Graph& graph, const npm::Node& node) {
  const std::string_view entry =
      graph.text().substr(node.entry.begin, node.entry.end - node.entry.begin);
  const bool shaped = node.resolved.empty() || prefix_of(node.resolved, node.name);
  return shaped && entry.find("\"engines\": \"") == std::string_view::npos;
}

/// Every so many-th of the copies that `is` accepts, fifty or so.
template <class Is>
std::vector<const npm::Node*> some(const npm::Graph& graph, const Is& is) {
  std::vector<const npm::Node*> all;
  for (const npm::Node& node : graph.nodes()) {
    if (is(node)) all.push_back(&node);
  }
  std::vector<const npm::Node*> out;
  const std::size_t step = std::max<std::size_t>(1, all.size() / kSamples);
  for (std::size_t i = 0; i < all.size(); i += step) out.push_back(all[i]);
  return out;
}

/// The locations that no other lies in.
std::set<std::string_view> leaves_of(const npm::Graph& graph) {
  std::set<std::string_view> all;
  for (const npm::Node& node : graph.nodes()) all.insert(node.location);
  std::set<std::string_view> out;
  for (const std::string_view location : all) {
    const std::string below = std::string(location) + "/node_modules/";
    const auto next = all.lower_bound(below);
    if (next == all.end() || !next->starts_with(below)) out.insert(location);
  }
  return out;
}

struct Tally {
  std::size_t same = 0;
  std::size_t all = 0;
};

TEST(LockEditData, PuttingBackWhatIsThereGivesTheSameBytes) {
  std::map<std::string, Tally> tallies;
  for (const fs::path& path : locks()) {
    const npm::Graph graph = read_lock(test::read(path));
    std::deque<registry::Release> releases;
    LockEdit all;
    for (const npm::Node& node : graph.nodes()) {
      if (!is_published(node) || !is_told(graph, node)) continue;
      releases.push_back(release_at(graph, node));
      all.put.push_back({std::string(node.location), &releases.back(), node.flags});
    }
    Tally& tally = tallies[std::string(graph.lock_version())];
    tally.all += all.put.size();
    const auto out = edit_package_lock(graph, all, "https://registry.example/");
    ASSERT_TRUE(out.has_value()) << path << out.error().what;
    if (*out == graph.text()) {
      tally.same += all.put.size();
      continue;
    }
    ADD_FAILURE() << path;
    std::size_t shown = 0;
    for (const PutCopy& put : all.put) {
      LockEdit one;
      one.put.push_back(put);
      const auto alone = edit_package_lock(graph, one, "https://registry.example/");
      if (alone && *alone == graph.text()) {
        ++tally.same;
        continue;
      }
      const auto differ = std::mismatch(alone->begin(), alone->end(), graph.text().begin());
      if (++shown > 3) continue;
      std::cout << path.parent_path().filename() << " " << put.location << ": "
                << std::string(differ.first, std::min(alone->end(), differ.first + 80)) << "\n";
    }
  }
  for (const auto& [version, tally] : tallies) {
    std::cout << "version " << version << ": " << tally.same << " of " << tally.all
              << " copies put back byte by byte\n";
    EXPECT_EQ(tally.same, tally.all);
  }
}

TEST(LockEditData, RemovingAndAddingALeafGivesTheSameBytes) {
  std::map<std::string, Tally> tallies;
  for (const fs::path& path : locks()) {
    const npm::Graph graph = read_lock(test::read(path));
    const auto bare = leaves_of(graph);
    const auto leaves = some(graph, [&](const npm::Node& node) {
      return is_published(node) && bare.contains(node.location);
    });
    Tally& tally = tallies[std::string(graph.lock_version())];
    std::size_t shown = 0;
    for (const npm::Node* node : leaves) {
      const registry::Release release = release_at(graph, *node);
      LockEdit gone;
      gone.removed.emplace_back(node->location);
      const auto without = edit_package_lock(graph, gone, "https://registry.example/");
      ASSERT_TRUE(without.has_value()) << path << without.error().what;
      const npm::Graph rest = read_lock(*without);
      ASSERT_EQ(rest.nodes().size() + 1, graph.nodes().size());
      LockEdit again;
      again.put.push_back({std::string(node->location), &release, node->flags});
      const auto back = edit_package_lock(rest, again, "https://registry.example/");
      ASSERT_TRUE(back.has_value()) << path << back.error().what;
      ++tally.all;
      if (*back == graph.text()) {
        ++tally.same;
      } else if (++shown <= 2) {
        const auto differ = std::mismatch(back->begin(), back->end(), graph.text().begin());
        std::cout << path.parent_path().filename() << " " << node->location << ": "
                  << std::string(differ.first, std::min(back->end(), differ.first + 80)) << "\n";
      }
    }
  }
  for (const auto& [version, tally] : tallies) {
    std::cout << "version " << version << ": " << tally.same << " of " << tally.all
              << " leaves back byte by byte\n";
    EXPECT_GE(tally.same * 100, tally.all * 90);
  }
}

/// The locations whose lines differ.
std::set<std::string> differences(const Table& a, const Table& b) {
  std::set<std::string> out;
  for (const auto& [location, line] : a) {
    const auto other = b.find(location);
    if (other == b.end() || other->second != line) out.insert(location);
  }
  for (const auto& [location, line] : b) {
    if (!a.contains(location)) out.insert(location);
  }
  return out;
}

/// The second tree of a lock of version 2, as a lock of version 1.
std::string second_tree(const std::string& text) {
  const auto lock = codec::parse_json(text);
  codec::Value::Object out;
  for (const auto& [key, value] : *lock->as_object()) {
    if (key == "dependencies") out.emplace_back(key, value);
  }
  out.emplace_back("lockfileVersion", 1);
  return codec::write_json(codec::Value(std::move(out)));
}

TEST(LockEditData, AnEditChangesWhatItNamesAndNothingElse) {
  for (const fs::path& path : locks()) {
    const std::string text = test::read(path);
    const npm::Graph graph = read_lock(text);
    const auto bare = leaves_of(graph);
    const auto leaves = some(graph, [&](const npm::Node& node) {
      return is_published(node) && node.location.starts_with("node_modules/") &&
             bare.contains(node.location);
    });
    ASSERT_GT(leaves.size(), 8U);
    std::deque<registry::Release> releases;
    LockEdit edit;
    std::set<std::string> named;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      std::string location(leaves[i]->location);
      registry::Release& release = releases.emplace_back(release_at(graph, *leaves[i]));
      release.version = "99.0.0";
      release.integrity = "sha512-new";
      release.tarball = "http://127.0.0.1/" + release.name + "/-/x-99.0.0.tgz";
      npm::Flags flags = leaves[i]->flags;
      flags.dev = !flags.dev;
      flags.dev_optional = false;
      if (i % 4 == 0) edit.removed.push_back(location);
      if (i % 4 == 1) edit.put.push_back({location, &release, leaves[i]->flags});
      if (i % 4 == 2) edit.reflagged.push_back({location, flags});
      if (i % 4 == 3) {
        location += "/node_modules/cg-added";
        edit.put.push_back({location, &release, flags});
      }
      named.insert(location);
    }
    const auto out = edit_package_lock(graph, edit, "https://registry.example/");
    ASSERT_TRUE(out.has_value()) << path << out.error().what;
    EXPECT_EQ(differences(table_of(text), table_of(*out)), named) << path;
    EXPECT_EQ(out->find("127.0.0.1"), text.find("127.0.0.1"));
    if (graph.lock_version() != "2") continue;
    EXPECT_EQ(differences(table_of(second_tree(text)), table_of(second_tree(*out))), named) << path;
  }
}

}  // namespace
}  // namespace cg::edit
