// Row gate: what proving costs over doing the same on the host: `npm ci && npm test` of
// examples/shop as one side of a gate run (a remediation runs the base as well, once), with the
// second run of the tests, in which assertions are wrong.
//
// Both take the packages from codegenie-shelf on loopback, the jail's in its own network.
// What the jail does more: gives each step a tree of its own, watches what is executed, reads the
// report, runs the tests twice.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/base/text.h"
#include "fetch/catalog/installer.h"
#include "jail/sandbox/jail.h"
#include "npm/lockfile/lock.h"
#include "perf.h"
#include "prove/challenge/challenge.h"
#include "prove/gate/run_trial.h"
#include "prove/gate/trial.h"

namespace {

using namespace cg::perf;
namespace fs = std::filesystem;
namespace gate = cg::gate;
namespace sandbox = cg::sandbox;

constexpr const char* kShop = CG_SOURCE_DIR "/examples/shop";

template <class T, class E>
T must_have(cg::Result<T, E> result, const std::string& what) {
  if (!result) give_up(what);
  return *std::move(result);
}

/// Every tarball of the example registry, where a registry has it.
void lay_shelf(const std::string& folder) {
  const std::string script =
      "const {Catalog,tarballPath}=await import('" CG_SOURCE_DIR
      "/examples/registry/catalog.mjs');"
      "const fs=await import('node:fs');const {dirname,join}=await import('node:path');"
      "const c=new Catalog('" CG_SOURCE_DIR
      "/examples/registry/packages');"
      "for(const n of c.names())for(const v of c.versions(n)){"
      "const p=join(process.argv[1],tarballPath(n,v));"
      "fs.mkdirSync(dirname(p),{recursive:true});fs.writeFileSync(p,c.tarball(n,v).bytes);}";
  static_cast<void>(
      output_of({"/usr/bin/env", "node", "--input-type=module", "-e", script, folder}));
}

/// codegenie-shelf on this host's loopback, for the bare side.
class Served {
 public:
  Served(const std::string& folder, int port) {
    int in[2];
    int out[2];
    if (pipe(in) != 0 || pipe(out) != 0) give_up("pipe");
    child_ = fork();
    if (child_ == 0) {
      dup2(in[0], 0);
      dup2(out[1], 1);
      close_range(3, ~0U, 0);
      const std::string number = std::to_string(port);
      execl(CG_SHELF, CG_SHELF, folder.c_str(), number.c_str(), nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    char ready = 0;
    if (read(out[0], &ready, 1) != 1) give_up("codegenie-shelf does not start");
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_ = -1;
};

std::vector<cg::challenge::File> tests_of_shop(const gate::Checks& checks) {
  std::vector<cg::challenge::File> out;
  for (const auto& entry : fs::recursive_directory_iterator(kShop)) {
    const std::string path = fs::relative(entry.path(), kShop).string();
    if (!entry.is_regular_file() || !cg::challenge::may_hold_tests(path, checks.test_script))
      continue;
    out.push_back({path, output_of({"/bin/cat", entry.path().string()})});
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats", "--port"});
  const std::size_t repeats = arguments.number("--repeats", arguments.has("--quick") ? 1 : 9);
  const int port = static_cast<int>(
      arguments.number("--port", 48730 + static_cast<std::size_t>(getpid() % 200)));
  const Row row{"gate",
                "npm ci && npm test, proven in the jail",
                "bare",
                {Bar::Kind::at_most, 1.25},
                Judge::median};
  const char* path = getenv("PATH");
  const auto tools = cg::catalog::find_tools(path == nullptr ? "" : path, "/home");
  if (!tools || !tools->npm) {
    report_absent(row, "node or npm is not in $PATH");
    return 0;
  }
  const fs::path work = fs::temp_directory_path() / ("perf-gate-" + std::to_string(getpid()));
  fs::create_directories(work / "shelf");
  lay_shelf(work / "shelf");

  const std::string lock = output_of({"/bin/cat", std::string(kShop) + "/package-lock.json"});
  const auto graph =
      must_have(cg::lockfile::read_package_lock(cg::npm::LockKind::package_lock, lock, nullptr),
                "the lock of examples/shop cannot be read");
  const auto manifest =
      must_have(cg::npm::parse_manifest(
                    "package.json", output_of({"/bin/cat", std::string(kShop) + "/package.json"})),
                "the manifest of examples/shop cannot be read");
  gate::Setup setup;
  setup.checks = gate::checks_of(manifest, graph, std::nullopt);
  const auto install =
      must_have(cg::catalog::plan_install(cg::catalog::project_of(graph, ""), *tools, {}, {}),
                "no install command");
  setup.install = {{install.install.argv, install.install.env}};
  setup.manager = tools->npm->argv;
  setup.path = tools->path;
  fs::create_directories(work / "hook");
  setup.hook = cg::runners::Hook{work / "hook", "/tmp/report", tools->node, tools->node_version};
  for (const auto& [name, text] : cg::runners::files_of(*setup.hook)) {
    std::ofstream(work / "hook" / name) << text;
  }
  fs::permissions(work / "hook/node", fs::perms(0755));
  auto readable = install.readable;
  readable.push_back(setup.hook->folder);
  auto jails = must_have(sandbox::Jails::make(CG_JAIL, sandbox::starting_by_fork()), "no jail");

  setup.challenge.tests = cg::challenge::wrong_tests(tests_of_shop(setup.checks), 1);
  std::string how;
  const auto proven = [&] {
    return cost_of([&] {
      auto chamber = must_have(jails.open({kShop, work / "shelf", readable}), "no chamber");
      const auto trial = must_have(gate::run_trial(*chamber, setup, [](const auto&) {}, {}),
                                   "the trial cannot be run");
      bool asked = false;
      for (const gate::StepRun& step : trial.steps) {
        how = step.own_tree;
        const bool wrong = step.name == "challenge";
        asked = asked || wrong;
        if (step.success == wrong)
          give_up(step.name + ": " + step.facts.ending + "\n" + step.excerpt);
      }
      if (!asked) give_up("the tests were not run with wrong assertions");
    });
  };
  const Served served(work / "shelf", port);
  const std::string script =
      "set -e; rm -rf \"$0/bare\" \"$0/home\"; mkdir \"$0/home\"; cp -r " + std::string(kShop) +
      " \"$0/bare\"; cd \"$0/bare\"; export HOME=\"$0/home\" npm_config_audit=false "
      "npm_config_fund=false npm_config_update_notifier=false; npm ci --ignore-scripts "
      "--replace-registry-host=always --registry http://127.0.0.1:" +
      std::to_string(port) + "/; npm test";
  const auto bare = [&] { return cost_of_process({"/bin/sh", "-c", script, work.string()}); };
  ask_for_priority();
  static_cast<void>(proven());
  static_cast<void>(bare());
  report(row, [&] {
    const auto costs = interleave(repeats, {proven, bare});
    return Pair{summary(costs[0], Clock::wall), summary(costs[1], Clock::wall)};
  });
  std::printf("  trees of single steps by %s\n", how.c_str());
  fs::remove_all(work);
}
