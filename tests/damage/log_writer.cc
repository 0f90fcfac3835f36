// Appends remarks until it is killed, and says what was acknowledged: log_writer
// HOME GUARD NAME SEED. Each acknowledged remark is one line, its number and its
// text, written after the append returned.
#include <unistd.h>

#include <cstdio>
#include <random>
#include <string>

#include "base/os/ports.h"
#include "trust/audit/log.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  std::mt19937_64 random(std::stoull(argv[4]));
  cg::os::SystemClock clock;
  const auto home = cg::os::Dir::open(argv[1]);
  if (!home) return 3;
  auto log = cg::audit::Log::open(*home, {argv[1], argv[2]}, clock);
  if (!log) {
    std::fprintf(stderr, "open: %s\n", log.error().what.c_str());
    return 4;
  }
  for (int n = 0; n < 1'000'000; ++n) {
    cg::record::Events events;
    std::string said;
    const std::size_t count = 1 + random() % 3;
    for (std::size_t i = 0; i < count; ++i) {
      events.emplace_back(cg::record::OperatorNoted{std::string(argv[3]) + "-" + std::to_string(n) +
                                                    "-" + std::to_string(i)});
    }
    const auto receipt = log->append(events);
    if (!receipt) {
      std::fprintf(stderr, "append: %s\n", receipt.error().what.c_str());
      return 5;
    }
    for (std::size_t i = 0; i < count; ++i) {
      said += std::to_string(receipt->first + i) + " " +
              events[i].as<cg::record::OperatorNoted>()->text + "\n";
    }
    if (write(1, said.data(), said.size()) != static_cast<ssize_t>(said.size())) return 6;
    if (random() % 5 == 0 && !log->checkpoint()) return 7;
  }
  return 0;
}
