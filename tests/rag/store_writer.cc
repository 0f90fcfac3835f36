// Writes to a store until it is killed, or COUNT times, and says what was acknowledged:
// store_writer HOME GUARD NAME COUNT. A line each: what was done, and the record.
#include <unistd.h>

#include <cstdio>
#include <string>

#include "learn/rag/bench_test.h"

namespace {

using namespace cg;  // NOLINT(google-build-using-namespace)

/// Long enough for two lines of the log in every third.
example::Example example_of(const std::string& name, int n, const std::string& workflow) {
  example::Example out = rag::test::sample(name + "-" + std::to_string(n));
  if (n % 3 == 0) out.sites.push_back({"javascript", std::string(12'000, 'x'), ""});
  out.workflow = workflow;
  return out;
}

bool say(const std::string& what, const std::string& id) {
  const std::string line = what + " " + id + "\n";
  return write(1, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

int work(const std::string& home_path, const std::string& guard, const std::string& name,
         int count) {
  rag::test::FakeClock clock;
  os::SystemRandom random;
  const auto home = os::Dir::open(home_path);
  auto log = audit::Log::open(*home, {home_path, guard}, clock);
  if (!log) {
    std::fprintf(stderr, "log: %s\n", log.error().what.c_str());
    return 4;
  }
  auto store = rag::Writer::open(*home, *log);
  if (!store) {
    std::fprintf(stderr, "open: %s\n", store.error().what.c_str());
    return 5;
  }
  auto stream = audit::WorkflowLog::start(*log, "remediate", clock, random);
  if (!stream) return 6;
  const gate::Passed proof = rag::test::passed();
  record::Events events;
  for (int n = 0; n < count; ++n) {
    const auto written =
        store->write(example_of(name, n, stream->id().str()), proof, {}, 1, events);
    if (!written) {
      std::fprintf(stderr, "write: %s\n", written.error().what.c_str());
      return 7;
    }
    if (!say("written", written->id)) return 8;
    const float value = static_cast<float>(n);
    const auto kept = n % 2 == 0 ? store->keep_vectors("model-a", {{written->id, {value}}})
                                 : store->quarantine(written->id, "for a test");
    if (!kept) {
      std::fprintf(stderr, "keep: %s\n", kept.error().what.c_str());
      return 9;
    }
    if (!say(n % 2 == 0 ? "embedded" : "quarantined", written->id)) return 8;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return argc == 5 ? work(argv[1], argv[2], argv[3], std::stoi(argv[4])) : 2;
}
