// yarn and pnpm locks of real repositories and of another reader's fixtures.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/lockfile/lock.h"
#include "npm/npm/glob.h"
#include "support/support.h"

namespace cg::lockfile {
namespace {

namespace fs = std::filesystem;

std::vector<std::vector<std::string>> read_tsv(const fs::path& path) {
  const std::string text = test::read(path);
  std::vector<std::vector<std::string>> rows;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    auto& row = rows.emplace_back();
    for (const std::string_view cell : split(line, '\t')) row.emplace_back(cell);
  }
  return rows;
}

/// The manifest of the folder and those of its workspaces.
std::vector<Manifest> manifests_of(const fs::path& folder) {
  std::vector<Manifest> out;
  const auto read = [&](const std::string& path) {
    auto manifest = npm::parse_manifest(path, test::read(folder / path));
    if (manifest) out.push_back(*std::move(manifest));
  };
  if (!fs::exists(folder / "package.json")) return out;
  read("package.json");
  if (out.empty() || out.front().workspaces.empty()) return out;
  const std::vector<std::string> patterns = out.front().workspaces;
  std::set<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "package.json") continue;
    const fs::path relative = entry.path().lexically_relative(folder);
    if (npm::is_workspace(patterns, relative.parent_path().string())) paths.insert(relative);
  }
  for (const std::string& path : paths) read(path);
  return out;
}

bool is_published(const Node& node) {
  return node.source == Source::registry || node.source == Source::tarball ||
         node.source == Source::git;
}

std::string name_version(const Node& node) {
  return std::string(node.name) + "@" + std::string(node.version);
}

bool is_importer(const Node& node) {
  return node.source == Source::root || node.source == Source::workspace;
}

std::string folder_of(const Node& importer) {
  const std::size_t path = importer.resolved.find("@workspace:");
  if (path == std::string_view::npos) return std::string(importer.location);
  const std::string_view folder = importer.resolved.substr(path + 11);
  return folder == "." ? "" : std::string(folder);
}

/// The other reader starts from manifests alone, of which not all were taken along, and
/// knows neither the resolutions nor the catalogs of yarn. The lock of pnpm has it all.
bool is_known(const Graph& lock, const Edge& edge, const std::vector<Manifest>& manifests) {
  if (lock.kind() == LockKind::pnpm) return true;
  const Node& from = lock.node(edge.from);
  const std::string_view range = edge.range.substr(edge.range.starts_with("npm:") ? 4 : 0);
  if (lock.kind() == LockKind::yarn_berry && !is_importer(lock.node(edge.to)) &&
      lock.node(edge.to).location.find(range) == std::string_view::npos) {
    return false;
  }
  if (!is_importer(from)) return true;
  return std::any_of(manifests.begin(), manifests.end(), [&](const Manifest& manifest) {
    return manifest.folder() == folder_of(from) && manifest.find(edge.name) != nullptr;
  });
}

/// What the importers reach over the edges that `follows` accepts.
template <class Follows>
std::vector<bool> reach(const Graph& lock, const Follows& follows) {
  std::vector<bool> seen(lock.nodes().size(), false);
  std::vector<NodeId> open = lock.importers();
  while (!open.empty()) {
    const NodeId from = open.back();
    open.pop_back();
    for (const Edge& edge : lock.edges_of(from)) {
      if (edge.to == kNoNode || seen[edge.to] || !follows(edge)) continue;
      seen[edge.to] = true;
      open.push_back(edge.to);
    }
  }
  return seen;
}

/// What the tables say of each node.
struct Facts {
  std::vector<bool> reached;
  std::vector<bool> prod;
  std::vector<bool> direct;
};

Facts facts_of(const Graph& lock, const std::vector<Manifest>& manifests) {
  Facts facts;
  const auto known = [&](const Edge& edge) { return is_known(lock, edge, manifests); };
  facts.reached = reach(lock, known);
  facts.prod =
      reach(lock, [&](const Edge& edge) { return edge.kind != EdgeKind::dev && known(edge); });
  facts.direct = reach(
      lock, [&](const Edge& edge) { return is_importer(lock.node(edge.from)) && known(edge); });
  return facts;
}

class RealLocks : public testing::Test {
 protected:
  struct Read {
    Graph lock;
    Facts facts;
  };

  void SetUp() override {
    data_ = test::data_dir();
    if (!data_) GTEST_SKIP() << "CG_DATA is not set: the real lockfiles are not there";
  }

  [[nodiscard]] fs::path path_of(const std::vector<std::string>& row) const {
    std::string folder = row[0];
    folder.replace(folder.find('/'), 1, "__");
    return *data_ / "repos" / folder / row[1];
  }

  /// Of a row of the tables: repository, lockfile, kind.
  const Read& read(const std::vector<std::string>& row) {
    const fs::path path = path_of(row);
    auto known = reads_.find(path);
    if (known != reads_.end()) return known->second;
    const std::vector<Manifest> manifests = manifests_of(path.parent_path());
    auto lock = read_lock(*lock_kind_of(path.filename().string()), test::read(path), manifests);
    if (!lock) ADD_FAILURE() << path << ": " << lock.error().what;
    Facts facts = facts_of(*lock, manifests);
    return reads_.emplace(path, Read{*std::move(lock), std::move(facts)}).first->second;
  }

  static bool is_ours(const std::vector<std::string>& row) {
    return row[2].starts_with("yarn") || row[2].starts_with("pnpm");
  }

  std::optional<fs::path> data_;
  std::map<fs::path, Read> reads_;
};

// Three differences of counting, none of finding:
//   - yarn 1: an alias and its real package are two entries; the table counts one.
//   - pnpm: the table counts packages of folders (file:) too.
//   - what a builtin patch of berry takes the place of is reached by nobody.
TEST_F(RealLocks, HoldAsManyPackagesAsAnotherReaderFound) {
  std::size_t locks = 0;
  for (const auto& row : read_tsv(*data_ / "pairs_open.summary.tsv")) {
    if (!is_ours(row)) continue;
    SCOPED_TRACE(row[0] + " " + row[1] + " " + row[2]);
    const auto& [lock, facts] = read(row);
    const bool pnpm = lock.kind() == LockKind::pnpm;
    std::size_t instances = 0;
    std::size_t unreached = 0;
    std::set<std::string> distinct;
    for (NodeId id = 0; id < lock.nodes().size(); ++id) {
      const Node& node = lock.node(id);
      if (!is_published(node) && !(pnpm && node.source == Source::directory)) continue;
      const bool folder = node.source == Source::directory;
      const bool fresh =
          distinct.insert(folder ? std::string(node.location) : name_version(node)).second;
      if (!fresh && lock.kind() == LockKind::yarn_classic) continue;
      ++instances;
      if (!facts.reached[id]) ++unreached;
    }
    EXPECT_EQ(std::to_string(instances), row[3]);
    EXPECT_EQ(std::to_string(distinct.size()), row[4]);
    EXPECT_EQ(std::to_string(unreached), row[5]);
    ++locks;
  }
  EXPECT_EQ(locks, 27U);
}

TEST_F(RealLocks, AnswerEveryRequestOfTheirPackages) {
  for (const auto& row : read_tsv(*data_ / "pairs_open.summary.tsv")) {
    if (!is_ours(row)) continue;
    const Graph& lock = read(row).lock;
    for (const Edge& edge : lock.edges()) {
      const bool peer = edge.kind == EdgeKind::peer || edge.kind == EdgeKind::peer_optional;
      EXPECT_TRUE(peer || edge.to != kNoNode) << row[0] << ": " << lock.node(edge.from).location
                                              << " asks for " << edge.name << "@" << edge.range;
    }
  }
}

TEST_F(RealLocks, PlaceEveryVersionInTheText) {
  for (const auto& row : read_tsv(*data_ / "pairs_open.summary.tsv")) {
    if (!is_ours(row)) continue;
    const Graph& lock = read(row).lock;
    for (const Node& node : lock.nodes()) {
      if (!is_published(node)) continue;
      const std::string_view entry =
          lock.text().substr(node.entry.begin, node.entry.end - node.entry.begin);
      EXPECT_NE(entry.find(node.location.substr(0, node.location.find(", "))), entry.npos);
      EXPECT_EQ(lock.text().substr(node.version_at.begin, node.version.size()), node.version);
      EXPECT_NE(entry.back(), '\n');
    }
  }
}

// The table names package and version, of which there may be several nodes.
TEST_F(RealLocks, AgreeOnEveryVulnerablePackage) {
  std::size_t pairs = 0;
  for (const auto& row : read_tsv(*data_ / "pairs_open.tsv")) {
    if (!is_ours(row)) continue;
    SCOPED_TRACE(row[0] + " " + row[1] + " " + row[3] + "@" + row[4] + ": " + row[5]);
    const auto& [lock, facts] = read(row);
    const bool unreached = row[5].find("(no path from workspace manifests") != std::string::npos;
    const bool pnpm = lock.kind() == LockKind::pnpm;
    bool found = false;
    for (NodeId id = 0; id < lock.nodes().size(); ++id) {
      const Node& node = lock.node(id);
      if (node.name != row[3] || node.version != row[4] || !is_published(node)) continue;
      const bool agrees = facts.direct[id] == (row[11] == "direct") &&
                          facts.prod[id] == (row[12] == "prod") &&
                          (!pnpm || node.flags.optional == (row[13] == "optional"));
      found = found || (unreached ? !facts.reached[id] : agrees);
    }
    EXPECT_TRUE(found);
    ++pairs;
  }
  EXPECT_EQ(pairs, 2366U);
}

/// A fixture of which we say something else than the reference reader.
struct Difference {
  std::string_view file;
  std::string_view ours;  // names and versions, or an error
};

const Difference kDifferences[] = {
    // The reference reader names packages from git, folders and URLs by their keys.
    {"pnpm/commits.yaml",
     "@my-scope/my-other-package@1.0.0 @my-scope/my-package@1.0.0 faker-parser@0.0.1 mocks@20.0.1 "
     "my-bitbucket-package@1.0.0"},
    {"pnpm/tarball.yaml", "@my-org/my-package@3.2.3"},
    // What cannot be named is an error, not a package without a name.
    {"pnpm/exotic.yaml", "error: `github.com/kevva/is-positive` names no package"},
    {"pnpm/files.yaml", "error: `file:../nameless-package` names no package"},
    {"pnpm/invalid-package-path.yaml", "error: `axios@1.2.5` names no package"},
    // Neither is a lockfile.
    {"pnpm/empty.yaml", "error: no lockfileVersion: the text is empty"},
    {"pnpm/not-yaml.txt", "error: the lockfile is not a mapping"},
};

std::string summary(const Result<Graph, LockError>& lock) {
  if (!lock) return "error: " + lock.error().what;
  std::set<std::string> names;
  for (const Node& node : lock->nodes()) {
    if (!is_importer(node)) names.insert(name_version(node));
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

TEST_F(RealLocks, ReadTheFixturesLikeTheReferenceReader) {
  const fs::path folder = *data_ / "vectors/lockfile-fixtures";
  const auto expected = json::parse_json(test::read(folder / "expected-by-reference-reader.json"));
  ASSERT_TRUE(expected);
  std::size_t files = 0;
  for (const auto& [file, value] : *expected->as_object()) {
    const bool yarn = file.starts_with("yarn/");
    if (!yarn && !file.starts_with("pnpm/")) continue;
    ++files;
    const auto lock = yarn ? read_yarn_lock(test::read(folder / file), {})
                           : read_pnpm_lock(test::read(folder / file));
    std::string reference;
    if (value.is_array()) {
      for (const json::Value& name : *value.as_array()) {
        reference += (reference.empty() ? "" : " ") + *name.as_string();
      }
    }
    const auto* const difference =
        std::find_if(std::begin(kDifferences), std::end(kDifferences),
                     [&, &name = file](const Difference& d) { return d.file == name; });
    EXPECT_EQ(summary(lock), difference == std::end(kDifferences) ? reference : difference->ours)
        << file;
  }
  EXPECT_EQ(files, 59U);
}

}  // namespace
}  // namespace cg::lockfile
