#include <gtest/gtest.h>

#include "npm/lockfile/lock.h"
#include "vuln/findings/assemble.h"
#include "vuln/findings/ignore.h"
#include "vuln/findings/outlook.h"
#include "vuln/findings/select.h"

namespace cg::findings {
namespace {

constexpr Time kToday{1'763'164'800'000};  // 2025-11-15

npm::Graph lock(const std::string& packages) {
  auto graph = lockfile::read_package_lock(
      npm::LockKind::package_lock, R"({"lockfileVersion": 3, "packages": {)" + packages + "}}",
      nullptr);
  EXPECT_TRUE(graph.has_value()) << (graph ? "" : graph.error().what);
  return *std::move(graph);
}

/// Rules for one package: the interval from `introduced` up to `fixed` ("" for none).
class Rules {
 public:
  Rules& add(const std::string& package, const std::string& advisory, const std::string& introduced,
             const std::string& fixed, bool malware = false) {
    advisory::PackageRule rule;
    rule.advisory = advisory;
    rule.level = advisory::Level::high;
    rule.malware = malware;
    const auto key = [](const std::string& text) {
      return advisory::VersionKey(*advisory::parse_bound(text));
    };
    if (fixed.empty()) {
      rule.intervals.push_back({key(introduced)});
    } else {
      rule.intervals.push_back({key(introduced), advisory::IntervalEnd::fixed, key(fixed)});
      rule.fixed.push_back(key(fixed));
    }
    bytes_.push_back(std::make_unique<std::string>(advisory::encode_rule(rule)));
    set_[package].push_back(*advisory::RuleView::parse(*bytes_.back()));
    return *this;
  }
  [[nodiscard]] const RuleSet& set() const { return set_; }

 private:
  std::vector<std::unique_ptr<std::string>> bytes_;
  RuleSet set_;
};

Scan scanned(const npm::Graph& graph, const Rules& rules,
             const std::vector<npm::Manifest>& manifests = {}) {
  Scan scan;
  add_findings({"package-lock.json", graph, manifests}, match_graph(graph, rules.set()), {}, scan);
  return scan;
}

const std::string kTree = R"(
  "": {"dependencies": {"a": "^1.0.0", "q": "~1.0.0", "al": "npm:v@^1"}, "devDependencies": {"d": "^2"}},
  "node_modules/a": {"version": "1.0.0", "dependencies": {"v": "~1.1.0", "b": "*"}},
  "node_modules/a/node_modules/v": {"version": "1.1.0"},
  "node_modules/b": {"version": "1.0.0"},
  "node_modules/b/node_modules/v": {"version": "1.2.0", "inBundle": true},
  "node_modules/al": {"name": "v", "version": "1.3.0"},
  "node_modules/d": {"version": "2.0.0", "dev": true, "dependencies": {"v": "^2"}},
  "node_modules/v": {"version": "2.0.0", "dev": true},
  "node_modules/q": {"version": "1.0.5"},
  "packages/v": {"version": "1.0.0", "name": "v"},
  "node_modules/w": {"link": true, "resolved": "packages/v"})";

TEST(Match, EveryCopyIsJudgedByItself) {  // trap 1
  const npm::Graph graph = lock(kTree);
  const auto matches = match_graph(graph, Rules().add("v", "GHSA-1", "0", "1.2.5").set());
  std::vector<std::string> where;
  for (const Hit& hit : matches.hits) where.emplace_back(graph.node(hit.node).location);
  EXPECT_EQ(where, (std::vector<std::string>{"node_modules/a/node_modules/v",
                                             "node_modules/b/node_modules/v"}))
      << "neither the alias at 1.3.0, nor 2.0.0, nor the repository's own package called v";
}

TEST(Match, AliasesAreFoundByTheirRealName) {  // trap 14
  const npm::Graph graph = lock(kTree);
  const auto matches = match_graph(graph, Rules().add("v", "GHSA-1", "1.3.0", "1.4.0").set());
  ASSERT_EQ(matches.hits.size(), 1U);
  EXPECT_EQ(graph.node(matches.hits[0].node).location, "node_modules/al");
  EXPECT_EQ(matches.hits[0].affected, ">=1.3.0 <1.4.0");
}

TEST(Match, PrereleasesAreInRangesOfAdvisories) {  // trap 36
  const npm::Graph graph = lock(R"("": {}, "node_modules/x": {"version": "4.17.19-rc.1"})");
  EXPECT_EQ(match_graph(graph, Rules().add("x", "GHSA-1", "0", "4.17.19").set()).hits.size(), 1U);
}

TEST(Match, TwoRecordsOfAGroupAreOneFinding) {  // trap 43
  const npm::Graph graph = lock(R"("": {}, "node_modules/x": {"version": "1.0.0"})");
  const auto matches = match_graph(
      graph, Rules().add("x", "GHSA-1", "0", "1.0.1").add("x", "GHSA-1", "0", "1.0.2").set());
  ASSERT_EQ(matches.hits.size(), 1U);
  EXPECT_EQ(matches.hits[0].fixed_in, (std::vector<std::string>{"1.0.1", "1.0.2"}));
}

TEST(Match, AVersionThatIsNoneIsToldNotDropped) {
  const npm::Graph graph = lock(R"("": {}, "node_modules/x": {"version": "newest"})");
  const Scan scan = scanned(graph, Rules().add("x", "GHSA-1", "0", ""));
  EXPECT_TRUE(scan.findings.empty());
  ASSERT_EQ(scan.warnings.size(), 1U);
  EXPECT_NE(scan.warnings[0].find("node_modules/x"), std::string::npos);
}

TEST(Findings, SayWhereAndThroughWhom) {
  const npm::Graph graph = lock(kTree);
  const Scan scan = scanned(graph, Rules().add("v", "GHSA-1", "0", "1.2.5"));
  ASSERT_EQ(scan.findings.size(), 2U);
  const Finding& nested = scan.findings[0];
  EXPECT_EQ(nested.via, std::vector<std::string>{"a@1.0.0"});
  EXPECT_FALSE(nested.direct);
  EXPECT_EQ(nested.at.line, 4U);
  EXPECT_EQ(kind_name(nested.provenance), "app_transitive");
  EXPECT_EQ(kind_name(scan.findings[1].provenance), "app_vendored");
}

TEST(Outlook, NamesTheOpenWayAndWhatBlocksTheOthers) {
  const npm::Graph graph = lock(kTree);
  const auto outlook = [&](const Rules& rules) {
    return scanned(graph, rules).findings.at(0).outlook;
  };
  EXPECT_EQ(outlook(Rules().add("v", "G", "1.1.0", "1.1.9")).strategy, Strategy::relock);
  const Outlook parent = outlook(Rules().add("v", "G", "1.1.0", "1.1.1-rc.0"));
  EXPECT_EQ(parent.strategy, Strategy::parent_bump) << "a caret does not admit a prerelease";
  EXPECT_EQ(outlook(Rules().add("v", "G", "1.1.0", "1.2.0")).reason, "a@1.0.0 asks for ~1.1.0");
  EXPECT_EQ(outlook(Rules().add("v", "G", "1.2.0", "1.2.5")).reason,
            "bundled inside b@1.0.0");  // trap 12
  EXPECT_EQ(outlook(Rules().add("q", "G", "0", "1.1.0")).strategy, Strategy::direct_bump);
  EXPECT_EQ(outlook(Rules().add("q", "G", "0", "2.0.0")).strategy, Strategy::major_bump);
  EXPECT_EQ(outlook(Rules().add("q", "G", "0", "")).reason, "no fixed version is known");
  EXPECT_EQ(outlook(Rules().add("q", "G", "0", "", true)).strategy, Strategy::remove);  // trap 41
  EXPECT_EQ(outlook(Rules().add("al", "G", "0", "9").add("v", "G", "1.3.0", "1.3.1")).strategy,
            Strategy::relock)
      << "the range behind an alias counts";
}

TEST(Outlook, AShrinkwrapDictatesItsSubtree) {  // trap 13
  const npm::Graph graph = lock(R"("": {"dependencies": {"s": "^1"}},
      "node_modules/s": {"version": "1.0.0", "hasShrinkwrap": true, "dependencies": {"v": "^1"}},
      "node_modules/s/node_modules/v": {"version": "1.0.0"})");
  const Scan scan = scanned(graph, Rules().add("v", "G", "0", "1.0.1"));
  EXPECT_EQ(scan.findings.at(0).outlook.strategy, Strategy::none);
  EXPECT_EQ(scan.findings.at(0).outlook.reason, "dictated by the shrinkwrap of s@1.0.0");
}

TEST(Outlook, AnOverrideIsNamedAsTheBlocker) {  // trap 4
  const npm::Graph graph = lock(kTree);
  const std::vector<npm::Manifest> manifests{
      *npm::parse_manifest("package.json", R"({"overrides": {"q": "1.0.5"}})")};
  const Scan scan = scanned(graph, Rules().add("q", "G", "0", "1.0.6"), manifests);
  EXPECT_EQ(scan.findings.at(0).outlook.reason, "pinned by `q` in overrides of package.json");
}

std::string ignore_file(const std::string& body) {
  return "schema: codegenie/ignore/v1\nignores:\n" + body;
}
const std::string kFull =
    "  - id: CVE-1\n    reason: our own input\n    owner: web\n    expires: 2026-01-15\n";

TEST(Ignore, NeedsReasonOwnerAndExpiry) {
  const auto wrong = [](const std::string& body) {
    const auto read = parse_ignores("ignore.yaml", ignore_file(body), kToday, 180);
    return read ? "accepted" : std::to_string(read.error().at.line) + ": " + read.error().what;
  };
  EXPECT_EQ(wrong(kFull), "accepted");
  EXPECT_EQ(wrong("  - id: X\n    owner: w\n    expires: 2026-01-01\n"),
            "3: an ignore without `reason`");
  EXPECT_EQ(wrong("  - id: X\n    reason: r\n    expires: 2026-01-01\n"),
            "3: an ignore without `owner`");
  EXPECT_EQ(wrong("  - id: X\n    reason: r\n    owner: w\n"), "3: an ignore without `expires`");
  EXPECT_EQ(wrong("  - id: X\n    reason: r\n    owner: w\n    expires: soon\n"),
            "6: `expires` is not a day such as 2027-01-15");
  EXPECT_EQ(wrong("  - id: X\n    reason: r\n    owner: w\n    expires: 2027-01-01\n"),
            "6: `expires` is more than 180 days away, which policy does not allow");
  EXPECT_EQ(wrong(kFull + "    exprires: 1\n"), "7: unknown key `exprires`");
  EXPECT_EQ(wrong(kFull + "    justification: because\n"),
            "7: `justification` is not one of OpenVEX's labels");
  EXPECT_EQ(wrong("  - \n"), "3: an ignore is not a map");
}

Finding finding(const std::string& advisory, const std::string& package, advisory::Level level) {
  Finding out;
  out.advisory = advisory;
  out.aliases = {"CVE-" + advisory.substr(5)};
  out.package = package;
  out.version = "1.0.0";
  out.severity.level = level;
  out.outlook.strategy = Strategy::relock;
  return out;
}

TEST(Ignore, SuppressesByAliasUntilItExpires) {
  Scan scan;
  scan.findings = {finding("GHSA-1", "a", advisory::Level::high),
                   finding("GHSA-2", "b", advisory::Level::low)};
  const auto ignores = parse_ignores(
      "f", ignore_file(kFull + "  - {id: GHSA-9, reason: r, owner: o, expires: 2026-01-01}\n"),
      kToday, 180);
  ASSERT_TRUE(ignores.has_value()) << ignores.error().what;
  const Applied applied = apply_ignores(*ignores, kToday, scan);
  EXPECT_EQ(scan.suppressed.size(), 1U);
  EXPECT_EQ(scan.suppressed[0].suppression->owner, "web");
  ASSERT_EQ(applied.unused.size(), 1U);
  EXPECT_EQ(applied.unused[0]->id, "GHSA-9");

  scan.findings = {finding("GHSA-1", "a", advisory::Level::high)};
  scan.suppressed.clear();
  const auto later = *parse_date("2026-01-15");
  static_cast<void>(apply_ignores(*ignores, later, scan));
  ASSERT_EQ(scan.findings.size(), 1U) << "back on the day it expires";
  EXPECT_TRUE(scan.findings[0].suppression->expired);
}

TEST(Ignore, IsNarrowedByPackageVersionAndPath) {
  Finding one = finding("GHSA-1", "a", advisory::Level::high);
  one.lockfile = "app/yarn.lock";
  one.location = "node_modules/a";
  const auto fits = [&](const std::string& extra) {
    return applies(parse_ignores("f", ignore_file(kFull + extra), kToday, 180)->at(0), one);
  };
  EXPECT_TRUE(fits(""));
  EXPECT_TRUE(fits("    package: a\n"));
  EXPECT_FALSE(fits("    package: b\n"));
  EXPECT_TRUE(fits("    version: ^1\n"));
  EXPECT_FALSE(fits("    version: '>1'\n"));
  EXPECT_TRUE(fits("    path: app/yarn.lock\n"));
  EXPECT_FALSE(fits("    path: other\n"));
}

TEST(Select, SortsFiltersAndComparesWithABaseline) {
  Scan scan;
  scan.findings = {finding("GHSA-1", "a", advisory::Level::low),
                   finding("GHSA-2", "b", advisory::Level::critical),
                   finding("GHSA-3", "c", advisory::Level::unknown)};
  scan.findings[1].dev = true;
  scan.findings[0].malware = true;
  sort(scan.findings, Order::severity);
  EXPECT_EQ(scan.findings[0].package, "b");
  sort(scan.findings, Order::risk);
  EXPECT_EQ(scan.findings[0].package, "a") << "malware first";
  Scan prod = scan;
  select(prod, {.production_only = true});
  EXPECT_EQ(prod.findings.size(), 2U);
  Scan one = scan;
  select(one, {.advisories = {"cve-2"}});
  ASSERT_EQ(one.findings.size(), 1U);
  EXPECT_EQ(one.findings[0].package, "b");
  EXPECT_TRUE(is_at_least(scan.findings[0], advisory::Level::critical))
      << "malware is as bad as it gets";
  const auto baseline = read_baseline(
      R"({"schema": "codegenie/scan/v1", "findings": [{"advisory": "GHSA-2", "package": "b", "version": "1.0.0"}], "suppressed": []})");
  ASSERT_TRUE(baseline.has_value());
  EXPECT_EQ(drop_known(scan, *baseline), 1U);
  EXPECT_EQ(scan.findings.size(), 2U);
  EXPECT_FALSE(read_baseline("{}").has_value());
  EXPECT_FALSE(read_baseline("{").has_value());
}

}  // namespace
}  // namespace cg::findings
