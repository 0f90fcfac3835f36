// A workspace with a log, a workflow in it and its evidence, for the tests.
#pragma once

#include <functional>
#include <string>

#include "base/os/ports.h"
#include "fix/report/case.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/story.h"
#include "support/support.h"
#include "trust/audit/log.h"

namespace cg::evidence::test {

class FixedClock final : public os::Clock {
 public:
  Time now() override { return time; }
  Time time = *parse_iso("2026-11-15T02:40:11.000Z");
};

/// How far the workflow gets before its evidence is written.
enum class Stage { running, ended, signed_off };

struct Bench {
  cg::test::ScratchDir scratch;
  FixedClock clock;
  os::SystemRandom random;
  std::string home_path = scratch / "home";
  os::Dir home = *os::Dir::make(home_path);

  Bench();
  [[nodiscard]] audit::Log open_log();

  /// How a forger with a log of their own would lie: in the story, and in how it is told.
  std::function<void(Made&)> lie;
  std::function<void(record::Events&)> last_lie;
  /// Of which case.
  report::Case about;

  /// Runs a workflow whose case and commits fit each other, and drafts its evidence.
  [[nodiscard]] Draft run(Stage stage = Stage::signed_off,
                          const std::optional<sign::Seed>& key = {});
  /// The same, written; returns the bundle's folder.
  [[nodiscard]] std::string write(const std::optional<sign::Seed>& key = {});
};

}  // namespace cg::evidence::test
