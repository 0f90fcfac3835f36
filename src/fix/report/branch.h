// Branch: what a fix comes to in the repository, and what the gates said about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.h"

namespace cg::report {

/// Who wrote the new lines of a file: the engine that carries out plans, a model, or whoever wrote
/// a solved example that they were carried over from.
enum class Author { engine, model, example };
[[nodiscard]] std::string_view name(Author author);

struct FileChange {
  std::string path;
  std::uint64_t added = 0;  // lines, as git's diff has them
  std::uint64_t removed = 0;
  Author author = Author::engine;
};

/// A branch that was made, or with --dry-run would be.
struct Branch {
  std::string name;
  std::string commit;                    // empty: not made
  std::vector<std::size_t> fixes;        // 1-based, of Case::fixes; empty: all
  std::uint64_t attempts = 0;            // it took to pass the gates; 0: they did not run
  std::vector<FileChange> changes = {};  // of its commit
  std::string kind = {};     // of a plan that is no recipe's: "callsite_rewrite"; empty: a recipe's
  std::string example = {};  // the record that it was carried over from; empty: from none
  std::string rationale = {};  // what the model said for it, which may be anything
  /// "proven", or "weak" if what it passed shows little, or "unproven" if nothing could be shown;
  /// empty: not made.
  std::string outcome = {};
};

/// A lockfile of which nothing can be proven, as the repository cannot be run as it is.
struct Unprovable {
  std::string lockfile;
  std::string cause;  // one line
  friend bool operator==(const Unprovable&, const Unprovable&) = default;
};

/// What one gate said about the last attempt at a branch.
struct Gate {
  std::string branch, signal;  // "tests"
  std::string state;           // passed, failed, missing, absent
  bool required = true;
  bool passed = false;
  json::Value before;  // numbers and short words by name, or null
  json::Value after;
  std::string words;  // "184 passed, same as before"
  std::vector<std::string> reasons;
  std::string weak = {};  // why passing says little, one line; empty: it does not
  /// Of one in the way: "base" or "fix", where it went wrong; empty: another gate is to blame.
  std::string side = {};
  std::string test = {};  // the first test that fails; empty: none is known by name
};

/// Whether what `branch` passed shows little: a gate says so, or there were no tests.
[[nodiscard]] bool is_weak(const std::vector<Gate>& gates, std::string_view branch);

/// Branch::outcome of one that nothing could be shown of.
inline constexpr std::string_view kUnproven = "unproven";
inline constexpr std::string_view kWeak = "weak";
inline constexpr std::string_view kProven = "proven";

}  // namespace cg::report
