#include "flow/proving/staging.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/base/text.h"
#include "base/domain/tool.h"
#include "base/os/ports.h"
#include "fetch/catalog/installer.h"
#include "fetch/catalog/shelf.h"
#include "fetch/catalog/tarball.h"
#include "fetch/catalog/yarnrc.h"
#include "flow/proving/challenging.h"
#include "flow/repository/files.h"
#include "trust/audit/layout.h"
#include "trust/hash/blake3.h"
#include "trust/hash/sha256.h"

namespace cg::proving {

namespace {

constexpr std::size_t kMaxTold = 5;
constexpr std::size_t kMaxYarnrc = 1U << 20U;
constexpr const char* kHooks = "cache/hooks";

Problem storage_problem(const os::Error& error) {
  return chamber_problem(
      {sandbox::Error::Kind::scene, printable(error.path) + ": " + describe(error)});
}

/// The same for the same commit, so that a branch that is made again is the same, and what was run
/// can be recalled; for others as good as random, since nobody but the workspace has the key of its
/// log.
hash::Digest drawn(const workspace::Access& access, const propose::Situation& situation,
                   std::string_view what) {
  const auto key = access.workspace.home.read(audit::kKeyFile, audit::kMaxSmallFile);
  return hash::blake3(as_bytes(std::string(what) + "\n" +
                               (key ? *key : to_hex(os::SystemRandom().bytes<16>())) + "\n" +
                               situation.base.checkout.base()));
}

std::uint64_t number_of(const hash::Digest& digest) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < sizeof out; ++i) out = out << 8U | digest[i];
  return out;
}

/// Where whoever runs the steps, who may be somebody else than we are, can read it. What is there
/// already is of an earlier run, and the same unless somebody changed it.
Result<Done, os::Error> lay_out(const os::Dir& folder, const runners::Hook& hook) {
  if (fchmod(folder.fd().get(), 0755) != 0) return fail(os::from_errno(errno, hook.folder));
  for (const auto& [name, text] : runners::files_of(hook)) {
    const auto there = folder.read(name, text.size());
    if (!there || *there != text) CG_TRY(folder.write_atomic(name, text));
    CG_TRY_ASSIGN(const os::Fd file, folder.open_file(name, O_RDONLY));
    if (fchmod(file.get(), name == "node" ? 0755 : 0644) != 0) {
      return fail(os::from_errno(errno, folder.path_of(name)));
    }
  }
  return Done{};
}

/// Fields one after the other, so that no two lists of them are the same bytes.
class Fields {
 public:
  explicit Fields(std::string_view context) : hash_(context) {}
  Fields& add(std::string_view text) {
    hash_.update(as_bytes(std::to_string(text.size()) + ":")).update(as_bytes(text));
    return *this;
  }
  [[nodiscard]] hash::Digest finish() const { return hash_.finish(); }

 private:
  hash::Blake3 hash_;
};

gate::StepLimits limits_of(const workspace::StepLimits& limits, std::uint64_t memory) {
  using std::chrono::seconds;
  return {seconds(limits.install_s),
          seconds(limits.load_s),
          seconds(limits.build_s),
          seconds(limits.tests_s),
          seconds(limits.typecheck_s),
          memory,
          static_cast<unsigned>(limits.processes)};
}

/// A lock that leaves open which bytes it means can be installed in two ways.
bool is_pinned(const npm::Graph& lock) {
  return std::all_of(lock.nodes().begin(), lock.nodes().end(), [](const npm::Node& node) {
    return node.source != npm::Source::registry || !node.integrity.empty();
  });
}

/// yarn's settings in a folder, with those of the folders above it in the repository.
std::string yarnrc_of(const os::Dir& repo, std::string folder) {
  const auto read = [&] {
    auto text = repo.read(repository::join(folder, ".yarnrc.yml"), kMaxYarnrc);
    return text ? *std::move(text) : std::string();
  };
  std::string out = read();
  while (!folder.empty()) {
    const std::size_t slash = folder.rfind('/');
    folder.resize(slash == std::string::npos ? 0 : slash);
    out = catalog::inherit_yarnrc(std::move(out), read());
  }
  return out;
}

}  // namespace

std::string_view name(Side side) { return side == Side::base ? "base" : "fix"; }

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

Staging::Staging(const workspace::Access& access, propose::Situation& situation,
                 supplies::Sandbox sandbox, recall::Memory* memory)
    : access_(access),
      situation_(situation),
      sandbox_(std::move(sandbox)),
      memory_(memory),
      managing_(situation),
      draw_(number_of(drawn(access, situation, "challenge"))),
      reports_("/tmp/report-" + to_hex(drawn(access, situation, "reports")).substr(0, 32)) {}

std::string Staging::folder_inside(const repository::LoadedLock& lock) const {
  const std::string path = situation_.base.checkout.in_git(std::string(lock.folder()));
  const std::string top = sandbox::Step().folder;
  return path.empty() ? top : repository::join(top, path);
}

/// In the same place for the base and for a fix, and in every run: a program is known by where it
/// is. The name of the reports is one that nobody but this workspace could have told before.
Result<runners::Hook, Problem> Staging::lay_hook(const catalog::Command& manager) const {
  runners::Hook hook{"", reports_, sandbox_.tools.node, sandbox_.tools.node_version};
  const bool by_node = manager.argv.size() > 1 && manager.argv[0] == hook.node;
  if (by_node) hook.manager = manager.argv[1];
  Fields fields("codegenie 2026 hook v1");
  for (const auto& [name, text] : runners::files_of(hook)) fields.add(name).add(text);
  const std::string path = std::string(kHooks) + "/" + to_hex(fields.finish()).substr(0, 32);
  auto made = access_.workspace.home.make_dir(path);
  if (!made) return fail(storage_problem(made.error()));
  const auto folder = access_.workspace.home.open_dir(path);
  if (!folder) return fail(storage_problem(folder.error()));
  hook.folder = folder->path();
  if (auto laid = lay_out(*folder, hook); !laid) return fail(storage_problem(laid.error()));
  return hook;
}

Result<std::unique_ptr<sandbox::Chamber>, Problem> Staging::furnish(const Furniture& furniture,
                                                                    Staged::Told& told) {
  const std::lock_guard guard(furnishing_);
  CG_TRY_ASSIGN(const catalog::Stock stock,
                catalog::take_stock(*situation_.catalog, {&furniture.lock->graph}));
  for (const catalog::Missing& missing : stock.missing) {
    if (!missing.optional) told.notes.push_back("for the sandbox: " + catalog::describe(missing));
  }
  told.events.emplace_back(record::PackagesStocked{
      stock.counts.bytes, stock.held.size(), stock.counts.fetched, cut(furniture.lock->path, 500)});
  CG_TRY_ASSIGN(const os::Dir folder, situation_.base.checkout.scratch("shelf-" + furniture.slot));
  CG_TRY_ASSIGN(const catalog::Shelf shelf,
                catalog::lay_shelf(access_.workspace.home, stock, folder));
  if (auto lock = catalog::lock_on_shelf(furniture.lock->graph, stock)) {
    const std::string path = situation_.base.checkout.in_git(furniture.lock->path);
    CG_TRY(job::write_files(furniture.tree, {{path, *std::move(lock)}}));
  }
  sandbox::Scene scene{furniture.tree, shelf.registry, furniture.readable};
  scene.links = furniture.links;
  scene.branch = situation_.base.checkout.branch();
  auto chamber = sandbox_.chambers->open(scene);
  if (!chamber) return fail(chamber_problem(chamber.error()));
  return *std::move(chamber);
}

void Staging::close(Staged staged) {
  const std::lock_guard guard(furnishing_);
  staged.room.reset();
}

Result<Staged, Problem> Staging::stage(const Subject& subject, std::vector<std::string>& notes) {
  const std::lock_guard guard(furnishing_);
  const job::Checkout& checkout = situation_.base.checkout;
  const workspace::Policy& policy = situation_.base.policy;
  const repository::LoadedLock& lock = *subject.lock;
  std::vector<std::string> left_out;
  CG_TRY_ASSIGN(job::ExportedTree tree, checkout.export_tree(subject.slot, left_out));
  for (std::size_t i = 0; i < std::min(left_out.size(), kMaxTold); ++i) {
    notes.push_back(printable(left_out[i]) +
                    " is a link that leads out, a submodule that is not here or too large; the "
                    "sandbox was without it");
  }

  // The commands, and what they are to find.
  const std::string yarnrc = yarnrc_of(checkout.files(), std::string(lock.folder()));
  const std::string inside = folder_inside(lock);
  const std::string mirror =
      catalog::mirror_in(checkout.private_folder() + "/shelf-" + subject.slot);
  const std::string in_tree = checkout.in_git(std::string(lock.folder()));
  Staged out;
  out.side = subject.side;
  out.told = std::make_unique<Staged::Told>();
  catalog::Project project = catalog::project_of(lock.graph, yarnrc);
  CG_TRY_ASSIGN(const manager::Ready* ready,
                managing_.of(lock, sandbox_.tools, project.yarnrc, inside,
                             repository::join(tree.folder, in_tree), out.told->events));
  notes.insert(notes.end(), ready->notes.begin(), ready->notes.end());
  project.own_yarn = ready->own_yarn;
  const auto install = catalog::plan_install(
      project, ready->tools, {catalog::kShelfPort, mirror, inside, sandbox_.scratch},
      policy.run_scripts);
  if (!install) return fail(chamber_problem({sandbox::Error::Kind::missing, install.error()}));
  notes.insert(notes.end(), install->notes.begin(), install->notes.end());
  job::EditedFiles files;
  for (const auto& [path, bytes] : subject.files) files[checkout.in_git(path)] = bytes;
  for (const auto& [name, bytes] : install->files) files[repository::join(in_tree, name)] = bytes;
  CG_TRY(job::write_files(tree.folder, files));
  CG_TRY_ASSIGN(const runners::Hook hook, lay_hook(install->run));

  gate::Setup& setup = out.setup;
  setup.checks = subject.checks;
  setup.install = {{install->install.argv, install->install.env}};
  if (install->rebuild) {
    setup.install.push_back({install->rebuild->argv, install->rebuild->env, policy.run_scripts});
  }
  setup.folder = inside;
  setup.manager = install->run.argv;
  setup.manager_env = install->run.env;
  setup.commands = install->commands;
  setup.node = ready->tools.node;
  setup.path = ready->tools.path;
  setup.hook = hook;
  setup.seen = install->leaves;
  for (const std::string& path : install->readable) {
    if (path.starts_with("/tmp/")) setup.seen.push_back(path);  // each step has a /tmp of its own
  }
  setup.limits = limits_of(policy.limits, sandbox_.memory);
  setup.challenge = challenge_of(tree.folder, subject.checks, draw_);

  // The room, known by all that its steps do not say themselves.
  Fields scene("codegenie 2026 scene v1");
  scene.add(tool_name()).add(as_text(sandbox_.tools.digest)).add(as_text(tree.digest));
  scene.add(checkout.branch()).add(std::to_string(static_cast<int>(sandbox_.place)));
  scene.add(std::to_string(static_cast<int>(policy.isolation)));
  if (ready->fetched) scene.add(ready->fetched->package).add(ready->fetched->integrity);
  for (const auto& [path, bytes] : files) scene.add(path).add(bytes);
  Furniture furniture{subject.slot, tree.folder, install->readable, std::move(tree.links),
                      subject.lock};
  furniture.readable.push_back(hook.folder);
  out.room =
      std::make_unique<recall::Room>(is_pinned(lock.graph) ? memory_ : nullptr, clock_,
                                     recall::Room::Scene{scene.finish(), checkout.private_folder(),
                                                         std::string(name(subject.side))},
                                     [this, furniture = std::move(furniture),
                                      told = out.told.get()] { return furnish(furniture, *told); });
  return out;
}

}  // namespace cg::proving
