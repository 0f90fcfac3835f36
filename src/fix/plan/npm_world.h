// For the tests of this module: plans for small package-locks. What a plan promises is held
// against the lock that comes of it, whatever else a test looks at.
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "fix/plan/planner.h"
#include "fix/plan/world.h"
#include "npm/edit/edit.h"
#include "npm/lockfile/lock.h"
#include "npm/resolve/place.h"
#include "npm/resolve/written.h"

namespace cg::plan::test {

using resolve::test::Written;

/// The vulnerable copy as most of these tests have it: asked for by the root, or behind p.
inline const Written kDirect = {"a 1.0.0"};
inline const Written kBehindP = {"p 1.0.0 a=~1.0.0", "a 1.0.0"};

struct Planned {
  Plan plan;
  std::string manifest;                // of the root, edited
  std::vector<std::string> installed;  // "node_modules/a 1.0.0" of the edited lock; sorted
  std::string flags;                   // "node_modules/a dev", of those that have some
  [[nodiscard]] const Copy& at(const std::string& place) const {
    static const Copy kNothing;
    for (const Copy& copy : plan.copies) {
      if (copy.location == resolve::test::place(place)) return copy;
    }
    ADD_FAILURE() << "nothing was found at " << place;
    return kNothing;
  }
  /// The answers of one strategy, in their order.
  [[nodiscard]] std::vector<std::string> answers(const std::string& place, Strategy of) const {
    std::vector<std::string> out;
    for (const Considered& one : at(place).considered) {
      if (one.strategy == of)
        out.push_back((one.target.empty() ? "" : one.target + ": ") + one.answer);
    }
    return out;
  }
};

class NpmPlanning : public testing::Test {
 protected:
  void publish(const std::string& name, const Written& versions) {
    world_.publish(name, resolve::test::packument(name, versions));
  }
  void advise(const std::string& name, const std::string& fixed, const std::string& from = "0") {
    world_.advise(osv(name, fixed, from));
  }

  Planned run(const std::string& root, const Written& entries, const std::string& overrides = "") {
    const std::string more = overrides.empty() ? "" : ",\"overrides\":" + overrides;
    const std::string text =
        R"({"name":"r")" + resolve::test::fields(split(root, ' '), 0) + more + "}\n";
    std::vector<npm::Manifest> manifests = {*npm::parse_manifest("package.json", text)};
    const std::string lock = resolve::test::package_lock(root, entries);
    const npm::Graph graph = read(lock, manifests[0]);
    auto hits = findings::match_graph(graph, world_.rules()).hits;
    if (malware_) {
      for (findings::Hit& hit : hits) hit.malware = true;
    }
    Planned out;
    out.plan =
        plan_npm({"package-lock.json", graph, manifests, hits, world_, world_, options_, noted_});
    check(graph, manifests[0], text, out);
    return out;
  }

  World world_;
  Options options_;
  std::vector<std::vector<std::string>> noted_;
  bool malware_ = false;

 private:
  static npm::Graph read(const std::string& lock, const npm::Manifest& manifest) {
    auto graph = lockfile::read_package_lock(npm::LockKind::package_lock, lock, &manifest);
    EXPECT_TRUE(graph) << (graph ? "" : graph.error().what) << lock;
    return *std::move(graph);
  }
  static std::set<std::string> unmet(const npm::Graph& graph, const npm::Manifest& manifest) {
    resolve::Tree tree(graph, resolve::read_rules(manifest.overrides));
    const auto list = resolve::unmet(tree);
    return {list.begin(), list.end()};
  }

  void check(const npm::Graph& before, const npm::Manifest& manifest, const std::string& text,
             Planned& out) {
    const auto lock = edit::edit_package_lock(before, out.plan.lock, "https://registry.example/");
    ASSERT_TRUE(lock) << lock.error().what;
    out.manifest = text;
    for (const edit::ManifestEdit& change : out.plan.manifests) {
      if (change.path != "package.json") continue;
      const auto edited = edit::edit_manifest(text, change);
      ASSERT_TRUE(edited) << edited.error().what;
      out.manifest = *edited;
    }
    const npm::Manifest root = *npm::parse_manifest("package.json", out.manifest);
    const npm::Graph after = read(*lock, root);
    std::set<std::string> vulnerable;
    for (const findings::Hit& hit : findings::match_graph(after, world_.rules()).hits)
      vulnerable.insert(std::string(after.node(hit.node).location));
    for (const Copy& copy : out.plan.copies) {
      SCOPED_TRACE(copy.location);
      EXPECT_EQ(vulnerable.contains(copy.location), copy.fate != Fate::fixed);
      EXPECT_EQ(copy.blocker == Blocker::none, copy.fate == Fate::fixed);
      EXPECT_EQ(copy.strategy.has_value(), copy.fate == Fate::fixed);
      EXPECT_EQ(copy.fix > 0, copy.fate == Fate::fixed);
      EXPECT_FALSE(copy.reason.empty());
    }
    const std::set<std::string> had = unmet(before, manifest);
    for (const std::string& need : unmet(after, root)) EXPECT_TRUE(had.contains(need)) << need;
    for (const npm::Node& node : after.nodes()) {
      if (npm::is_importer(node.source)) continue;
      const std::string where(node.location);
      out.installed.push_back(where + " " + std::string(node.version));
      if (node.flags.dev) out.flags += where + " dev\n";
      if (node.flags.optional) out.flags += where + " optional\n";
      if (node.flags.peer) out.flags += where + " peer\n";
    }
    std::sort(out.installed.begin(), out.installed.end());
  }
};

}  // namespace cg::plan::test
