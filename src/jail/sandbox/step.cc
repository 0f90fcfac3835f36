#include "jail/sandbox/step.h"

#include <cstdlib>

#include "base/base/match.h"

namespace cg::sandbox {

namespace {

std::string capped_text(Cap cap, const Limits& limits) {
  switch (cap) {
    case Cap::wall: {
      const auto ms = limits.wall.count();
      if (ms % 1000 == 0) return "took longer than " + std::to_string(ms / 1000) + " s";
      return "took longer than " + std::to_string(ms) + " ms";
    }
    case Cap::memory:
      return "took more than " + std::to_string(limits.memory >> 20U) + " MiB of memory";
  }
  std::abort();
}

}  // namespace

std::string describe(const Ending& ending, const Limits& limits) {
  return match(
      ending, [](const Exited& e) { return "exit " + std::to_string(e.code); },
      [](const Signalled& s) { return "signal " + std::to_string(s.signal); },
      [&](const Capped& c) { return capped_text(c.cap, limits); });
}

bool is_success(const Ending& ending) {
  const auto* exited = std::get_if<Exited>(&ending);
  return exited != nullptr && exited->code == 0;
}

}  // namespace cg::sandbox
