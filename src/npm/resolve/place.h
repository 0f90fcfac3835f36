// Placing: what a changed copy needs, put where npm would put it; what nobody needs
// any more, taken away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "npm/resolve/tree.h"

namespace cg::resolve {

struct Candidate {
  const registry::Release* release = nullptr;
  const semver::Version* version = nullptr;
};

/// Which versions may be added, best first. Decided by who plans: advisories, policy.
class Choice {
 public:
  virtual ~Choice() = default;
  /// Versions of `package` that `want` takes. May be empty.
  [[nodiscard]] virtual std::vector<Candidate> candidates(std::string_view package,
                                                          const Want& want) = 0;
  /// How many it answers at most; a failure for which all of them were tried says so.
  [[nodiscard]] virtual std::size_t most() const { return SIZE_MAX; }
};

struct Failure {
  enum class Kind {
    range,   // no version that may be added is in the range
    peer,    // a peer dependency would not be met
    source,  // asks for something that is in no registry
    limit,   // more additions than make sense
  };
  Kind kind = Kind::range;
  std::string what;  // "ansi-regex ^5.0.1 for strip-ansi 6.0.1"
};

/// So many copies a single fix may add at most, and as deep.
inline constexpr std::size_t kMaxAdded = 256;
inline constexpr std::size_t kMaxNested = 64;
/// So many copies are settled in the search for one that holds.
inline constexpr std::size_t kMaxSettled = 2000;

/// Makes sure that everything the copy needs is there: what is missing is added as high
/// as it disturbs nobody. On a failure the tree is half done: roll it back.
[[nodiscard]] Result<Done, Failure> settle(Tree& tree, CopyId id, Choice& choice);

/// Removes the copies that nobody asks for since `mark`. What was asked for by nobody
/// before stays.
void prune(Tree& tree, Tree::Mark mark);
/// Likewise for circles of copies that ask for each other alone.
void prune_unreachable(Tree& tree);

/// Needs that are not met, as "location name spec": of the lock as it was read, or of
/// what became of it.
[[nodiscard]] std::vector<std::string> unmet(Tree& tree);

/// What the flags of every copy should be, as npm works them out.
[[nodiscard]] std::vector<npm::Flags> flags_of(const Tree& tree);

}  // namespace cg::resolve
