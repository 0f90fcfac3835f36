#include "perf.h"

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "base/base/text.h"
#include "base/os/child.h"
#include "base/os/dir.h"

namespace cg::perf {

namespace {

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

/// NULL-terminated, as exec wants it. Points into `argv`.
std::vector<char*> pointers(std::vector<std::string>& argv) {
  std::vector<char*> out;
  for (std::string& arg : argv) out.push_back(arg.data());
  out.push_back(nullptr);
  return out;
}

void print(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

std::string with_unit(double value, Unit unit) {
  if (unit == Unit::bytes) return with_commas(static_cast<std::uint64_t>(value)) + " B";
  if (value >= 0.1) return fixed(value, 3) + " s";
  if (value >= 1e-3) return fixed(value * 1e3, 2) + " ms";
  return fixed(value * 1e6, 0) + " us";
}

std::string title(const Row& row) {
  return "row " + row.number + std::string(4 - std::min<std::size_t>(3, row.number.size()), ' ') +
         row.what + std::string(50 - std::min<std::size_t>(48, row.what.size()), ' ');
}

std::string words(const Bar& bar) {
  const std::string value = fixed(bar.value, 2);
  const std::size_t zeros = value.size() - 1 - value.find_last_not_of('0');
  return (bar.kind == Bar::Kind::at_most ? "<= " : ">= ") +
         value.substr(0, value.size() - (zeros == 2 ? 3 : zeros));
}

struct Ratios {
  double min;
  double median;
};

Ratios ratios(const Bar& bar, const Pair& pair) {
  if (bar.kind == Bar::Kind::at_most) {
    return {pair.ours.min / pair.other.min, pair.ours.median / pair.other.median};
  }
  return {pair.other.min / pair.ours.min, pair.other.median / pair.ours.median};
}

bool is_met(const Row& row, const Ratios& ratio) {
  const auto within = [&](double r) {
    return row.bar.kind == Bar::Kind::at_most ? r <= row.bar.value : r >= row.bar.value;
  };
  return within(ratio.median) || (row.judge == Judge::min_or_median && within(ratio.min));
}

std::string words(const Row& row, const Pair& pair) {
  const bool by_median = row.judge == Judge::median;
  const auto shown = [&](const Summary& s) {
    return with_unit(by_median ? s.median : s.min, row.unit);
  };
  const Ratios ratio = ratios(row.bar, pair);
  const std::string line = "ours " + shown(pair.ours) + "  " + row.other + " " + shown(pair.other);
  if (row.unit == Unit::bytes) return line + "  ratio " + fixed(ratio.median, 2);
  return line + "  ratio " + fixed(ratio.min, 2) + " min, " + fixed(ratio.median, 2) + " median";
}

}  // namespace

Cost cost_of(const std::function<void()>& work) {
  const double wall = seconds(CLOCK_MONOTONIC);
  const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  work();
  const double cpu_after = seconds(CLOCK_PROCESS_CPUTIME_ID);
  return {seconds(CLOCK_MONOTONIC) - wall, cpu_after - cpu};
}

Cost cost_of_process(const std::vector<std::string>& argv) {
  std::vector<std::string> copy = argv;
  const std::vector<char*> args = pointers(copy);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  int status = 0;
  rusage usage{};
  const double wall = seconds(CLOCK_MONOTONIC);
  const int error = posix_spawn(&pid, args[0], &actions, nullptr, args.data(), environ);
  if (error == 0) wait4(pid, &status, 0, &usage);
  const double after = seconds(CLOCK_MONOTONIC);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) give_up(argv[0] + " failed");
  return {after - wall, seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

std::vector<std::vector<Cost>> interleave(std::size_t repeats, const std::vector<Body>& bodies) {
  std::vector<std::vector<Cost>> costs(bodies.size());
  for (std::size_t turn = 0; turn < repeats; ++turn) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const std::size_t at = turn % 2 == 0 ? i : bodies.size() - 1 - i;
      costs[at].push_back(bodies[at]());
    }
  }
  return costs;
}

Summary summary(const std::vector<Cost>& costs, Clock clock) {
  std::vector<double> values;
  for (const Cost& c : costs) values.push_back(clock == Clock::wall ? c.wall : c.cpu);
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const bool even = values.size() % 2 == 0;
  return {values.at(0), even ? (values[half - 1] + values[half]) / 2 : values[half]};
}

double percentile(const std::vector<Cost>& costs, double percent) {
  std::vector<double> values;
  for (const Cost& c : costs) values.push_back(c.wall);
  std::sort(values.begin(), values.end());
  const double at = static_cast<double>(values.size()) * percent / 100;
  return values.at(std::min(values.size() - 1, static_cast<std::size_t>(at)));
}

void report(const Row& row, const std::function<Pair()>& measure) {
  Pair pair = measure();
  if (!is_met(row, ratios(row.bar, pair))) {
    report_fact("missed, measured once more: row " + row.number + " " + row.what + " " +
                words(row, pair));
    pair = measure();
  }
  const bool met = is_met(row, ratios(row.bar, pair));
  print(title(row) + words(row, pair) + "  bar " + words(row.bar) + (met ? "  met" : "  NOT MET"));
}

void report_absent(const Row& row, const std::string& why) {
  print(title(row) + "bar " + words(row.bar) + "  not measured: " + why);
}

void report_fact(const std::string& text) { print("        " + text); }

void give_up(const std::string& why) {
  std::fflush(stdout);
  std::fprintf(stderr, "not right, so not measured: %s\n", why.c_str());
  std::exit(1);
}

std::string words(const Problem& problem) {
  std::string out = problem.what;
  for (const auto& [label, value] : problem.where) out += "; " + label + ": " + value;
  return out;
}

std::string words(const os::Error& error) { return error.path + ": " + os::describe(error); }

Arguments::Arguments(int argc, char** argv, const std::vector<std::string>& switches,
                     const std::vector<std::string>& numbers) {
  const auto is_in = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const std::uint64_t value = i + 1 < argc ? parse_u64(argv[i + 1]).value_or(0) : 0;
    if (is_in(switches, name)) {
      found_[name] = 1;
    } else if (is_in(numbers, name) && value > 0) {
      found_[name] = value;
      ++i;
    } else {
      std::fprintf(stderr, "usage: %s", argv[0]);
      for (const std::string& s : switches) std::fprintf(stderr, " [%s]", s.c_str());
      for (const std::string& n : numbers) std::fprintf(stderr, " [%s N]", n.c_str());
      std::fputs("\n", stderr);
      std::exit(2);
    }
  }
}

std::uint64_t Arguments::number(const std::string& name, std::uint64_t otherwise) const {
  const auto found = found_.find(name);
  return found == found_.end() ? otherwise : found->second;
}

void ask_for_priority() {
  const sched_param lowest{1};
  const bool given = sched_setscheduler(0, SCHED_FIFO, &lowest) == 0;
  report_fact(given ? "wall time, with real-time priority"
                    : "wall time, no real-time priority: only a quiet machine gives true ratios");
}

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(std::string_view(path == nullptr ? "" : path), ':')) {
    std::string file = std::string(folder) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

std::string output_of(const std::vector<std::string>& argv) {
  os::Command command{argv, {}, "", std::chrono::minutes(5)};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    command.env.emplace_back(*variable);
  }
  const os::Ran ran = must(os::run(command));
  const auto* exited = std::get_if<os::Exited>(&ran.ending);
  if (exited == nullptr || exited->code != 0) give_up(argv[0] + " failed: " + ran.err);
  return ran.out;
}

std::string file_system_of(const std::string& path) {
  struct statfs found {};
  if (statfs(path.c_str(), &found) != 0) give_up("statfs " + path);
  switch (static_cast<unsigned long>(found.f_type)) {
    case 0xEF53:
      return "ext4";
    case 0x01021994:
      return "tmpfs";
    case 0x58465342:
      return "xfs";
    case 0x9123683E:
      return "btrfs";
    case 0x794C7630:
      return "overlayfs";
    case 0x2FC12FC1:
      return "zfs";
    default:
      return "file system type " + std::to_string(found.f_type);
  }
}

std::string work_folder() { return must(os::Dir::make(CG_PERF_WORK)).path(); }

std::string with_commas(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace cg::perf
