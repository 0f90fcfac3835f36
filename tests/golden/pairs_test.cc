// Every (location, package, version, advisory) that node-semver found, and no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "real.h"

namespace cg::test {
namespace {

using Pairs = std::multiset<std::string>;

/// yarn and pnpm have no folders; there a copy is known by name and version. For npm the
/// lock itself says what is direct and what only development needs, so that counts too.
std::string pair_of(const std::string& lockfile, const std::string& location,
                    const std::string& package, const std::string& version,
                    const std::string& advisory, bool direct, bool dev) {
  const std::string pair = package + " " + version + " " + advisory;
  if (!lockfile.ends_with("package-lock.json")) return lockfile + " " + pair;
  return lockfile + " " + location + " " + pair + (direct ? " direct" : "") + (dev ? " dev" : "");
}

std::map<std::string, Pairs> expected_pairs(const std::filesystem::path& file) {
  const std::string text = read(file);
  const auto lines = split(text, '\n');
  const auto titles = split(lines.at(0), '\t');
  const auto column = [&](std::string_view title) {
    return static_cast<std::size_t>(std::find(titles.begin(), titles.end(), title) -
                                    titles.begin());
  };
  std::map<std::string, Pairs> out;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = split(lines[i], '\t');
    if (cells.size() < titles.size()) continue;
    const auto cell = [&](std::string_view title) { return std::string(cells.at(column(title))); };
    out[cell("repo")].insert(
        pair_of(cell("lockfile"), cell("path"), cell("package"), cell("version"), cell("advisory"),
                cell("direct_or_transitive") == "direct", cell("dev_or_prod") == "dev"));
  }
  return out;
}

Pairs found_pairs(const json::Value& scan) {
  Pairs out;
  for (const json::Value& finding : *scan.find("findings")->as_array()) {
    const auto text = [&](const char* key) { return *finding.find(key)->as_string(); };
    out.insert(pair_of(text("lockfile"), text("location"), text("package"), text("version"),
                       text("advisory"), *finding.find("direct")->as_bool(),
                       *finding.find("dev")->as_bool()));
  }
  return out;
}

/// What `a` has more than `b`, a line each.
std::string surplus(const Pairs& a, const Pairs& b) {
  std::vector<std::string> out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  std::string text;
  for (const std::string& line : out) text += "\n  " + line;
  return text;
}

TEST(Golden, ScanFindsExactlyTheKnownPairs) {
  const auto workspace = RealWorkspace::make();
  if (!workspace) GTEST_SKIP() << kNoData;
  auto expected = expected_pairs(workspace->data() / "pairs_open.tsv");
  std::size_t repositories = 0;
  std::size_t pairs = 0;
  for (const auto& folder : workspace->repositories()) {
    SCOPED_TRACE(folder.filename().string());
    const Ran ran = workspace->codegenie({"scan", folder, "--format", "json", "-q"});
    ASSERT_EQ(ran.exit, 0) << ran.err;
    const auto scan = json::parse_json(ran.out, {.max_bytes = ran.out.size()});
    ASSERT_TRUE(scan.has_value());
    std::string name = folder.filename();
    name.replace(name.find("__"), 2, "/");
    const Pairs found = found_pairs(*scan);
    EXPECT_EQ(surplus(expected[name], found), "") << "not found";
    EXPECT_EQ(surplus(found, expected[name]), "") << "found, but not known";
    ++repositories;
    pairs += found.size();
    expected.erase(name);
  }
  EXPECT_TRUE(expected.empty()) << "repositories that were not scanned";
  std::cout << repositories << " repositories, " << pairs << " pairs found\n";
  EXPECT_EQ(pairs, 6849U);
}

}  // namespace
}  // namespace cg::test
