// Rows 1 and 2: a scan as a whole process, against npm ls and against a bare program.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/base/text.h"
#include "perf.h"

namespace {

using namespace cg::perf;
namespace fs = std::filesystem;

/// The most memory a program had, in bytes.
double peak_of(const std::vector<std::string>& argv) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
  pid_t pid = 0;
  if (posix_spawn(&pid, words[0], &actions, nullptr, words.data(), environ) != 0) {
    give_up("cannot start " + argv[0]);
  }
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  struct rusage usage {};
  if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status)) give_up(argv[0] + " was killed");
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

Pair peaks(const std::vector<std::string>& ours, const std::vector<std::string>& other) {
  const double a = peak_of(ours);
  const double b = peak_of(other);
  return {{a, a}, {b, b}};
}

/// CPU time: on a busy machine the wait for a core is not ours.
Pair side_by_side(std::size_t repeats, const std::vector<std::string>& ours,
                  const std::vector<std::string>& other) {
  const auto costs = interleave(
      repeats, {[&] { return cost_of_process(ours); }, [&] { return cost_of_process(other); }});
  return {summary(costs[0], Clock::cpu), summary(costs[1], Clock::cpu)};
}

std::string make_workspace(const fs::path& data) {
  const std::string home = work_folder() + "/scan-home";
  fs::remove_all(home);
  fs::remove_all(home + "-guard");
  setenv("CODEGENIE_HOME", home.c_str(), 1);
  setenv("CODEGENIE_GUARD_DIR", (home + "-guard").c_str(), 1);
  static_cast<void>(output_of({CG_CODEGENIE, "init", "-q"}));
  static_cast<void>(
      output_of({CG_CODEGENIE, "vuln-index", "refresh", "-q", "--from", data / "osv-npm.jsonl",
                 "--from", data / "osv-npm-malicious.jsonl"}));
  return home;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const bool quick = arguments.has("--quick");
  const std::size_t repeats = arguments.number("--repeats", quick ? 2 : 25);
  const Bar near_bare{Bar::Kind::at_most, 3};
  const Bar far_from_npm{Bar::Kind::at_least, 100};
  const Bar quarter{Bar::Kind::at_least, 4};
  const char* data = std::getenv("CG_DATA");
  if (data == nullptr) {
    report_absent({"1", "scan", "npm ls", far_from_npm}, "CG_DATA names no real lockfiles");
    report_absent({"2", "scan, peak memory", "npm ls", quarter}, "CG_DATA names no real lockfiles");
    return 0;
  }
  const std::string home = make_workspace(data);
  const std::string index = home + "/cache/vuln-index.sqlite";
  const auto npm = find_program("npm");
  for (const char* name : {"HabitRPG__habitica", "facebook__create-react-app", "lerna__lerna"}) {
    const fs::path repo = fs::path(data) / "repos" / name;
    // Where CI is set, findings would end the scan with 1.
    const std::vector<std::string> ours{CG_CODEGENIE, "scan",     "-q",    "--fail-on",
                                        "none",       "--format", "table", repo};
    const std::vector<std::string> bare{CG_BARE, repo / "package-lock.json", index};
    // npm ends with 1 where the tree has problems; the shell around it is a thousandth.
    const std::vector<std::string> ls{
        "/bin/sh", "-c",
        "cd '" + repo.string() + "' && '" + npm.value_or("npm") +
            "' ls --all --json --package-lock-only 2>/dev/null; true"};
    if (output_of(ours).find("Index") == std::string::npos) give_up("scan says nothing");
    report_fact(std::string(name) + ": " + std::string(cg::trim(output_of(bare))) +
                " (names, of them in the index)");
    report({"1", std::string("scan, CPU, ") + name, "bare parse and look-up", near_bare},
           [&] { return side_by_side(repeats, ours, bare); });
    const Row against{"1", std::string("scan, CPU, ") + name, "npm ls", far_from_npm};
    const Row memory{"2",
                     std::string("scan, peak memory, ") + name,
                     "npm ls",
                     quarter,
                     Judge::min_or_median,
                     Unit::bytes};
    if (!npm) {
      report_absent(against, "npm is not in $PATH");
      report_absent(memory, "npm is not in $PATH");
      continue;
    }
    report(against, [&] { return side_by_side(quick ? 1 : 9, ours, ls); });
    report(memory, [&] { return peaks(ours, ls); });
  }
}
