#include "flow/remediate/proving.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/base/text.h"
#include "base/os/ports.h"
#include "fetch/catalog/installer.h"
#include "fetch/catalog/shelf.h"
#include "fetch/catalog/tarball.h"
#include "flow/remediate/challenging.h"
#include "flow/remediate/loading.h"
#include "flow/repository/files.h"
#include "trust/audit/layout.h"
#include "trust/hash/blake3.h"

namespace cg::remediate {

namespace {

constexpr std::size_t kMaxTold = 5;
constexpr std::size_t kMaxYarnrc = 1U << 20U;
constexpr std::size_t kMaxTsconfig = 1U << 20U;

Problem chamber_problem(const sandbox::Error& error) {
  const auto code = [&] {
    switch (error.kind) {
      case sandbox::Error::Kind::missing:
        return ErrorCode::sandbox_missing;
      case sandbox::Error::Kind::setup:
        return ErrorCode::sandbox_setup;
      case sandbox::Error::Kind::broken:
        return ErrorCode::sandbox_broken;
      case sandbox::Error::Kind::scene:
        break;
    }
    return ErrorCode::sandbox_scene;
  }();
  return {code,
          error.what,
          {},
          "the fix is not proven, so no branch was made of it",
          {"codegenie self-check sandbox"}};
}

std::string layers_of(const sandbox::InForce& in_force) {
  std::string held;
  std::string lacking;
  for (const sandbox::Layer& layer : in_force.layers) {
    std::string& list = layer.held ? held : lacking;
    list += (list.empty() ? "" : ", ") + layer.name;
  }
  return held + (lacking.empty() ? "" : "; without " + lacking);
}

/// The registries that are configured for these packages, and the origins that the base
/// trusted already.
std::vector<std::string> known_registries(const catalog::Catalog& catalog, const npm::Graph& before,
                                          const npm::Graph& after) {
  std::set<std::string> out;
  for (const npm::Node& node : after.nodes()) {
    const registry::Choice* choice = catalog.config().registry_for(node.name);
    if (choice != nullptr) out.insert(choice->url.str());
  }
  for (const npm::Node& node : before.nodes()) {
    if (node.source != npm::Source::registry) continue;
    const std::size_t scheme = node.resolved.find("://");
    if (scheme == std::string_view::npos) continue;
    const std::size_t end = node.resolved.find('/', scheme + 3);
    if (end != std::string_view::npos) out.emplace(node.resolved.substr(0, end + 1));
  }
  return {out.begin(), out.end()};
}

std::vector<gate::AdvisoryAt> advisories_of(const npm::Graph& graph,
                                            const std::vector<findings::Hit>& hits) {
  std::vector<gate::AdvisoryAt> out;
  for (const findings::Hit& hit : hits) {
    const npm::Node& node = graph.node(hit.node);
    out.push_back({hit.advisory, std::string(node.name), std::string(node.location)});
  }
  std::sort(out.begin(), out.end());
  return out;
}

gate::Checks checks_of(const os::Dir& repo, const repository::LoadedLock& lock) {
  const std::string tsconfig = repository::join(lock.folder(), "tsconfig.json");
  const bool has = repo.read(tsconfig, kMaxTsconfig).has_value();
  static const npm::Manifest kNone;
  return gate::checks_of(lock.manifests.empty() ? kNone : lock.manifests.front(), lock.graph,
                         has ? gate::Tsconfig::present : gate::Tsconfig::absent);
}

/// For who has a base that does not run: which packages may want their install scripts.
std::string scripts_hint(const npm::Graph& lock, const std::vector<std::string>& run) {
  std::set<std::string> names;
  for (const npm::Node& node : lock.nodes()) {
    const std::string name(node.name);
    const bool runs = std::find(run.begin(), run.end(), name) != run.end();
    if (node.flags.install_script && !runs) names.insert(name);
  }
  if (names.empty()) return "";
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + printable(name);
  return ". Install scripts were not run, and may be what is missing; policy lets them run with "
         "gates.run_scripts: [" +
         cut(list, 300) + "]";
}

Problem storage_problem(const os::Error& error) {
  return chamber_problem(
      {sandbox::Error::Kind::scene, printable(error.path) + ": " + describe(error)});
}

/// Where whoever runs the steps, who may be somebody else than we are, can read it.
Result<Done, Problem> lay_out(const os::Dir& folder, const runners::Hook& hook) {
  if (fchmod(folder.fd().get(), 0755) != 0)
    return fail(storage_problem(os::from_errno(errno, hook.folder)));
  for (const auto& [name, text] : runners::files_of(hook)) {
    const auto file = folder.open_file(name, O_WRONLY | O_CREAT | O_EXCL);
    if (!file) return fail(storage_problem(file.error()));
    if (auto done = os::write_at(*file, text, 0, folder.path_of(name)); !done) {
      return fail(storage_problem(done.error()));
    }
    if (fchmod(file->get(), name == "node" ? 0755 : 0644) != 0) {
      return fail(storage_problem(os::from_errno(errno, folder.path_of(name))));
    }
  }
  return Done{};
}

}  // namespace

void Proving::note(std::string line) {
  if (std::find(notes_.begin(), notes_.end(), line) == notes_.end()) {
    notes_.push_back(std::move(line));
  }
}

/// The same for the same commit, so that a branch that is made again is the same; for others as
/// good as random, since nobody but the workspace has the key of its log.
std::uint64_t Proving::drawn(const workspace::Access& access, const propose::Situation& situation) {
  const auto key = access.workspace.home.read(audit::kKeyFile, audit::kMaxSmallFile);
  const hash::Digest digest =
      hash::blake3(as_bytes("challenge\n" + (key ? *key : to_hex(os::SystemRandom().bytes<16>())) +
                            "\n" + situation.base.checkout.base()));
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < sizeof out; ++i) out = out << 8U | digest[i];
  return out;
}

std::string Proving::folder_inside(const repository::LoadedLock& lock) const {
  const std::string path = situation_.base.checkout.in_git(std::string(lock.folder()));
  const std::string top = sandbox::Step().folder;
  return path.empty() ? top : repository::join(top, path);
}

/// In the same place for the base and for a fix: a program is known by where it is. The name of the
/// reports is one that the tests cannot have prepared for.
Result<runners::Hook, Problem> Proving::lay_hook() const {
  CG_TRY_ASSIGN(const os::Dir folder, situation_.base.checkout.scratch("hook"));
  const runners::Hook hook{folder.path(), "/tmp/report-" + to_hex(os::SystemRandom().bytes<16>()),
                           sandbox_.tools.node, sandbox_.tools.node_version};
  CG_TRY(lay_out(folder, hook));
  return hook;
}

Result<gate::Trial, Problem> Proving::run(const Subject& subject, record::Events& events) {
  const std::string side = subject.side == Side::base ? "base" : "fix";
  CG_TRY_ASSIGN(const catalog::Stock stock,
                catalog::take_stock(*situation_.catalog, {&subject.lock.graph}));
  for (const catalog::Missing& missing : stock.missing) {
    if (!missing.optional) note("for the sandbox: " + catalog::describe(missing));
  }
  events.emplace_back(record::PackagesStocked{stock.counts.bytes, stock.held.size(),
                                              stock.counts.fetched, cut(subject.lock.path, 500)});
  CG_TRY_ASSIGN(const os::Dir folder, situation_.base.checkout.scratch("shelf-" + side));
  CG_TRY_ASSIGN(const catalog::Shelf shelf,
                catalog::lay_shelf(access_.workspace.home, stock, folder));

  const auto yarnrc = situation_.base.checkout.files().read(
      repository::join(subject.lock.folder(), ".yarnrc.yml"), kMaxYarnrc);
  const std::string inside = folder_inside(subject.lock);
  const auto install = catalog::plan_install(
      catalog::project_of(subject.lock.graph, yarnrc ? *yarnrc : std::string()), sandbox_.tools,
      {catalog::kShelfPort, shelf.mirror, inside, sandbox_.scratch},
      situation_.base.policy.run_scripts);
  if (!install) return fail(chamber_problem({sandbox::Error::Kind::missing, install.error()}));
  for (const std::string& line : install->notes) note(line);
  const std::string in_tree = situation_.base.checkout.in_git(std::string(subject.lock.folder()));
  job::EditedFiles extra;
  for (const auto& [name, bytes] : install->files) extra[repository::join(in_tree, name)] = bytes;
  CG_TRY(job::write_files(subject.tree.folder, extra));

  CG_TRY_ASSIGN(const runners::Hook hook, lay_hook());
  sandbox::Scene scene{subject.tree.folder, shelf.registry, install->readable};
  scene.readable.push_back(hook.folder);
  scene.links = subject.tree.links;
  auto chamber = sandbox_.chambers->open(scene);
  if (!chamber) return fail(chamber_problem(chamber.error()));
  const sandbox::InForce& in_force = (*chamber)->in_force();
  events.emplace_back(record::SandboxOpened{std::string(sandbox::name(in_force.isolation)),
                                            cut(layers_of(in_force), 1000), side});
  gate::Setup setup;
  setup.checks = subject.checks;
  setup.install = {{install->install.argv, install->install.env}};
  if (install->rebuild) {
    setup.install.push_back(
        {install->rebuild->argv, install->rebuild->env, situation_.base.policy.run_scripts});
  }
  setup.folder = inside;
  if (sandbox_.tools.npm) setup.npm = sandbox_.tools.npm->argv;
  setup.node = sandbox_.tools.node;
  setup.load = subject.load;
  setup.path = sandbox_.tools.path;
  setup.hook = hook;
  setup.seen = install->leaves;
  setup.challenge = challenge_of(subject.tree.folder, subject.checks, draw_);
  auto trial = gate::run_trial(
      **chamber, setup, [&](const gate::Progress& at) { watcher_.step(at); },
      [&](std::string_view bytes) { watcher_.output(bytes); });
  if (!trial) return fail(chamber_problem(trial.error()));
  kept_.take(*trial, side);
  for (const gate::StepRun& step : trial->steps) {
    events.emplace_back(record::StepRan{cut(step.facts.ending, 60), step.facts.err,
                                        static_cast<std::uint64_t>(step.facts.wall.count()),
                                        step.facts.out, side, cut(step.name, 30)});
  }
  return *std::move(trial);
}

Result<const gate::Trial*, Problem> Proving::base_of(std::size_t lock, const gate::Checks& checks,
                                                     const gate::Loading& loading,
                                                     record::Events& events) {
  std::vector<std::string> load;
  for (const gate::LoadTarget& target : loading.targets) load.push_back(target.before);
  const auto known = bases_.find(lock);
  if (known != bases_.end()) {
    const Base& base = known->second;
    const bool hopeless = !gate::why_unprovable(base.trial, checks).empty();
    if (hopeless || load.empty() || base.loaded == load) return &base.trial;
  }
  const repository::LoadedLock& loaded = situation_.lock(lock);
  watcher_.head("at the base: " + loaded.path);
  std::vector<std::string> left_out;
  CG_TRY_ASSIGN(const job::ExportedTree tree,
                situation_.base.checkout.export_tree("base", left_out));
  for (std::size_t i = 0; i < std::min(left_out.size(), kMaxTold); ++i) {
    note(printable(left_out[i]) +
         " is a link that leads out, a submodule or too large; the sandbox was without it");
  }
  if (known == bases_.end()) {
    CG_TRY_ASSIGN(gate::Trial trial, run({Side::base, loaded, checks, load, tree}, events));
    return &bases_.emplace(lock, Base{std::move(trial), std::move(load)}).first->second.trial;
  }
  gate::Checks alone;
  alone.lock = checks.lock;
  alone.load = true;
  CG_TRY_ASSIGN(gate::Trial again, run({Side::base, loaded, alone, load, tree}, events));
  Base& base = known->second;
  std::erase_if(base.trial.steps, [](const gate::StepRun& step) { return step.name == "load"; });
  if (const gate::StepRun* step = again.step("load")) base.trial.steps.push_back(*step);
  base.trial.loads = std::move(again.loads);
  base.loaded = std::move(load);
  return &base.trial;
}

/// By policy; where that leaves it to us, by how much a weak proof has to carry: a version that
/// hardly anybody has used yet, or one that brings an install script, is for a person.
gate::WeakProof Proving::weak_proof(const propose::LockPlan& plan) const {
  switch (situation_.base.policy.weak_tests) {
    case workspace::WeakTests::allow:
      return gate::WeakProof::allow;
    case workspace::WeakTests::handoff:
      return gate::WeakProof::handoff;
    case workspace::WeakTests::refuse:
      return gate::WeakProof::refuse;
    case workspace::WeakTests::by_risk:
      break;
  }
  const npm::Graph& before = situation_.lock(plan.lock).graph;
  const int days = std::max(situation_.base.policy.cooldown_days, workspace::kYoungDays);
  const std::int64_t young = situation_.now.ms - std::int64_t{days} * 24 * 3600 * 1000;
  for (const edit::PutCopy& put : plan.plan.lock.put) {
    const registry::Release& release = *put.release;
    const bool had_script =
        std::any_of(before.nodes().begin(), before.nodes().end(), [&](const npm::Node& node) {
          return node.name == release.name && node.flags.install_script;
        });
    if (release.install_script && !had_script) return gate::WeakProof::handoff;
    const registry::Packument* packument = situation_.catalog->get(release.name);
    const auto version = semver::Version::parse(release.version, {.loose = true});
    const auto at = packument != nullptr && version ? packument->find(*version) : std::nullopt;
    const auto published = at ? packument->published(*at) : std::nullopt;
    if (published && published->ms > young) return gate::WeakProof::handoff;
  }
  return gate::WeakProof::allow;
}

gate::Comparison Proving::comparison_of(const propose::LockPlan& plan, const scan::Scanned& fixed,
                                        gate::Checks checks) const {
  const npm::Graph& before = situation_.lock(plan.lock).graph;
  const npm::Graph& after = fixed.loaded.locks[plan.lock].graph;
  gate::Comparison out;
  out.checks = std::move(checks);
  out.lock_before = gate::lock_side(before);
  out.lock_after = gate::lock_side(after);
  out.registries = known_registries(*situation_.catalog, before, after);
  out.advisories_before = advisories_of(before, situation_.base.scanned.hits[plan.lock]);
  out.advisories_after = advisories_of(after, fixed.hits[plan.lock]);
  out.weak = weak_proof(plan);
  for (const plan::Copy& copy : plan.plan.copies) {
    if (copy.fate == plan::Fate::fixed) {
      out.to_fix.push_back({copy.advisory, copy.package, copy.location});
    }
  }
  return out;
}

Result<std::vector<Proof>, Problem> Proving::prove(const std::string& title,
                                                   const std::vector<propose::LockPlan>& plans,
                                                   const Applied& applied, record::Events& events) {
  const job::Checkout& checkout = situation_.base.checkout;
  std::vector<Proof> out;
  for (const propose::LockPlan& one : plans) {
    const repository::LoadedLock& before = situation_.lock(one.lock);
    const repository::LoadedLock& after = applied.after.loaded.locks[one.lock];
    const std::vector<gate::Moved> moved = gate::moved_between(before.graph, after.graph);
    gate::Checks checks = checks_of(checkout.files(), before);
    gate::set_load(checks, moved);
    gate::Loading loading = gate::targets_of(moved, before.graph, after.graph);
    std::vector<std::string> load;
    for (const gate::LoadTarget& target : loading.targets) load.push_back(target.after);
    CG_TRY_ASSIGN(const gate::Trial* base, base_of(one.lock, checks, loading, events));
    if (std::string why = gate::why_unprovable(*base, checks); !why.empty()) {
      why += scripts_hint(before.graph, situation_.base.policy.run_scripts);
      out.push_back({before.path, gate::unprovable(*base, std::move(why),
                                                   comparison_of(one, applied.after, checks))});
      continue;
    }
    watcher_.head(title);
    std::vector<std::string> left_out;
    CG_TRY_ASSIGN(const job::ExportedTree tree, checkout.export_tree("fix", left_out));
    job::EditedFiles files;
    for (const auto& [path, bytes] : applied.files) files[checkout.in_git(path)] = bytes;
    CG_TRY(job::write_files(tree.folder, files));
    CG_TRY_ASSIGN(const gate::Trial fix, run({Side::fix, after, checks, load, tree}, events));
    CG_TRY(add_faults(loading, moved, before.graph, after.graph, *situation_.catalog));
    gate::Comparison comparison = comparison_of(one, applied.after, checks);
    comparison.loading = std::move(loading);
    out.push_back({before.path, gate::judge(*base, fix, comparison)});
  }
  return out;
}

}  // namespace cg::remediate
