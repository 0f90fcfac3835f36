// For the tests of this module: plans for small locks of yarn and pnpm. What a plan promises
// is held against the lock that comes of it.
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "fix/plan/flat.h"
#include "fix/plan/world.h"
#include "npm/edit/edit.h"
#include "npm/lockfile/lock.h"
#include "npm/resolve/written.h"

namespace cg::plan::test {

using resolve::test::Written;

struct Outcome {
  Plan plan;
  std::string text;      // of the edited lock
  std::string manifest;  // of the root, edited
  Copy copy;             // the first
  [[nodiscard]] const Copy& of(const std::string& package) const {
    static const Copy kNothing;
    for (const Copy& one : plan.copies) {
      if (one.package == package) return one;
    }
    ADD_FAILURE() << "nothing was found of " << package;
    return kNothing;
  }
};

class FlatPlanning : public testing::Test {
 protected:
  void publish(const std::string& name, const Written& versions) {
    world_.publish(name, resolve::test::packument(name, versions));
  }
  void advise(const std::string& name, const std::string& fixed, const std::string& from = "0") {
    world_.advise(osv(name, fixed, from));
  }

  Outcome run(const std::string& lock, const std::string& dependencies) {
    return run_with(lock, "{\"name\":\"root\",\"dependencies\":{" + dependencies + "}}");
  }
  /// yarn.lock, classic: entries as "a@^1.0.0,a@~1.0.0 1.0.0 b=^1.0.0".
  Outcome yarn(const std::string& root, const Written& entries, const std::string& more = "") {
    std::string lock = "# yarn lockfile v1\n\n";
    for (const std::string& text : entries) {
      const auto words = split(text, ' ');
      const std::string name(words[0].substr(0, words[0].find('@', 1)));
      std::string keys;
      for (const auto key : split(words[0], ',')) keys += (keys.empty() ? "" : ", ") + named(key);
      lock += "\n" + keys + ":\n  version \"" + std::string(words[1]) +
              "\"\n  resolved \"https://registry.example/" + name + "/-/" + name + "-" +
              std::string(words[1]) + ".tgz#00\"\n";
      if (words.size() > 2) lock += "  dependencies:\n";
      for (std::size_t i = 2; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        lock += "    " + std::string(words[i].substr(0, equals)) + " \"" +
                named(words[i].substr(equals + 1), "") + "\"\n";
      }
    }
    return run_with(lock,
                    R"({"name":"root")" + resolve::test::fields(split(root, ' '), 0) + more + "}");
  }

  Outcome run_with(const std::string& lock, const std::string& root) {
    std::vector<npm::Manifest> manifests = {*npm::parse_manifest("package.json", root)};
    for (const auto& [path, words] : workspaces_) {
      const std::string text = "{" + resolve::test::fields(split(words, ' '), 0).substr(1) + "}";
      manifests.push_back(*npm::parse_manifest(path, text));
    }
    const bool pnpm = lock.starts_with("lockfileVersion");
    auto graph = pnpm ? lockfile::read_pnpm_lock(lock) : lockfile::read_yarn_lock(lock, manifests);
    EXPECT_TRUE(graph) << lock;
    const std::vector<npm::Manifest> inner = manifests;
    for (npm::Manifest& each : manifests) each.path = folder_ + each.path;
    auto hits = findings::match_graph(*graph, world_.rules()).hits;
    for (findings::Hit& hit : hits) hit.malware = hit.advisory == malware_;
    Outcome out;
    out.plan = plan_flat({"lock", *graph, manifests, hits, world_, world_, options_});
    const auto text = pnpm ? edit::edit_pnpm_lock(*graph, out.plan.lock)
                           : edit::edit_yarn_lock(*graph, out.plan.lock, "");
    EXPECT_TRUE(text) << (text ? "" : text.error().what);
    if (text) out.text = *text;
    out.manifest = root;
    for (const edit::ManifestEdit& change : out.plan.manifests) {
      if (change.path == folder_ + "package.json")
        out.manifest = *edit::edit_manifest(root, change);
    }
    if (!out.plan.copies.empty()) out.copy = out.plan.copies.front();
    if (checked_) check(out.text, pnpm, inner, out);
    return out;
  }

  World world_;
  Options options_;
  std::string malware_;  // an advisory
  bool checked_ = true;
  std::string folder_;                                           // in which the lock lies: "app/"
  std::vector<std::pair<std::string, std::string>> workspaces_;  // path and words

 private:
  /// A descriptor as yarn writes it.
  static std::string named(std::string_view text, const char* quote = "\"") {
    std::string out(text);
    std::replace(out.begin(), out.end(), '_', ' ');
    return out.find_first_of(" :") == std::string::npos ? out : quote + out + quote;
  }

  void check(const std::string& lock, bool pnpm, std::vector<npm::Manifest> manifests,
             const Outcome& out) {
    if (!lock.starts_with("#") && !pnpm) return;  // berry says nothing of manifests
    manifests[0] = *npm::parse_manifest("package.json", out.manifest);
    auto graph = pnpm ? lockfile::read_pnpm_lock(lock) : lockfile::read_yarn_lock(lock, manifests);
    ASSERT_TRUE(graph) << lock;
    std::set<std::string> vulnerable;
    for (const findings::Hit& hit : findings::match_graph(*graph, world_.rules()).hits) {
      const npm::Node& node = graph->node(hit.node);
      vulnerable.insert(std::string(node.name) + " " + std::string(node.version));
    }
    for (const Copy& copy : out.plan.copies) {
      SCOPED_TRACE(copy.location);
      const bool fixed = copy.fate == Fate::fixed;
      EXPECT_EQ(vulnerable.contains(copy.package + " " + copy.from), !fixed);
      EXPECT_EQ(copy.blocker == Blocker::none, fixed);
      EXPECT_EQ(copy.fix > 0, fixed);
      EXPECT_EQ(copy.strategy.has_value(), fixed);
      EXPECT_FALSE(copy.reason.empty());
    }
  }
};

inline std::string entry(const std::string& keys, const std::string& name,
                         const std::string& version, const std::string& dependency = "") {
  std::string out = "\n" + keys + ":\n  version \"" + version +
                    "\"\n  resolved \"https://registry.example/" + name + "/-/" + name + "-" +
                    version + ".tgz#00\"\n";
  if (!dependency.empty()) out += "  dependencies:\n    " + dependency + "\n";
  return out;
}
inline const std::string kHead = "# yarn lockfile v1\n\n";

}  // namespace cg::plan::test
