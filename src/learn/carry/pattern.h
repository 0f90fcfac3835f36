// Pattern: a rule made of one use, before and after.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "learn/carry/align.h"
#include "learn/carry/uses.h"

namespace cg::carry {

/// A piece of the old file that is one rule's, and what became of it.
struct Unit {
  Rule::Form form = Rule::Form::use;
  Span before;
  Span after;
};

struct Draft {
  Rule rule;                         // Hole::made are numbers of units yet
  std::set<std::string> introduces;  // names that the new piece declares
};

struct Pair {
  const Source& before;
  const Source& after;
  const Alignment& alignment;
  const std::vector<Unit>& units;
};

[[nodiscard]] Result<Draft, Refusal> draft_of(const Pair& pair, std::size_t unit);

/// A hole that may take a name, so that its key need not be written.
[[nodiscard]] inline bool takes_word(const Hole& hole) {
  return hole.takes != Takes::function && hole.takes != Takes::number && hole.takes != Takes::use;
}

}  // namespace cg::carry
