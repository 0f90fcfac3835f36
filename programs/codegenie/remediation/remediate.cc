#include "remediation/remediate.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "codec/json.h"
#include "context/context.h"
#include "evidence/bundle.h"
#include "findings/advisories.h"
#include "gitrepo/repo_lock.h"
#include "hash/blake3.h"
#include "lockfile/lint.h"
#include "remediation/branches.h"
#include "remediation/case_of.h"
#include "remediation/output_folder.h"
#include "remediation/plugins.h"
#include "remediation/recording.h"
#include "remediation/registry_access.h"
#include "report/report.h"

namespace cg::program {

namespace {

/// Tier 0: what the application does not bring is refused before anything is spent.
std::vector<std::string> gate_provenance(const scan::Scan& scan, record::Events& events) {
  std::map<std::pair<std::string, std::string>, record::ProvenanceClassified> rows;
  std::string outside;
  bool any = false;
  for (const scan::Finding& finding : scan.findings) {
    const std::string kind(provenance::kind_name(finding.provenance));
    auto& row = rows[{finding.advisory, kind}];
    if (row.count++ == 0) {
      row.advisory = finding.advisory;
      row.kind = kind;
      row.location = cut(finding.location, 500);
    }
    if (provenance::is_app_layer(finding.provenance)) {
      any = true;
    } else if (outside.empty()) {
      outside = finding.package + " " + finding.version +
                " is not the application's: " + provenance::describe(finding.provenance);
    }
  }
  for (auto& [key, row] : rows) events.emplace_back(std::move(row));
  if (any || outside.empty()) return {};
  return {outside};
}

/// Entries that do not say what they seem to: nothing is built on such a lock. What is
/// only weak goes to `warnings`.
std::vector<std::string> lies_of(const Scanned& scanned, std::vector<std::string>& warnings) {
  std::vector<std::string> out;
  for (const context::LoadedLock& lock : scanned.loaded.locks) {
    const lockfile::Lint lint = lockfile::lint(lock.graph);
    for (const lockfile::Doubt& doubt : lint.lies) {
      out.push_back(lock.path + ": " + printable(doubt.location) + " " + doubt.what);
    }
    for (const std::string& weak : lint.weak) warnings.push_back(lock.path + ": " + weak);
  }
  return out;
}

/// Where one file ends and the next begins is part of what is hashed.
void add_file(hash::Blake3& digest, const std::string& path, std::string_view bytes) {
  const std::string head = path + "\n" + std::to_string(bytes.size()) + "\n";
  digest.update(as_bytes(head)).update(as_bytes(bytes));
}

record::ContextGathered gathered(const Scanned& scanned) {
  hash::Blake3 digest("codegenie 2026 lock graphs v1");
  std::uint64_t packages = 0;
  for (const context::LoadedLock& lock : scanned.loaded.locks) {
    add_file(digest, lock.path, lock.graph.text());
    packages += lock.graph.nodes().size();
  }
  return {digest.finish(), scanned.loaded.locks.size(), packages};
}

record::RegistryConsulted consulted(const catalog::Catalog& catalog) {
  const auto& counts = catalog.counts();
  return {catalog.digest(), counts.cached + counts.confirmed + counts.fetched};
}

record::PlanMade settled(const report::Case& c) {
  record::PlanMade made;
  for (const report::Copy& copy : c.copies) {
    switch (copy.verdict) {
      case plan::Verdict::fixed:
        ++made.fixed;
        break;
      case plan::Verdict::blocked:
        ++made.blocked;
        break;
      case plan::Verdict::no_fix:
        ++made.no_fix;
        break;
      case plan::Verdict::handed_on:
        ++made.handed_on;
        break;
    }
  }
  for (const report::Step& step : c.steps) made.entries += step.touched.size();
  made.digest = hash::blake3(as_bytes(report::plan_text(c)));
  return made;
}

/// What was answered about each copy, what came of it, and what the files hold now.
void tell_plan(const report::Case& c, const EditedFiles& files, record::Events& events) {
  for (const report::Copy& copy : c.copies) {
    for (const plan::Considered& one : copy.considered) {
      events.emplace_back(record::RecipeAnswered{one.chosen ? "yes" : "no", cut(copy.location, 500),
                                                 copy.package, cut(one.answer, 500),
                                                 std::string(plan::name(one.strategy))});
    }
  }
  events.emplace_back(settled(c));
  for (const plan::OverrideNote& note : c.overrides) {
    std::string path;
    for (const std::string& key : note.path) path += (path.empty() ? "" : " > ") + key;
    events.emplace_back(
        record::OverrideAdded{cut(path, 500), cut(note.reason, 500), cut(note.value, 250)});
  }
  hash::Blake3 digest("codegenie 2026 edited files v1");
  for (const auto& [path, bytes] : files) add_file(digest, path, bytes);
  events.emplace_back(record::EditsApplied{digest.finish(), files.size()});
}

/// Packages that could not be looked up, and why: a copy that waits for one says only that.
void tell_lacks(const catalog::Catalog& catalog, std::vector<std::string>& warnings) {
  constexpr std::size_t kMaxTold = 5;
  std::size_t told = 0;
  for (const auto& [name, lack] : catalog.lacks()) {
    if (told++ == kMaxTold) break;
    warnings.push_back("no releases of " + printable(name) + ": " +
                       std::string(catalog::words(lack.kind)) +
                       (lack.what.empty() ? "" : " (" + lack.what + ")"));
  }
  if (catalog.lacks().size() > kMaxTold) {
    warnings.push_back("and " +
                       counted(catalog.lacks().size() - kMaxTold, "more package", "more packages"));
  }
  for (const std::string& note : catalog.notes()) warnings.push_back(note);
}

Problem mint_problem(const plugin::MintError& error) {
  return {ErrorCode::plugin_bad, error.what, {}, "nothing was changed", {"codegenie plugins list"}};
}

/// What one run holds on to from the request to the end.
class Run {
 public:
  Run(const RemediationRequest& request, const cli::Invocation& invocation, const Session& session)
      : request_(request), invocation_(invocation), session_(session) {}

  Result<Remediation, Problem> go() {
    const Time started = os::SystemClock().now();
    // Nothing runs on a log that is broken, on plugins that are not pinned, or twice at once.
    CG_TRY_ASSIGN(const Access access, open_workspace(session_));
    CG_TRY_ASSIGN(const cli::Settings settings, session_.settings());
    CG_TRY(check_log(access));
    CG_TRY_ASSIGN(const plugin::Plugins plugins, load_plugins());
    CG_TRY_ASSIGN(const os::Dir repo, open_repository(request_.repo));
    CG_TRY_ASSIGN(const gitrepo::RepoLock lock,
                  gitrepo::RepoLock::acquire(access.workspace.home, repo.path()));
    CG_TRY_ASSIGN(Recording workflow, Recording::start(access));
    out_.outcome.started = started;
    out_.outcome.workflow = workflow.id();
    auto done = work(access, settings, plugins, workflow);
    if (!done) {
      workflow.give_up(done.error());
      return fail(done.error());
    }
    return std::move(out_);
  }

 private:
  Result<Done, Problem> check_log(const Access& access) {
    CG_TRY_ASSIGN(const audit::Verdict verdict, verify_log(access, invocation_, session_));
    if (verdict.breaks.empty()) return Done{};
    return fail(verdict.breaks.front());
  }

  Result<Done, Problem> work(const Access& access, const cli::Settings& settings,
                             const plugin::Plugins& plugins, Recording& workflow) {
    record::Events& events = workflow.events();
    // Context: the repository at its base, read and matched.
    CG_TRY_ASSIGN(const Checkout checkout, Checkout::open(access, request_, workflow.id()));
    events.emplace_back(record::RemediationStarted{checkout.base(), cut(request_.repo, 500),
                                                   cut(request_.what(), 500)});
    CG_TRY_ASSIGN(const workspace::Policy policy, policy_for(access.workspace, checkout.files()));
    const Time now = out_.outcome.started;
    CG_TRY_ASSIGN(vulnindex::Index index, open_fresh_index(access, policy, now));
    for (const std::string& id : request_.advisories) CG_TRY(find_group(index, id));
    CG_TRY_ASSIGN(const Scanned scanned, scan_base(access, checkout, policy, index));
    if (scanned.incomplete) return fail(*scanned.incomplete);
    out_.warnings = checkout.warnings();
    out_.warnings.insert(out_.warnings.end(), scanned.scan.warnings.begin(),
                         scanned.scan.warnings.end());
    events.emplace_back(gathered(scanned));
    out_.refusals = gate_provenance(scanned.scan, events);
    for (const std::string& lie : lies_of(scanned, out_.warnings)) out_.refusals.push_back(lie);
    if (!out_.refusals.empty()) return refuse(checkout, scanned, workflow);

    // Recipes: plans, from what the registry has published.
    for (record::Event& event : plugins.events()) events.push_back(std::move(event));
    const npm::LockKind kind = scanned.loaded.locks.empty()
                                   ? npm::LockKind::package_lock
                                   : scanned.loaded.locks.front().graph.kind();
    const plugin::Mint mint(plugins.plugin_for(kind).manifest);
    CG_TRY_ASSIGN(const auto catalog,
                  open_catalog(access, settings,
                               {request_.offline ? catalog::Mode::offline : catalog::Mode::online,
                                request_.registry},
                               session_.environment, checkout.files().path()));
    const registry::Choice* choice = catalog->config().registry_for("");
    const auto install = mint.npm_install(choice == nullptr ? "" : choice->url.str(), events);
    if (!install) return fail(mint_problem(install.error()));
    const std::string& registry = install->use("look up releases", events);
    const Wanted wanted = wanted_hits(scanned);
    prefetch(*catalog, first_names(scanned, wanted), invocation_, session_);
    RuleBook book(index);
    const Time dated = checkout.has_git() ? Time{checkout.git().committed * 1000} : now;
    const Means means{checkout.files(), scanned, plugins, policy, request_,
                      *catalog,         book,    now,     dated};
    const std::vector<LockPlan> plans = make_plans(means, wanted);
    if (catalog->damage()) return fail(*catalog->damage());
    if (book.trouble()) return fail(*book.trouble());
    events.emplace_back(consulted(*catalog));

    // Apply: in memory, read back, and scanned again.
    CG_TRY_ASSIGN(Edited edited, apply_plans(means, plans, registry));
    CG_TRY_ASSIGN(const Scanned after,
                  scan_loaded(checkout.files(), {}, std::move(edited.locks), access.workspace,
                              policy, index, scan_request()));
    out_.files = std::move(edited.files);
    fill_case(out_.outcome, request_, checkout, scanned, after, plans, out_.files, *catalog);
    tell_plan(out_.outcome, out_.files, events);
    tell_lacks(*catalog, out_.warnings);
    CG_TRY(workflow.write());

    // Publish: as far as was asked for.
    std::vector<evidence::Commit> commits;
    switch (request_.extent) {
      case Extent::preview: {
        CG_TRY_ASSIGN(out_.diff, preview(checkout));
        break;
      }
      case Extent::plan:
        CG_TRY(write_worktree(checkout, mint, events));
        break;
      case Extent::branch: {
        const auto right =
            mint.git_local_ops({checkout.repository(), request_.branch_prefix}, events);
        if (!right) return fail(mint_problem(right.error()));
        CG_TRY_ASSIGN(out_.found, write_branches({checkout, request_, means, registry, *right},
                                                 plans, out_.outcome, commits, events));
        break;
      }
    }
    CG_TRY(workflow.write());
    return finish(access, plugins.plugin_for(kind), checkout, scanned, after, std::move(commits),
                  workflow);
  }

  /// A refusal is an outcome: it is recorded and told like any other.
  Result<Done, Problem> refuse(const Checkout& checkout, const Scanned& scanned,
                               Recording& workflow) {
    report::Case& c = out_.outcome;
    c.repo = request_.repo;
    c.base = checkout.base();
    c.index = scanned.scan.index;
    c.tool = tool_name();
    c.outcome = report::Outcome::refused;
    c.exit = static_cast<int>(ExitCode::needs_human);
    c.not_checked = out_.refusals;
    c.findings = {scanned.scan.findings.size(), scanned.scan.findings.size(), 0};
    c.ended = os::SystemClock().now();
    workflow.events().emplace_back(record::RemediationRefused{static_cast<std::uint64_t>(c.exit),
                                                              cut(out_.refusals.front(), 500)});
    return workflow.end("refused");
  }

  ScanRequest scan_request() const {
    ScanRequest request;
    request.repo = request_.repo;
    request.now = out_.outcome.started;
    request.selection.advisories = request_.advisories;
    request.selection.production_only = request_.production_only;
    request.components = request_.extent == Extent::branch;
    return request;
  }

  Result<Scanned, Problem> scan_base(const Access& access, const Checkout& checkout,
                                     const workspace::Policy& policy, vulnindex::Index& index) {
    CG_TRY_ASSIGN(Scanned scanned, scan_repository(checkout.files(), access.workspace, policy,
                                                   index, scan_request()));
    scanned.scan.repo.head = checkout.base();
    return scanned;
  }

  /// The very edits, as git would show them; nothing of it is written anywhere.
  Result<std::string, Problem> preview(const Checkout& checkout) const {
    if (!checkout.has_git() || out_.files.empty()) return std::string();
    CG_TRY_ASSIGN(gitrepo::Prepared prepared, prepare_commit(checkout, out_.files, "preview\n"));
    return std::move(prepared.diff);
  }

  Result<Done, Problem> write_worktree(const Checkout& checkout, const plugin::Mint& mint,
                                       record::Events& events) {
    if (request_.worktree.empty()) return Done{};
    const std::string top = checkout.has_git() ? checkout.git().work_tree : std::string();
    CG_TRY_ASSIGN(const os::Dir folder,
                  open_output_folder(request_.worktree, top.empty() ? request_.repo : top));
    const auto right = mint.fs_read_write(folder.path(), events);
    if (!right) return fail(mint_problem(right.error()));
    return write_files(right->use("write the edited files", events), out_.files);
  }

  Result<Done, Problem> finish(const Access& access, const plugin::Plugin& plugin,
                               const Checkout& checkout, const Scanned& before,
                               const Scanned& after, std::vector<evidence::Commit> commits,
                               Recording& workflow) {
    report::Case& c = out_.outcome;
    c.ended = os::SystemClock().now();
    const std::string handoff = report::handoff(c);
    if (!handoff.empty() && request_.extent == Extent::branch) {
      out_.handoff = "handoff/" + c.workflow + ".md";
      CG_TRY(keep(access, out_.handoff, handoff));
      workflow.events().emplace_back(record::HandoffWritten{out_.handoff});
    }
    if (commits.empty()) return workflow.end(std::string(report::name(c.outcome)));
    c.evidence = evidence::folder_of(c.workflow);
    const evidence::Parts parts{
        before.scan,
        after.scan,
        std::move(commits),
        codec::write_json_pretty(context::to_json(context::gather(checkout.files()))),
        plugin.manifest.name,
        "sha256:" + to_hex(plugin.digest)};
    evidence::Draft draft = evidence::draft_bundle(c, parts);
    workflow.events().emplace_back(record::EvidenceWritten{draft.digest, c.evidence});
    CG_TRY(workflow.end(std::string(report::name(c.outcome))));
    std::optional<sign::Seed> key;
    if (!request_.sign.empty()) {
      CG_TRY_ASSIGN(key, audit::read_signing_key(request_.sign.substr(4)));
    }
    CG_TRY(evidence::write_bundle(access.workspace.home, std::move(draft), key));
    return Done{};
  }

  static Result<Done, Problem> keep(const Access& access, const std::string& path,
                                    const std::string& text) {
    auto made = access.workspace.home.make_dir("handoff");
    if (made) made = access.workspace.home.write_atomic(path, text);
    if (made) return Done{};
    return fail(Problem{ErrorCode::home_io,
                        "the handoff cannot be written",
                        {{"path", os::describe(made.error())}},
                        "the branches are there",
                        {}});
  }

  const RemediationRequest& request_;
  const cli::Invocation& invocation_;
  const Session& session_;
  Remediation out_;
};

}  // namespace

Result<Remediation, Problem> remediate(const RemediationRequest& request,
                                       const cli::Invocation& invocation, const Session& session) {
  return Run(request, invocation, session).go();
}

}  // namespace cg::program
