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
  std::uint64_t output = 1ULL << 20U;      // kept of each stream: half its start, half its end
  friend bool operator==(const Limits&, const Limits&) = default;
};

/// Whether the packages on the shelf (Scene::shelf) can be asked for on loopback while the
/// step runs.
enum class Shelf { closed, open };

/// How much of its output is told while it runs (OnOutput): the latest lines now and then,
/// or every byte, for which the step then has to wait. A microVM talks through the second.
enum class Telling { latest, all };

/// Which files a step works on.
enum class Tree {
  shared,  // what shared steps before it left in /tree and /tmp; what it does there stays
  own,     // a copy of the shared tree, and an empty /tmp and home; gone when the step is over
};

/// What of a step's own tree later ones find in theirs.
enum class Keep {
  nothing,
  /// Files that it made outside node_modules, and those that it changed of what shared steps made.
  /// Not what the tree had from the beginning, nor anything whose name could steer the tools that
  /// judge (may_be_kept()).
  built,
  /// What it changed of the packages that Step::packages names: goes into the shared tree. An
  /// install script that changes other packages, among them those that judge, has done it in vain.
  packages,
};
/// Whether a file may go from one step's own tree to another's: no hidden folder or file, nothing
/// in node_modules, no configuration. `path` is relative to the tree.
[[nodiscard]] bool may_be_kept(std::string_view path);
/// Whether a file lies in one of these packages, and in none that is installed inside of it; or in
/// the hidden folder of node_modules that has the package's name or scope (.prisma of
/// @prisma/client). Others hold programs, or caches of what tests were compiled to.
[[nodiscard]] bool is_of_package(std::string_view path, const std::vector<std::string>& packages);

inline constexpr std::size_t kMaxListed = 2'000;

struct Step {
  std::string name;               // "install": for progress and reports
  std::vector<std::string> argv;  // argv[0] is an absolute path inside
  std::vector<std::string> env;   // "NAME=value": all of it, nothing is inherited
  std::string folder = "/tree";   // to run in
  Limits limits;
  Shelf shelf = Shelf::closed;
  Telling telling = Telling::latest;
  /// Files to bring back when it is over: absolute paths inside. No link is followed; what
  /// is not there or is no plain file is left out. "/tmp/x/": the first kMaxListed files in it.
  std::vector<std::string> collect;
  std::uint64_t max_collected = 8ULL << 20U;  // of each, a folder as a whole; more is cut there
  Tree tree = Tree::shared;
  // The rest only for a tree of its own.
  Keep keep = Keep::nothing;
  /// Path in the tree, relative, and what it holds instead: as if it had always been so.
  std::map<std::string, std::string> planted;
  std::vector<std::string> packages;  // names, for Keep::packages
  /// Folders beneath /tmp that shared steps left, to be seen read-only: "/tmp/yarn".
  std::vector<std::string> seen;
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

/// A program that started another one.
struct Start {
  std::string by;    // the file that was running, as seen inside; empty: it could not be told
  std::string file;  // what was executed, links followed; empty: nothing is there
  std::string as{};  // the path that it was called by; empty: the same
  friend auto operator<=>(const Start&, const Start&) = default;
};

/// What the step did that a reviewer would ask about. Each list is sorted, without
/// repetition, and bounded; `cut` says that one had more.
struct Trace {
  std::vector<Start> started;
  std::vector<std::string> shell;        // what shells were told to run: shell_text()
  std::vector<std::string> commands;     // whole command lines, for people; may lack some
  std::vector<std::string> connections;  // "tcp 203.0.113.9:443", "udp 127.0.0.1:53", "unix /run/x"
  bool kept = false;                     // false: this kernel or class could not watch
  bool cut = false;                      // of any but commands
};
/// What a shell of that file is told to run by these words (argv without its first): the text
/// behind -c, "file NAME", or "standard input". Empty if it is no shell, or only says who it is.
[[nodiscard]] std::string shell_text(std::string_view file, const std::vector<std::string>& words);

inline constexpr std::size_t kMaxAltered = 100;

struct Ran {
  Ending ending;
  Output out;
  Output err;
  Trace trace;
  std::map<std::string, std::string> collected;
  /// Of a tree of its own: files that the tree had from the beginning, and that the step wrote to,
  /// moved or took away; sorted, the first kMaxAltered. What is installed is not among them.
  std::vector<std::string> altered;
  std::string own_tree;  // how it came about: "overlay", "copy"; empty: it had none
  std::string no_git;    // why that is no git repository (jail/snapshot); empty: it is
  std::chrono::milliseconds wall{};
  std::chrono::milliseconds cpu{};
  std::uint64_t peak_memory = 0;  // bytes; of the largest process, or of all where cgroups count
};

}  // namespace cg::sandbox
