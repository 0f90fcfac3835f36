// Surroundings: what whoever starts a run hands to it, and who is told while it goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fetch/catalog/tools.h"
#include "flow/cli/config.h"
#include "flow/workspace/access.h"
#include "prove/gate/trial.h"

namespace cg::supplies {

/// What the suites of a repository may have of this machine.
struct Machine {
  unsigned at_once = 1;      // so many can run side by side
  std::uint64_t memory = 0;  // bytes that one step may take, whatever policy says; 0: nobody looked
};

struct Surroundings {
  cli::Environment environment;
  cli::Settings settings;
  /// node and the package managers of this machine, or why there are none. Nothing: nobody
  /// looked, as for a run that proves nothing.
  std::optional<Result<catalog::Tools, std::string>> tools = {};
  Machine machine = {};
};

/// The workspace that the settings name.
[[nodiscard]] Result<workspace::Access, Problem> open_workspace(const cli::Settings& settings);

/// The command line shows a live line, a test keeps what it hears, a worker sends it on.
class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  virtual ~Watcher() = default;

  /// What takes long just now; the next word takes its place, and done() takes it away.
  virtual void busy(const std::string& text) = 0;
  virtual void done() = 0;
  /// A part of the run begins: "attempt 1: qs 6.7.3".
  virtual void head(const std::string& text) = 0;
  virtual void step(const gate::Progress& progress) = 0;
  /// Output of the step that runs.
  virtual void output(std::string_view bytes) = 0;
};

}  // namespace cg::supplies
