// Row 19: how long the jail takes from start to exit of /bin/true, against bwrap with the
// same namespaces. bwrap has neither filter, Landlock, limits nor a trace; the jail has.
#include "jail/sandbox/jail.h"

#include <string>

#include "perf.h"

namespace {

using namespace cg::perf;
namespace sandbox = cg::sandbox;

template <class T>
T must_jail(cg::Result<T, sandbox::Error> result) {
  if (!result) give_up(describe(result.error()));
  return *std::move(result);
}

/// From before the jail is started until it has been waited for.
Cost jailed(sandbox::Jails& jails) {
  return cost_of([&] {
    sandbox::Step step;
    step.argv = {"/bin/true"};
    const auto chamber = must_jail(jails.open({}));
    const auto ran = must_jail(chamber->run(step, {}));
    if (!is_success(ran.ending)) give_up("/bin/true: " + describe(ran.ending, step.limits));
  });
}

std::vector<std::string> bwrap_line(const std::string& bwrap) {
  return {bwrap,       "--unshare-all", "--as-pid-1", "--die-with-parent",
          "--ro-bind", "/usr",          "/usr",       "--symlink",
          "usr/bin",   "/bin",          "--symlink",  "usr/lib",
          "/lib",      "--symlink",     "usr/lib64",  "/lib64",
          "--proc",    "/proc",         "--dev",      "/dev",
          "--tmpfs",   "/tmp",          "--tmpfs",    "/tree",
          "--chdir",   "/tree",         "--clearenv", "/bin/true"};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const std::size_t repeats = arguments.number("--repeats", arguments.has("--quick") ? 5 : 50);
  auto jails = must_jail(sandbox::Jails::make(CG_JAIL, sandbox::starting_by_fork()));
  ask_for_priority();
  for (int i = 0; i < 3; ++i) static_cast<void>(jailed(jails));
  const auto chamber = must_jail(jails.open({}));
  for (const sandbox::Layer& layer : chamber->in_force().layers) {
    if (!layer.held) report_fact("without " + layer.name + ": " + layer.detail);
  }

  const Row row{"19", "jail, start to exit of /bin/true", "bwrap", {Bar::Kind::at_most, 1}};
  const auto bwrap = find_program("bwrap");
  if (!bwrap) {
    report_absent(row, "bwrap is not in $PATH");
    return 0;
  }
  const std::vector<std::string> line = bwrap_line(*bwrap);
  for (int i = 0; i < 3; ++i) static_cast<void>(cost_of_process(line));
  report(row, [&] {
    const auto costs =
        interleave(repeats, {[&] { return jailed(jails); }, [&] { return cost_of_process(line); }});
    return Pair{summary(costs[0], Clock::wall), summary(costs[1], Clock::wall)};
  });
}
