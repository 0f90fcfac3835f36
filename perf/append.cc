// Row 14: a durable append to the audit log against a bare write and sync of as
// many bytes, in turns, on files of one folder.
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "log_maker.h"
#include "perf.h"
#include "trust/audit/layout.h"
#include "trust/audit/log.h"
#include "trust/audit/verify.h"

namespace {

using namespace cg::perf;
namespace audit = cg::audit;
namespace os = cg::os;
namespace record = cg::record;

constexpr std::size_t kGroup = 100;

/// A file that grows as the log does, with nothing around the two system calls.
class BareFile {
 public:
  explicit BareFile(const std::string& path)
      : fd_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (!fd_.is_open()) give_up("cannot make " + path);
  }
  void append(const std::string& bytes) {
    const ssize_t n = pwrite(fd_.get(), bytes.data(), bytes.size(), end_);
    if (n != static_cast<ssize_t>(bytes.size()) || fdatasync(fd_.get()) != 0) {
      give_up("bare write failed");
    }
    end_ += n;
  }

 private:
  os::Fd fd_;
  off_t end_ = 0;
};

/// An empty folder in place of whatever a run that failed left there.
std::string empty_folder() {
  std::string path = work_folder() + "/append";
  std::filesystem::remove_all(path);
  return path;
}

/// A new log and bare files beside its open file; all of it goes at the end.
struct Bench {
  std::string folder = empty_folder();
  LogPlace place{folder + "/home", folder + "/guard"};
  os::SystemClock clock;
  os::SystemRandom random;
  os::Dir home = must(os::Dir::make(place.home));
  audit::Log log = create();
  std::string spanning = place.home + "/" + audit::kEvents + "/" + audit::kSpanningDir;
  std::string bare_path = spanning + "/bare";
  std::string large_path = spanning + "/bare-large";
  BareFile bare{bare_path};
  BareFile bare_large{large_path};
  std::uint64_t entries = 1;

  ~Bench() { std::filesystem::remove_all(folder); }

  audit::Log create() {
    must(audit::create_log(home, "codegenie perf", clock, random));
    return must(audit::Log::open(home, {place.home, place.guard}, clock));
  }

  Cost append(const record::Events& events) {
    entries += events.size();
    return cost_of([&] { must(log.append(events)); });
  }

  /// As many bytes as an append of `events` adds to the file of the log.
  std::string as_large_as(const record::Events& events) {
    const std::string path = spanning + "/" + audit::kAppendFile;
    const auto before = std::filesystem::file_size(path);
    static_cast<void>(append(events));
    return std::string(std::filesystem::file_size(path) - before, 'x');
  }

  void check() {
    // The verifier takes no foreign files.
    for (const std::string& path : {bare_path, large_path}) std::filesystem::remove(path);
    must(log.checkpoint());
    if (verified(place).entries != entries) give_up("entries are missing from the log");
  }
};

struct Costs {
  std::vector<Cost> ours;
  std::vector<Cost> bare;        // one event
  std::vector<Cost> bare_large;  // as many bytes as ours
};

/// Appends groups of `group` remarks and writes bare bytes, in turns. The log is
/// verified before its times count.
Costs measure(std::size_t repeats, std::size_t group) {
  Bench bench;
  EventMaker maker(14);
  record::Events events;
  while (events.size() < group) events.emplace_back(maker.note());
  const std::string one = bench.as_large_as({events[0]});
  const std::string all = bench.as_large_as(events);
  const std::vector<Body> bodies = {
      [&] { return bench.append(events); },
      [&] { return cost_of([&] { bench.bare.append(one); }); },
      [&] { return cost_of([&] { bench.bare_large.append(all); }); },
  };
  static_cast<void>(interleave(10, bodies));
  auto costs = interleave(repeats, bodies);
  bench.check();
  return {std::move(costs[0]), std::move(costs[1]), std::move(costs[2])};
}

void report_group(const Row& row, std::size_t repeats, std::size_t group) {
  Costs costs;
  report(row, [&] {
    costs = measure(repeats, group);
    return Pair{summary(costs.ours, Clock::wall), summary(costs.bare, Clock::wall)};
  });
  const auto us = [](double seconds) { return fixed(seconds * 1e6, 0) + " us"; };
  if (group > 1) {
    const Summary large = summary(costs.bare_large, Clock::wall);
    report_fact("not the bar: bare write of all the bytes of a group, min " + us(large.min) +
                ", p50 " + us(large.median) + "; ours, min " +
                us(summary(costs.ours, Clock::wall).min));
  }
  report_fact("p99: ours " + us(percentile(costs.ours, 99)) + " (the checkpoints and seals that " +
              "fell due), bare " + us(percentile(costs.bare, 99)));
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const std::size_t repeats = arguments.number("--repeats", arguments.has("--quick") ? 20 : 300);
  const Row one{
      "14", "append 1 event", "bare write+fdatasync", {Bar::Kind::at_most, 1.3}, Judge::median};
  const Row group{"14",
                  "append 100 events in one group",
                  "bare, 1 event",
                  {Bar::Kind::at_most, 2},
                  Judge::median};
  const std::string file_system = file_system_of(work_folder());
  if (file_system == "tmpfs") {  // where a sync costs nothing
    for (const Row& row : {one, group}) report_absent(row, "the build folder is on tmpfs");
    return 0;
  }
  report_fact("append on " + file_system + ", p50 of " + std::to_string(repeats) + " each");
  ask_for_priority();
  report_group(one, repeats, 1);
  report_group(group, repeats, kGroup);
}
