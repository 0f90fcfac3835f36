// Load: whether packages still load whose dependencies a fix moved across a breaking version, or
// forced out of the range that they ask for.
//
// Two answers that do not rest on each other. Without running anything: what they import of the
// moved package is there (npm/exports/faults.h; whoever has the tarballs fills in Loading::faults).
// And by running them: a script of ours starts a process for each package and each way into it, at
// the base and with the fix. The process that loads a package is the package's own; what it says
// counts only if it ends with 0 and hands back a number that it was given and that no other code
// is told, once the load is over. Code that reads the memory of its own process can still give that
// answer; the first half does not run it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"

namespace cg::gate {

/// `dependent` got another `dependency` by the fix than it had `before`.
struct Moved {
  std::string name;                          // as the dependent calls it
  npm::NodeId dependent = npm::kNoNode;      // after the fix
  npm::NodeId was_dependent = npm::kNoNode;  // the same package before it
  npm::NodeId dependency = npm::kNoNode;     // after
  npm::NodeId before = npm::kNoNode;         // the dependency before
};
/// Those across a breaking version, and those that lie outside the range that the dependent asks
/// for and did not before. In the order of the graph after the fix.
[[nodiscard]] std::vector<Moved> moved_between(const npm::Graph& before, const npm::Graph& after);

inline constexpr std::size_t kMaxTargets = 32;

/// A package that is loaded on both sides: its places beneath the folder of the lock.
struct LoadTarget {
  enum class Role : std::uint8_t {
    dependent,  // must load in each way that it does at the base
    moved,      // in one of them: who needs which is seen by those who need it
  };
  std::string before;
  std::string after;
  Role role = Role::dependent;
  friend bool operator==(const LoadTarget&, const LoadTarget&) = default;
};

/// What is known without running anything.
struct Loading {
  std::vector<LoadTarget> targets;
  std::vector<std::string> faults;     // "request@2.88.2: lib/auth.js:4 imports …"
  std::vector<std::string> unchecked;  // what could not be looked at, and why
};
/// The targets, by place; what cannot be one is told. Locks of yarn and pnpm do not say where
/// packages lie, so nothing of theirs is loaded.
[[nodiscard]] Loading targets_of(const std::vector<Moved>& moved, const npm::Graph& before,
                                 const npm::Graph& after);

/// How a package answered to each way of loading it: empty if it loads, else the first line of
/// what is wrong.
struct LoadAnswer {
  std::string require;
  std::string import;
  friend bool operator==(const LoadAnswer&, const LoadAnswer&) = default;
};
struct LoadRun {
  std::vector<LoadAnswer> answers;  // of the places, in their order; fewer if it did not end
  bool strange = false;             // somebody else wrote among the answers
};

/// Where the script lies in the tree, and its text: for packages at `places` beneath `folder`.
inline constexpr std::string_view kLoadScript = "codegenie-load.cjs";
[[nodiscard]] std::string load_script(std::string_view folder,
                                      const std::vector<std::string>& places);
/// What it wrote.
[[nodiscard]] LoadRun read_loads(std::string_view output, std::size_t places);

}  // namespace cg::gate
