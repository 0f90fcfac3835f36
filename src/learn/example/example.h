// Example: a break that was solved, as it is remembered.
//
// What a fix answered (an advisory, a package that moved, what changed in it, how it was used),
// what the answer was, and what the gates said. Made of what a workflow found out, and of texts of
// a repository and a package: normalised, secrets taken out, bounded, and fenced again by whoever
// shows them. Whether one may be believed stands elsewhere: in the log that has it.
//
// One spelling: write() is canonical JSON, parse(write(x)) == x, and an example's id follows from
// those bytes. parse() is for bytes that somebody may have changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "trust/hash/digest.h"

namespace cg::example {

/// What does not mix: nothing is found across these.
struct Partition {
  std::string task;      // "vuln-remediation"
  std::string language;  // "javascript"; TypeScript counts as such
  std::string build;     // "npm", "yarn", "pnpm"
  friend auto operator<=>(const Partition&, const Partition&) = default;
};

/// How a new version breaks who uses it; the first that holds of what is used, in this order.
enum class Break : std::uint8_t {
  esm_only,   // it can no longer be required
  path_gone,  // a path behind its name no longer leads anywhere
  name_gone,  // it no longer has a name that is used
  signature,  // a name that is used takes or gives something else
  options,    // an option, or a member of what it gives, is another
  behaviour,  // nothing that can be read from its files
};
[[nodiscard]] std::string_view name(Break kind);

/// A whole function around a use, as model/callsite cuts it out, and what became of it.
struct Site {
  std::string language;  // "javascript", "typescript", "tsx"
  std::string before;
  std::string after;
  friend bool operator==(const Site&, const Site&) = default;
};

struct GateResult {
  std::string gate;      // "tests"
  std::string state;     // "passed"
  std::string strength;  // "named", "weak", "none"
  friend bool operator==(const GateResult&, const GateResult&) = default;
};

/// Who thought of it.
enum class Author : std::uint8_t { model, person };
[[nodiscard]] std::string_view name(Author author);

struct Example {
  Partition partition;
  std::string advisory;                 // the leading id
  std::vector<std::string> aliases;     // sorted
  std::vector<std::string> weaknesses;  // "CWE-79", sorted
  std::string package;
  std::string from, to;  // versions
  Break breaks = Break::behaviour;
  std::vector<std::string>
      changed;             // names that are used and changed: "parse", "Parser.run"; sorted
  std::string summary;     // of the advisory, one line
  std::string difference;  // what the versions have differently, as a question tells it
  std::string kind;        // "callsite_rewrite", "dep_bump", "override"
  std::string plan;  // the diff of a rewrite, as we worked it out; else the proposal's own JSON
  std::vector<Site> sites;
  /// How to carry it over to other files, as learn/carry writes it: of each file that uses the
  /// package, changed or not; none where that cannot be told of all of them.
  std::vector<std::string> templates;
  bool worked = true;   // false: it did not pass, and is never shown as a solution
  std::string failure;  // of one that did not work: what the gates said, one line
  std::vector<GateResult> gates;
  std::string isolation;  // "microvm", "microvm_emulated", "namespaces"
  Author author = Author::model;
  std::string model;      // empty: a person's
  hash::Digest prompt{};  // BLAKE3 of what was asked; zeros: nobody was
  std::string license;    // SPDX of the repository's manifest; empty: it does not say
  std::string workflow;   // that proved it
  friend bool operator==(const Example&, const Example&) = default;
};

/// Of the whole; parse() refuses more. Lists and texts have bounds of their own.
inline constexpr std::size_t kMaxBytes = 192U << 10U;

/// Canonical JSON. Texts that are no UTF-8 or longer than parse() takes make bytes that it refuses.
[[nodiscard]] std::string write(const Example& example);
/// What is wrong otherwise, for a person: "sites[3].before is longer than 16384 bytes".
[[nodiscard]] Result<Example, std::string> parse(std::string_view json);

/// "rec-" and 24 hex digits of the BLAKE3 of write().
[[nodiscard]] std::string id_of(const Example& example);

/// What an embedder is given of an example, or of a case that may be like one: never the solution,
/// nor ids and versions, since what is like it has others.
struct Aspects {
  std::string summary;     // what the advisory says
  std::string difference;  // what the versions have differently
  std::string usage;       // call sites before the fix
};
[[nodiscard]] Aspects aspects_of(const Example& example);

}  // namespace cg::example
