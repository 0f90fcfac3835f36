#include "flow/remediate/case_of.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/base/text.h"
#include "base/domain/tool.h"
#include "fetch/catalog/tarball.h"
#include "flow/remediate/branches.h"
#include "npm/exports/novelty.h"
#include "vuln/findings/select.h"

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

std::vector<report::Advisory> advisories_of(const findings::Scan& scan) {
  std::map<std::string, report::Advisory> out;
  for (const findings::Finding& finding : scan.findings) {
    out.emplace(finding.advisory, report::Advisory{finding.advisory, finding.aliases,
                                                   finding.summary, finding.severity.level});
  }
  std::vector<report::Advisory> list;
  for (auto& [id, one] : out) list.push_back(std::move(one));
  return list;
}

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

/// As `group` left it: the plan that passed, or copies that nothing could be done for.
class Settling {
 public:
  explicit Settling(report::Case& c) : c_(c) {
    for (const report::Copy& copy : c.copies) old_fixes_.push_back(copy.fix);
    c.fixes.clear();
    c.overrides.clear();
    c.branches.clear();
  }

  void passed(const SettledGroup& group) {
    report::Branch branch = group.branch;
    branch.fixes.clear();
    for (const propose::LockPlan& one : group.attempted.candidate.plans) {
      const std::size_t offset = c_.fixes.size();
      for (const plan::Fix& fix : one.plan.fixes) {
        c_.fixes.push_back({fix, one.plan.lockfile});
        branch.fixes.push_back(c_.fixes.size());
      }
      for (const plan::Copy& copy : one.plan.copies) take(copy, one.plan.lockfile, offset);
      c_.overrides.insert(c_.overrides.end(), one.plan.overrides.begin(), one.plan.overrides.end());
    }
    c_.branches.push_back(std::move(branch));
  }

  void failed(const SettledGroup& group) {
    for (std::size_t i = 0; i < c_.copies.size(); ++i) {
      report::Copy& copy = c_.copies[i];
      const bool asked = group.group.handed_on && group.group.copies.contains(propose::copy_key(
                                                      copy.lockfile, copy.location, copy.advisory));
      if (!asked && !has(group.group.fixes, old_fixes_[i])) continue;
      // What a model was asked about in vain is still what it was: somebody else's to fix.
      if (!asked || !group.attempted.gates.empty()) {
        copy.fate = plan::Fate::blocked;
        copy.blocker = group.attempted.for_a_person ? plan::Blocker::policy : plan::Blocker::gates;
      }
      copy.reason = group.attempted.why;
      copy.to.clear();
      copy.strategy.reset();
      copy.fix = 0;
    }
  }

 private:
  template <class T>
  static bool has(const std::vector<T>& list, const T& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  }

  void take(const plan::Copy& copy, const std::string& lockfile, std::size_t offset) {
    for (report::Copy& old : c_.copies) {
      if (old.lockfile != lockfile || old.location != copy.location ||
          old.advisory != copy.advisory) {
        continue;
      }
      static_cast<plan::Copy&>(old) = copy;
      if (old.fix != 0) old.fix += offset;
    }
  }

  report::Case& c_;
  std::vector<std::size_t> old_fixes_;
};

report::Tier tier_of(const std::vector<report::Fix>& fixes) {
  const bool model = std::any_of(fixes.begin(), fixes.end(), [](const report::Fix& fix) {
    return fix.recipe == plan::kModelRecipe;
  });
  return model ? report::Tier::llm : report::Tier::recipe;
}

bool is_weak(const Attempted& attempted) {
  return std::any_of(attempted.gates.begin(), attempted.gates.end(),
                     [](const report::Gate& gate) { return gate.passed && !gate.weak.empty(); });
}

}  // namespace

void judge_case(report::Case& c, job::Extent extent) {
  const auto count = [&](plan::Fate fate) {
    return std::count_if(c.copies.begin(), c.copies.end(),
                         [&](const auto& copy) { return copy.fate == fate; });
  };
  const auto all = static_cast<std::ptrdiff_t>(c.copies.size());
  const auto fixed = count(plan::Fate::fixed);
  ExitCode exit = ExitCode::ok;
  if (all == 0) {
    c.outcome = report::Outcome::not_applicable;
    exit = ExitCode::not_applicable;
  } else if (fixed == 0) {
    const bool hopeless = count(plan::Fate::no_fix) == all;
    const bool turned_down = std::any_of(c.copies.begin(), c.copies.end(), [](const auto& copy) {
      return copy.blocker == plan::Blocker::gates;
    });
    c.outcome = hopeless ? report::Outcome::not_applicable : report::Outcome::not_fixed;
    if (extent != job::Extent::branch) c.outcome = report::Outcome::planned;
    exit = hopeless      ? ExitCode::not_applicable
           : turned_down ? ExitCode::not_fixed
                         : ExitCode::needs_human;
  } else if (extent != job::Extent::branch) {
    c.outcome = report::Outcome::planned;
  } else {
    c.outcome = fixed == all ? report::Outcome::fixed : report::Outcome::partly_fixed;
    if (fixed < all) exit = ExitCode::needs_human;
  }
  // What was not read may need a fix too.
  const bool is_fine = exit == ExitCode::ok || exit == ExitCode::not_applicable;
  if (is_fine && !c.skipped.empty()) exit = ExitCode::needs_human;
  c.tier = fixed == 0 ? report::Tier::none : tier_of(c.fixes);
  c.exit = static_cast<int>(exit);
}

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

report::Case case_of_group(const report::Case& c, const Attempted& attempted,
                           const job::Request& request) {
  const propose::Candidate& candidate = attempted.candidate;
  report::Case one = c;
  one.copies.clear();
  one.fixes.clear();
  one.overrides.clear();
  for (const propose::LockPlan& lock : candidate.plans) report::add_plan(one, lock.plan);
  one.tier = tier_of(one.fixes);
  std::vector<std::size_t> fixes(one.fixes.size());
  std::iota(fixes.begin(), fixes.end(), 1U);
  one.branches = {{.name = name_branch(one, fixes, request),
                   .commit = "",
                   .fixes = fixes,
                   .attempts = attempted.attempts,
                   .kind = candidate.kind,
                   .rationale = candidate.rationale,
                   .outcome = is_weak(attempted) ? "weak" : "proven"}};
  one.gates = attempted.gates;
  for (report::Gate& gate : one.gates) gate.branch = one.branches.front().name;
  return one;
}

void settle_case(report::Case& c, const std::vector<SettledGroup>& groups) {
  Settling settling(c);
  c.not_checked.clear();
  for (const SettledGroup& group : groups) {
    if (group.attempted.passed) {
      settling.passed(group);
    } else {
      settling.failed(group);
    }
    // One that no gate saw has none, and takes none from the others.
    if (!group.attempted.isolation.empty()) c.isolation_class = group.attempted.isolation;
    for (report::Gate gate : group.attempted.gates) {
      gate.branch = group.branch.name;
      if (gate.state == "absent" && !gate.words.empty()) {
        const std::string line = gate.signal + ": " + gate.words;
        const auto& lines = c.not_checked;
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
          c.not_checked.push_back(line);
        }
      }
      c.gates.push_back(std::move(gate));
    }
  }
  judge_case(c, job::Extent::branch);
}

void fill_case(report::Case& c, const job::Request& request, propose::Situation& situation,
               const std::vector<propose::LockPlan>& plans, const scan::Scanned& after,
               std::vector<report::FileChange> changes) {
  const propose::Base& base = situation.base;
  c.repo = request.repo;
  c.base = base.checkout.base();
  c.index = base.scanned.scan.index;
  c.tool = tool_name();
  c.advisories = advisories_of(base.scanned.scan);
  for (const propose::LockPlan& one : plans) report::add_plan(c, one.plan);
  fill_changes(c, situation, plans, after, std::move(changes));
  c.subject = base.checkout.has_git() && base.checkout.git().conventional
                  ? report::Subject::conventional
                  : report::Subject::plain;
  c.not_checked = {"install, build and tests were not run"};
  for (const auto& fixes : propose::group_fixes(c.fixes, request.grouping)) {
    c.branches.push_back({name_branch(c, fixes, request), "", fixes});
  }
  judge_case(c, request.extent);
}

}  // namespace cg::remediate
