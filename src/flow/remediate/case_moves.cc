#include <set>
#include <tuple>

#include "base/base/text.h"
#include "fetch/catalog/tarball.h"
#include "flow/remediate/case_of.h"
#include "npm/exports/novelty.h"

namespace cg::remediate {

namespace {

std::string host_of(std::string_view url) {
  const std::size_t at = url.find("://");
  if (at == std::string_view::npos) return "";
  url.remove_prefix(at + 3);
  return std::string(url.substr(0, url.find('/')));
}

constexpr std::size_t kMostCompared = 100;  // packages whose versions are compared

report::Scripts scripts_of(const npm::Node* before, const registry::Release* after) {
  const bool had = before != nullptr && before->flags.install_script;
  const bool has = after != nullptr && after->install_script;
  if (had && has) return report::Scripts::unchanged;
  if (had) return report::Scripts::removed;
  return has ? report::Scripts::added : report::Scripts::none;
}

/// Every package that moves, once per pair of versions.
class Moves {
 public:
  explicit Moves(catalog::Catalog& catalog) : catalog_(catalog) {}

  void add(const npm::Graph& graph, const edit::LockEdit& lock) {
    for (const edit::PutCopy& put : lock.put) {
      const npm::NodeId id = graph.at(put.location);
      add(id == npm::kNoNode ? nullptr : &graph.node(id), put.release);
    }
    for (const std::string& location : lock.removed) {
      const npm::NodeId id = graph.at(location);
      if (id != npm::kNoNode) add(&graph.node(id), nullptr);
    }
  }

  /// One that is not to be told again.
  void know(const report::Moved& moved) { seen_.emplace(moved.package, moved.from, moved.to); }

  std::vector<report::Moved> take() && { return std::move(out_); }

 private:
  void add(const npm::Node* before, const registry::Release* after) {
    report::Moved moved;
    moved.package = after != nullptr ? after->name : std::string(before->name);
    if (before != nullptr) {
      moved.from = before->version;
      moved.host_before = host_of(before->resolved);
    }
    if (after != nullptr) {
      moved.to = after->version;
      moved.integrity = after->integrity;
      // The lock keeps the place its packages come from; only what is new is asked for there.
      moved.host = moved.host_before;
      moved.published = published(*after);
      moved.publisher = after->publisher;
      if (before != nullptr) moved.publisher_before = publisher(*before);
    }
    moved.scripts = scripts_of(before, after);
    if (seen_.emplace(moved.package, moved.from, moved.to).second) out_.push_back(std::move(moved));
  }

  std::string published(const registry::Release& release) {
    const registry::Packument* packument = catalog_.get(release.name);
    const auto version = semver::Version::parse(release.version, {.loose = true});
    if (packument == nullptr || !version) return "";
    const auto at = packument->find(*version);
    const auto time = at ? packument->published(*at) : std::nullopt;
    return time ? to_date(*time) : "";
  }

  std::string publisher(const npm::Node& node) {
    const registry::Packument* packument = catalog_.get(node.name);
    const auto version = semver::Version::parse(node.version, {.loose = true});
    const auto at = packument != nullptr && version ? packument->find(*version) : std::nullopt;
    return at ? packument->release(*at).publisher : "";
  }

  catalog::Catalog& catalog_;
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
  std::vector<report::Moved> out_;
};

/// Every vulnerable copy of a lock, ignored and deselected ones too: what a fix brings in is
/// new, whatever was asked for.
std::set<std::string> vulnerable(const scan::Scanned& scanned) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < scanned.hits.size(); ++i) {
    const repository::LoadedLock& lock = scanned.loaded.locks[i];
    for (const findings::Hit& hit : scanned.hits[i]) {
      const npm::Node& node = lock.graph.node(hit.node);
      out.insert(lock.path + "\n" + hit.advisory + "\n" + std::string(node.name) + "\n" +
                 std::string(node.version) + "\n" + std::string(node.location));
    }
  }
  return out;
}

report::Findings findings_of(const scan::Scanned& before, const scan::Scanned& after) {
  const std::set<std::string> known = vulnerable(before);
  report::Findings out{before.scan.findings.size(), after.scan.findings.size(), 0};
  for (const std::string& one : vulnerable(after)) {
    if (!known.contains(one)) ++out.introduced;
  }
  return out;
}

}  // namespace

void fill_changes(report::Case& c, propose::Situation& situation,
                  const std::vector<propose::LockPlan>& plans, const scan::Scanned& after,
                  std::vector<report::FileChange> changes) {
  Moves moves(*situation.catalog);
  for (const propose::LockPlan& one : plans) {
    moves.add(situation.lock(one.lock).graph, one.plan.lock);
  }
  c.moved = std::move(moves).take();
  c.changes = std::move(changes);
  c.findings = findings_of(situation.base.scanned, after);
}

Result<Done, Problem> fill_news(report::Case& c, catalog::Catalog& catalog) {
  std::size_t compared = 0;
  for (report::Moved& moved : c.moved) {
    const auto from = semver::Version::parse(moved.from, {.loose = true});
    const auto to = semver::Version::parse(moved.to, {.loose = true});
    if (!from || !to || ++compared > kMostCompared) continue;
    CG_TRY_ASSIGN(const auto before, catalog::read_tarball(catalog, moved.package, *from));
    CG_TRY_ASSIGN(const auto after, catalog::read_tarball(catalog, moved.package, *to));
    if (!before || !after) continue;
    if (const auto news = exports::compare(*before, *after)) moved.news = exports::describe(*news);
  }
  return Done{};
}

void add_unproven_moves(report::Case& c, propose::Situation& situation,
                        const std::vector<SettledGroup>& groups) {
  Moves moves(*situation.catalog);
  for (const report::Moved& known : c.moved) moves.know(known);
  for (const SettledGroup& group : groups) {
    if (!group.attempted.unprovable || group.branch.commit.empty()) continue;
    for (const propose::LockPlan& one : group.attempted.candidate.plans) {
      moves.add(situation.lock(one.lock).graph, one.plan.lock);
    }
  }
  for (report::Moved& moved : std::move(moves).take()) c.moved.push_back(std::move(moved));
}

}  // namespace cg::remediate
