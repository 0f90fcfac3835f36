#include "remediation/case_of.h"

#include <algorithm>
#include <map>
#include <set>

#include "access.h"
#include "base/text.h"
#include "remediation/branches.h"
#include "scan/select.h"

namespace cg::program {

namespace {

/// Lines that one text has and the other has not, however they are ordered.
report::FileChange change_of(const std::string& path, std::string_view before,
                             std::string_view after) {
  std::map<std::string_view, std::int64_t> lines;
  for (const std::string_view line : split(before, '\n')) --lines[line];
  for (const std::string_view line : split(after, '\n')) ++lines[line];
  report::FileChange out{path, 0, 0};
  for (const auto& [line, count] : lines) {
    if (count > 0) out.added += static_cast<std::uint64_t>(count);
    if (count < 0) out.removed += static_cast<std::uint64_t>(-count);
  }
  return out;
}

std::string host_of(std::string_view url) {
  const std::size_t at = url.find("://");
  if (at == std::string_view::npos) return "";
  url.remove_prefix(at + 3);
  return std::string(url.substr(0, url.find('/')));
}

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

  catalog::Catalog& catalog_;
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
  std::vector<report::Moved> out_;
};

std::vector<report::Advisory> advisories_of(const scan::Scan& scan) {
  std::map<std::string, report::Advisory> out;
  for (const scan::Finding& finding : scan.findings) {
    out.emplace(finding.advisory, report::Advisory{finding.advisory, finding.aliases,
                                                   finding.summary, finding.severity.level});
  }
  std::vector<report::Advisory> list;
  for (auto& [id, one] : out) list.push_back(std::move(one));
  return list;
}

report::Findings findings_of(const scan::Scan& before, const scan::Scan& after) {
  std::set<std::string> known;
  for (const scan::Finding& finding : before.findings) known.insert(scan::identity(finding));
  report::Findings out{before.findings.size(), after.findings.size(), 0};
  for (const scan::Finding& finding : after.findings)
    if (!known.contains(scan::identity(finding))) ++out.introduced;
  return out;
}

void judge(report::Case& c, Extent extent) {
  const auto count = [&](plan::Verdict verdict) {
    return std::count_if(c.copies.begin(), c.copies.end(),
                         [&](const auto& copy) { return copy.verdict == verdict; });
  };
  const auto all = static_cast<std::ptrdiff_t>(c.copies.size());
  const auto fixed = count(plan::Verdict::fixed);
  ExitCode exit = ExitCode::ok;
  if (all == 0) {
    c.outcome = report::Outcome::not_applicable;
    exit = ExitCode::not_applicable;
  } else if (fixed == 0) {
    const bool hopeless = count(plan::Verdict::no_fix) == all;
    c.outcome = hopeless ? report::Outcome::not_applicable : report::Outcome::not_fixed;
    if (extent != Extent::branch) c.outcome = report::Outcome::planned;
    exit = hopeless ? ExitCode::not_applicable : ExitCode::needs_human;
  } else if (extent != Extent::branch) {
    c.outcome = report::Outcome::planned;
  } else {
    c.outcome = fixed == all ? report::Outcome::fixed : report::Outcome::partly_fixed;
    if (fixed < all) exit = ExitCode::needs_human;
  }
  c.tier = fixed > 0 ? report::Tier::recipe : report::Tier::none;
  c.exit = static_cast<int>(exit);
}

}  // namespace

void fill_case(report::Case& c, const RemediationRequest& request, const Checkout& checkout,
               const Scanned& before, const Scanned& after, const std::vector<LockPlan>& plans,
               const EditedFiles& files, catalog::Catalog& catalog) {
  c.repo = request.repo;
  c.base = checkout.base();
  c.index = before.scan.index;
  c.tool = tool_name();
  c.advisories = advisories_of(before.scan);
  Moves moves(catalog);
  for (const LockPlan& one : plans) {
    report::add_plan(c, one.plan);
    moves.add(before.loaded.locks[one.lock].graph, one.plan.lock);
  }
  c.moved = std::move(moves).take();
  for (const auto& [path, bytes] : files) {
    const auto old = checkout.files().read(path, 64U << 20U);
    c.changes.push_back(change_of(path, old ? *old : std::string(), bytes));
  }
  c.findings = findings_of(before.scan, after.scan);
  c.subject = checkout.has_git() && checkout.git().conventional ? report::Subject::conventional
                                                                : report::Subject::plain;
  c.not_checked = {"install, build and tests were not run: codegenie has no sandbox yet"};
  for (const auto& steps : group_steps(c.steps, request.grouping)) {
    c.branches.push_back({name_branch(c, steps, request.branch_prefix), "", steps});
  }
  judge(c, request.extent);
}

}  // namespace cg::program
