// What the repository wants of the machine: a package manager, and a node.
#include <array>
#include <optional>

#include "base/base/text.h"
#include "npm/semver/range.h"
#include "prove/preflight/parts.h"

namespace cg::preflight {

namespace {

std::string_view manager_of(npm::LockKind kind) {
  switch (kind) {
    case npm::LockKind::package_lock:
    case npm::LockKind::npm_shrinkwrap:
      return "npm";
    case npm::LockKind::yarn_classic:
    case npm::LockKind::yarn_berry:
      return "yarn";
    case npm::LockKind::pnpm:
      break;
  }
  return "pnpm";
}

struct Codename {
  std::string_view name;
  std::string_view major;
};
constexpr std::array<Codename, 11> kCodenames = {{{"argon", "4"},
                                                  {"boron", "6"},
                                                  {"carbon", "8"},
                                                  {"dubnium", "10"},
                                                  {"erbium", "12"},
                                                  {"fermium", "14"},
                                                  {"gallium", "16"},
                                                  {"hydrogen", "18"},
                                                  {"iron", "20"},
                                                  {"jod", "22"},
                                                  {"krypton", "24"}}};

/// A range of what stands in .nvmrc and its like: "v18", "18.17.0", "lts/hydrogen". Nothing for
/// what every node or none in particular satisfies ("node", "lts/*"), and for what is not
/// understood.
std::optional<std::string> range_of(std::string_view text) {
  text = trim(text.substr(0, text.find('\n')));
  const std::string lower = lower_ascii(text);
  for (const Codename& one : kCodenames) {
    if (lower == "lts/" + std::string(one.name)) return std::string(one.major);
  }
  std::string_view version = lower;
  if (version.starts_with('v')) version.remove_prefix(1);
  if (version.empty() || version.front() < '0' || version.front() > '9') return std::nullopt;
  return std::string(version);
}

class NodeCheck {
 public:
  NodeCheck(const Facts& facts, std::vector<Obstacle>& out)
      : node_(semver::Version::parse(facts.node)), facts_(facts), out_(out) {}

  void against(const std::string& where, const std::string& field, std::string_view wanted,
               std::string_view range) {
    if (!node_) return;
    const auto parsed = semver::Range::parse(range, {.loose = true});
    if (!parsed || parsed->test(*node_)) return;
    out_.push_back({Kind::node_version, Severity::may_fail, "", shown(where),
                    field + " asks for node " + shown(wanted) + ", and this machine has " +
                        shown(facts_.node) + ": tests may fail at the base for it",
                    "put a node that it asks for first in PATH"});
  }

 private:
  Result<semver::Version, semver::Error> node_;
  const Facts& facts_;
  std::vector<Obstacle>& out_;
};

}  // namespace

void look_at_manager(const Facts& facts, std::vector<Obstacle>& out) {
  if (facts.manifests.empty() || facts.manifests.front().package_manager.empty()) return;
  const npm::Manifest& root = facts.manifests.front();
  const std::string named = root.package_manager.substr(0, root.package_manager.find('@'));
  const std::string_view locks = manager_of(facts.graph.kind());
  if (named == locks) return;
  out.push_back({Kind::package_manager, Severity::may_fail, "", shown(root.path),
                 "packageManager names " + shown(named) + ", and the lock is " +
                     std::string(locks) + "'s: its packages are installed with " +
                     std::string(locks),
                 "keep the lock of one package manager"});
}

void look_at_node(const Facts& facts, std::vector<Obstacle>& out) {
  if (facts.node.empty()) return;
  NodeCheck check(facts, out);
  for (const npm::Manifest& manifest : facts.manifests) {
    for (const auto& [name, range] : manifest.engines) {
      if (name == "node") check.against(manifest.path, "engines.node", range, range);
    }
  }
  for (const NodeWish& wish : facts.node_wishes) {
    if (const auto range = range_of(wish.text)) {
      const std::string_view line = std::string_view(wish.text).substr(0, wish.text.find('\n'));
      check.against(wish.path, wish.field, trim(line), *range);
    }
  }
}

}  // namespace cg::preflight
