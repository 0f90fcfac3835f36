// Step: one command that is run apart from the host, and what came of it.
//
// These are values: what asks for a step (gate), what carries it out (jail, microVM) and
// what reports about it share them and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trust/hash/digest.h"

namespace cg::sandbox {

/// How much a step may take. A limit that is reached ends the step, never the host.
struct Limits {
  std::chrono::milliseconds wall{180'000};
  std::uint64_t memory = 2ULL << 30U;
  unsigned processes = 1024;
  std::uint64_t file_bytes = 1ULL << 30U;  // that one file may grow to
  std::uint64_t output =
      1ULL << 20U;  // kept of each stream: half from its start, half from its end
  friend bool operator==(const Limits&, const Limits&) = default;
};

/// Whether the packages on the shelf (Scene::shelf) can be asked for on loopback while the
/// step runs.
enum class Shelf { closed, open };

/// How much of its output is told while it runs (OnOutput): the latest lines now and then,
/// or every byte, for which the step then has to wait. A microVM talks through the second.
enum class Telling { latest, all };

struct Step {
  std::string name;               // "install": for progress and reports
  std::vector<std::string> argv;  // argv[0] is an absolute path inside
  std::vector<std::string> env;   // "NAME=value": all of it, nothing is inherited
  std::string folder = "/tree";   // to run in
  Limits limits;
  Shelf shelf = Shelf::closed;
  Telling telling = Telling::latest;
  /// Files to bring back when it is over: absolute paths inside. No link is followed; what
  /// is not there or is no plain file is not among the collected.
  std::vector<std::string> collect;
  std::uint64_t max_collected = 8ULL << 20U;  // of each; a larger one is cut there
};

struct Exited {
  int code = 0;
};
struct Signalled {
  int signal = 0;
};
/// A limit of Limits was reached and the step was ended for it.
enum class Cap { wall, memory };
struct Capped {
  Cap cap = Cap::wall;
};
using Ending = std::variant<Exited, Signalled, Capped>;
/// "exit 1", "signal 9", "took longer than 60 s".
[[nodiscard]] std::string describe(const Ending& ending, const Limits& limits);
[[nodiscard]] bool is_success(const Ending& ending);

/// What a stream held. `kept` is all of it, or its start and its end with a line between
/// them that says how many bytes are missing.
struct Output {
  std::string kept;
  std::uint64_t bytes = 0;  // that were written in all
  hash::Digest digest{};    // SHA-256 over all of them
};

/// What the step did that a reviewer would ask about. Each list is sorted, without
/// repetition, and bounded; `cut` says that one had more.
struct Trace {
  std::vector<std::string> executed;     // files given to execve, as seen inside
  std::vector<std::string> connections;  // "tcp 203.0.113.9:443", "udp 127.0.0.1:53", "unix /run/x"
  bool kept = false;                     // false: this kernel or class could not watch
  bool cut = false;
};

struct Ran {
  Ending ending;
  Output out;
  Output err;
  Trace trace;
  std::map<std::string, std::string> collected;
  std::chrono::milliseconds wall{};
  std::chrono::milliseconds cpu{};
  std::uint64_t peak_memory = 0;  // bytes; of the largest process, or of all where cgroups count
};

}  // namespace cg::sandbox
