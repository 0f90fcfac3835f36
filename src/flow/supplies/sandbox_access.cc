#include "flow/supplies/sandbox_access.h"

#include <algorithm>

#include "jail/microvm/vm.h"
#include "jail/sandbox/jail.h"
#include "jail/spawn/host.h"

namespace cg::supplies {

namespace {

using sandbox::Error;

/// For a jail to take down a large tree once it is left alone.
constexpr std::chrono::seconds kEndLimit{10};

/// A jail that the spawner started: it kills and waits.
class Spawned final : public sandbox::JailProcess {
 public:
  explicit Spawned(spawn::Child child) : child_(std::move(child)) {}
  Spawned(const Spawned&) = delete;
  Spawned& operator=(const Spawned&) = delete;
  ~Spawned() override { static_cast<void>(child_.ends_within(kEndLimit)); }

 private:
  spawn::Child child_;
};

Result<sandbox::StartedJail, Error> start_spawned(spawn::Host& host) {
  auto started = spawn::start_talking(host, spawn::Program::jail);
  if (!started) {
    return fail(Error{Error::Kind::missing, "codegenie-jail: " + os::describe(started.error())});
  }
  return sandbox::StartedJail{std::move(started->channel),
                              std::make_unique<Spawned>(std::move(started->child))};
}

Problem lacking(const Error& error, std::vector<std::string> hints) {
  const bool missing = error.kind == Error::Kind::missing;
  return {missing ? ErrorCode::sandbox_missing : ErrorCode::sandbox_setup,
          error.what,
          {},
          "no fix can be proven here, so none was made",
          std::move(hints)};
}

/// Emulators run in a jail: what holds them goes with them.
class Machines final : public sandbox::Chambers {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Machines>, Error> make(
      std::unique_ptr<sandbox::Jails> outer, microvm::Options options) {
    std::unique_ptr<Machines> out(new Machines(std::move(outer)));
    CG_TRY_ASSIGN(microvm::MicroVms machines,
                  microvm::MicroVms::make(std::move(options), *out->outer_));
    out->machines_ = std::make_unique<microvm::MicroVms>(std::move(machines));
    return out;
  }
  [[nodiscard]] Result<std::unique_ptr<sandbox::Chamber>, Error> open(
      const sandbox::Scene& scene) override {
    return machines_->open(scene);
  }

 private:
  explicit Machines(std::unique_ptr<sandbox::Jails> outer) : outer_(std::move(outer)) {}
  std::unique_ptr<sandbox::Jails> outer_;
  std::unique_ptr<microvm::MicroVms> machines_;
};

/// Refuses chambers that are weaker than policy allows.
class Demanding final : public sandbox::Chambers {
 public:
  Demanding(std::unique_ptr<sandbox::Chambers> inner, sandbox::Isolation least)
      : inner_(std::move(inner)), least_(least) {}
  [[nodiscard]] Result<std::unique_ptr<sandbox::Chamber>, Error> open(
      const sandbox::Scene& scene) override {
    CG_TRY_ASSIGN(auto chamber, inner_->open(scene));
    const sandbox::Isolation found = chamber->in_force().isolation;
    if (found < least_) {
      return fail(Error{Error::Kind::setup,
                        "policy demands the isolation " + std::string(sandbox::name(least_)) +
                            ", and this is " + std::string(sandbox::name(found))});
    }
    return chamber;
  }

 private:
  std::unique_ptr<sandbox::Chambers> inner_;
  sandbox::Isolation least_;
};

sandbox::Isolation least_of(const workspace::Policy& policy) {
  switch (policy.isolation) {
    case workspace::DemandedIsolation::namespaces:
      return sandbox::Isolation::namespaces;
    case workspace::DemandedIsolation::microvm_emulated:
      return sandbox::Isolation::microvm_emulated;
    case workspace::DemandedIsolation::microvm:
      break;
  }
  return sandbox::Isolation::microvm;
}

std::uint64_t memory_for(const workspace::Policy& policy, const Machine& machine) {
  const std::uint64_t allowed = static_cast<std::uint64_t>(policy.limits.memory_mb) << 20U;
  return machine.memory == 0 ? allowed : std::min(allowed, machine.memory);
}

Result<std::unique_ptr<sandbox::Chambers>, Error> chambers_for(job::Place place,
                                                               std::uint64_t memory,
                                                               const workspace::Access& access) {
  if (place == job::Place::host) {
    CG_TRY_ASSIGN(std::string program, sandbox::find_jail());
    return std::unique_ptr<sandbox::Chambers>(std::make_unique<sandbox::Jails>(
        sandbox::UnsafeNoSandbox(), std::move(program), starting_jails()));
  }
  CG_TRY_ASSIGN(sandbox::Jails jails, open_jails());
  if (place == job::Place::userns) {
    return std::unique_ptr<sandbox::Chambers>(std::make_unique<sandbox::Jails>(std::move(jails)));
  }
  microvm::Options options;
  options.image = access.workspace.path + "/cache/microvm";
  options.scratch = access.workspace.path + "/checkouts";
  options.memory = memory;
  CG_TRY_ASSIGN(auto machines, Machines::make(std::make_unique<sandbox::Jails>(std::move(jails)),
                                              std::move(options)));
  return std::unique_ptr<sandbox::Chambers>(std::move(machines));
}

}  // namespace

sandbox::StartJail starting_jails() {
  spawn::Host* const host = spawn::current();
  if (host == nullptr) return sandbox::starting_by_fork();
  return [host](const std::string&) { return start_spawned(*host); };
}

Result<sandbox::Jails, sandbox::Error> open_jails() {
  CG_TRY_ASSIGN(std::string program, sandbox::find_jail());
  return sandbox::Jails::make(std::move(program), starting_jails());
}

Result<Sandbox, Problem> open_sandbox(const job::Request& request, const workspace::Policy& policy,
                                      const workspace::Access& access,
                                      const Surroundings& surroundings) {
  if (!surroundings.tools) {
    return fail(lacking({Error::Kind::missing, "nobody looked for node"}, {}));
  }
  if (!*surroundings.tools) {
    return fail(lacking({Error::Kind::missing, surroundings.tools->error()},
                        {"install node and npm, or use --dry-run or --plan-only"}));
  }
  const std::uint64_t memory = memory_for(policy, surroundings.machine);
  auto chambers = chambers_for(request.place, memory, access);
  if (!chambers) {
    const bool machine = request.place == job::Place::microvm;
    return fail(lacking(chambers.error(),
                        {machine ? "codegenie sandbox prepare" : "codegenie self-check sandbox"}));
  }
  Sandbox out{.chambers = *std::move(chambers), .tools = **surroundings.tools};
  out.place = request.place;
  out.memory = memory;
  // The host as it is never passes, whatever policy says. Its /tmp is everybody's, so what is
  // left there goes beside the copy of the tree.
  if (request.place == job::Place::host) {
    out.scratch = ".codegenie-scratch";
  } else {
    out.chambers = std::make_unique<Demanding>(std::move(out.chambers), least_of(policy));
  }
  return out;
}

}  // namespace cg::supplies
