#include "remediation/remediate.h"

#include <algorithm>

#include "asking/asking.h"
#include "base/json/json.h"
#include "fetch/gitrepo/repo_lock.h"
#include "findings/advisories.h"
#include "fix/report/report.h"
#include "flow/repository/context.h"
#include "prove/evidence/bundle.h"
#include "proving/publishing.h"
#include "proving/sandbox_access.h"
#include "remediation/branches.h"
#include "remediation/case_of.h"
#include "remediation/output_folder.h"
#include "remediation/plugins.h"
#include "remediation/recording.h"
#include "remediation/registry_access.h"
#include "remediation/telling.h"

namespace cg::program {

namespace {

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
    CG_TRY_ASSIGN(Scanned after, scan_loaded(checkout.files(), {}, std::move(edited.locks),
                                             access.workspace, policy, index, scan_request()));
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
        const auto rescan = [&](repository::LoadedLocks locks) {
          return scan_loaded(checkout.files(), {}, std::move(locks), access.workspace, policy,
                             index, scan_request());
        };
        CG_TRY(publish(
            {access, checkout, means, registry, *catalog, rescan, index, plugins.plugin_for(kind)},
            *right, plans, after, workflow, commits));
        break;
      }
    }
    CG_TRY(workflow.write());
    return finish(access, plugins.plugin_for(kind), checkout, scanned, after, std::move(commits),
                  workflow);
  }

  struct Publishing {
    const Access& access;
    const Checkout& checkout;
    const Means& means;
    const std::string& registry;
    catalog::Catalog& catalog;
    std::function<Result<Scanned, Problem>(repository::LoadedLocks)> rescan;
    vulnindex::Index& index;
    const plugin::Plugin& plugin;
  };

  /// Gate and evidence: what passes becomes a branch, what does not is told with why.
  Result<Done, Problem> publish(const Publishing& with, const plugin::GitLocalOps& right,
                                const std::vector<LockPlan>& plans, Scanned& after,
                                Recording& workflow, std::vector<evidence::Commit>& commits) {
    // What recipes left goes to a model, as far as policy and request let it.
    std::vector<HandedOn> open = handed_on(with.means, plans, workflow.events());
    if (!open.empty() && !may_ask(with.means.policy)) open.clear();
    if (out_.outcome.branches.empty() && open.empty()) return Done{};
    CG_TRY_ASSIGN(const SandboxMeans sandbox,
                  open_sandbox(request_, with.means.policy, with.access, session_));
    GateDisplay display(invocation_, session_);
    if (request_.place == Place::host) {
      const std::string bare =
          "--unsafe-no-sandbox: the repository's own code runs on this machine as it is; nothing "
          "that runs so can pass";
      display.head(bare);
      out_.warnings.push_back(bare);
    }
    Proving proving({with.access, with.checkout, with.catalog, *sandbox.chambers, sandbox.tools,
                     sandbox.scratch, with.means.policy, display});
    const Trying trying{with.means,  with.registry, proving,
                        with.rescan, workflow,      request_.attempts};
    const record::RemediationStarted about{with.checkout.base(), cut(request_.repo, 500),
                                           cut(request_.what(), 500)};
    CG_TRY_ASSIGN(Interrupted left, interrupted(with.access, workflow, about));
    // Before the first branch: a model that cannot be set up must not end a run half-way.
    std::unique_ptr<Model> model;
    if (!open.empty()) {
      CG_TRY_ASSIGN(model, open_model({request_, with.means.policy, with.access, session_,
                                       with.plugin, left, out_.outcome.started},
                                      workflow));
    }
    const Writing writing{with.checkout, request_, right};
    CG_TRY_ASSIGN(Published published,
                  prove_and_write(trying, writing, plans, out_.outcome, left.history));
    if (model != nullptr) {
      CG_TRY(ask(*model, with, trying, writing, open, left.history, display, published));
    }
    settle_case(out_.outcome, published.groups);
    heed_stops(published.groups);
    const bool as_planned =
        std::all_of(published.groups.begin(), published.groups.end(), [](const auto& group) {
          return group.attempted.passed && group.attempted.avoided.empty() &&
                 group.attempted.targets.empty();
        });
    if (!as_planned) {
      CG_TRY_ASSIGN(Together all, together(trying, published));
      fill_changes(out_.outcome, with.checkout, with.means.scanned, all.after, all.plans, all.files,
                   all.replaced, with.catalog);
      after = std::move(all.after);
    }
    for (const std::string& line : proving.notes()) out_.warnings.push_back(line);
    out_.found = published.found;
    out_.groups = std::move(published.groups);
    commits = std::move(published.commits);
    return Done{};
  }

  /// Whether a model may be asked; where somebody wanted it and it may not, says why.
  bool may_ask(const workspace::Policy& policy) {
    const Tier wanted = request_.max_tier.value_or(policy.max_tier);
    if (wanted != Tier::llm) return false;
    const bool at_hand = !request_.cassette.empty() || policy.model_port != 0;
    std::string why;
    if (policy.max_tier != Tier::llm) {
      why = "policy lets a fix go no further than " + std::string(name(policy.max_tier)) +
            " (model.max_tier)";
    } else if (request_.place == Place::host) {
      why = "what runs with --unsafe-no-sandbox can never pass";
    } else if (request_.offline && !at_hand) {
      why = "--offline";
    }
    if (!why.empty()) out_.warnings.push_back("no model was asked: " + why);
    return why.empty();
  }

  /// The last tiers: a solved example, a model; one question per package that was handed on.
  Result<Done, Problem> ask(Model& model, const Publishing& with, const Trying& trying,
                            const Writing& writing, const std::vector<HandedOn>& open,
                            History& history, GateDisplay& display, Published& published) {
    out_.warnings.insert(out_.warnings.end(), model.warnings.begin(), model.warnings.end());
    const AskingMeans means{with.checkout, with.index, *model.asking, display, out_.warnings};
    for (const HandedOn& group : open) {
      CG_TRY_ASSIGN(Attempted attempted,
                    ask_and_try(trying, means, group, std::move(history[group.group])));
      const bool over = attempted.stopped.has_value();
      SettledGroup settled{{}, {}, std::move(attempted)};
      for (const std::string& location : group.locations) {
        for (const std::string& advisory : group.advisories) {
          plan::Copy copy;
          copy.location = location;
          copy.advisory = advisory;
          settled.copies.push_back(
              copy_key(with.means.scanned.loaded.locks[group.lock].path, copy));
        }
      }
      CG_TRY(settle_group(trying, writing, out_.outcome, std::move(settled), published));
      if (over) break;
    }
    const budget::Spent spent = model.asking->ledger().spent();
    out_.outcome.spend = {spent.tokens, spent.usd.str()};
    CG_TRY(model.finish(trying.recording.events()));
    return trying.recording.write();
  }

  /// Why a model was not asked to the end decides how the run ends, unless all is fixed.
  void heed_stops(const std::vector<SettledGroup>& groups) {
    for (const SettledGroup& group : groups) {
      if (!group.attempted.stopped) continue;
      const ExitCode exit = exit_of(*group.attempted.stopped);
      const bool nothing = out_.outcome.outcome == report::Outcome::not_fixed;
      if (exit == ExitCode::guard || nothing) out_.outcome.exit = static_cast<int>(exit);
    }
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
    request.sbom = request_.sbom;
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
        gate_documents(),
        json::write_json_pretty(repository::to_json(repository::gather(checkout.files()))),
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

  /// Of the groups that became branches, in their order.
  [[nodiscard]] std::vector<std::vector<std::pair<std::string, std::string>>> gate_documents()
      const {
    std::vector<std::vector<std::pair<std::string, std::string>>> out;
    for (const SettledGroup& group : out_.groups) {
      if (group.attempted.passed) out.push_back(group.attempted.documents);
    }
    return out;
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
