// Retrieve: which breaks that were solved are most like one that is not, exactly, and why.
//
// Nothing is found across partitions. Of a partition every record is looked at, and comes back with
// its similarity, also those that may not be used: whoever reads the log sees what was passed over.
// Only records whose caller says that they are verified can be found, and never what did not work.
// The same records and the same case give the same answer on every machine, in whatever order the
// records come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "learn/example/example.h"
#include "learn/retrieve/index.h"
#include "learn/retrieve/score.h"

namespace cg::retrieve {

/// What the caller found out about a record, from the log and its own bytes.
enum class Standing : std::uint8_t { verified, excluded };

struct Candidate {
  std::string_view id;
  const example::Example& example;
  Row vector;  // of its aspects
  Standing standing;
};

enum class State : std::uint8_t {
  usable,
  excluded,  // the caller said so
  negative,  // it did not work
  unfit,     // its vector is of other dimensions, not of length one, or no numbers
};

struct Looked {
  std::string_view id;  // the candidate's
  /// By what the index estimates: the same everywhere, exact to about a thousandth. 0 where unfit.
  Millionths similarity = 0;
  State state = State::usable;
};

struct Near {
  std::string_view id;
  const example::Example* example = nullptr;  // both the candidate's
  Band band = Band::miss;                     // never
  Score score;                                // with the exact similarity
};

struct Retrieved {
  std::vector<Near> nearest;      // at most kMostNearest, the best first; equal ones by id
  std::vector<Looked> looked_at;  // all of the partition, by id
};
inline constexpr std::size_t kMostNearest = 3;

/// Candidates, made ready to be asked about more than once.
class Library {
 public:
  /// What the candidates borrow must outlive it, and so must `weights`.
  Library(const Weights& weights, std::size_t dims, const std::vector<Candidate>& candidates);

  /// Refuses a case whose vector does not fit; says why.
  [[nodiscard]] Result<Retrieved, std::string> ask(const Case& asked) const;

 private:
  struct Part {
    std::vector<Candidate> candidates;  // by id
    Index index;
  };
  const Weights& weights_;
  std::size_t dims_;
  std::map<example::Partition, Part> parts_;
};

}  // namespace cg::retrieve
