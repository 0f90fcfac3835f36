// Match: whether a piece of a file is what a rule says, and what its holes take.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "learn/carry/tokens.h"
#include "learn/carry/uses.h"

namespace cg::carry {

/// A rule, read: both sides as syntax.
class Pattern {
 public:
  /// What is wrong otherwise: "it does not parse".
  [[nodiscard]] static Result<Pattern, std::string> of(const Rule& rule, syntax::Language language);

  struct Side {
    std::unique_ptr<const Source> source;
    Span span;
    std::vector<Token> tokens;
  };
  [[nodiscard]] const Rule& rule() const { return *rule_; }
  [[nodiscard]] const Side& before() const { return before_; }
  [[nodiscard]] const Side& after() const { return after_; }
  /// By token of the right side: the one of the left side that it is, or kApart.
  [[nodiscard]] const std::vector<std::size_t>& kept() const { return kept_; }
  [[nodiscard]] bool changes() const { return rule_->before != rule_->after; }
  /// What ran at once runs in a function then, or the other way round.
  [[nodiscard]] bool puts_off() const { return puts_off_; }

 private:
  Pattern() = default;
  const Rule* rule_ = nullptr;
  Side before_;
  Side after_;
  std::vector<std::size_t> kept_;
  bool puts_off_ = false;
};

/// The number of the hole that a node of a pattern is; from 1, 0 is none.
[[nodiscard]] std::size_t hole_at(const Source& pattern, Index node);
/// Of a pair or a specifier whose value or local name is a hole: both together may be one word.
[[nodiscard]] std::size_t hole_behind(const Source& pattern, Index node, const Rule& rule);

struct Match {
  const Pattern* pattern = nullptr;
  Span span;
  std::vector<Index> holes;  // what each took, from 0; never kNone
  struct Place {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool is_there = false;  // a semicolon or a last comma may not be
    Index node = kNone;     // that it is the whole of
  };
  std::vector<Place> tokens;  // by token of the left side
};

struct Mismatch {
  std::uint32_t depth = 0;  // how far into the pattern it was alike
  Refusal refusal;
};

/// Of what stands at `first` and, for statements, behind it. `chains` are the whole uses of the
/// file.
[[nodiscard]] Result<Match, Mismatch> match(const Pattern& pattern, const Source& source,
                                            Index first, const std::set<Index>& chains);

/// What apply() does, but for rewrite::find_breach.
[[nodiscard]] Result<std::string, Refusal> carried(const Template& from, const File& file);

}  // namespace cg::carry
