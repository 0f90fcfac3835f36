// Score: how much a record is like a case, and by what.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "learn/example/example.h"
#include "learn/retrieve/index.h"
#include "learn/retrieve/weights.h"

namespace cg::retrieve {

/// What something like it is looked for.
struct Case {
  example::Partition partition;
  std::vector<std::string> aliases;     // the advisory's id too; in any order, like all lists here
  std::vector<std::string> weaknesses;  // "CWE-79"
  std::string package;
  std::string from,
      to;  // versions; they say whether a plan may apply unchanged, and are no likeness
  example::Break breaks = example::Break::behaviour;
  std::vector<std::string> changed;
  Row vector;  // of its aspects, by the embedder of the records
};

/// How far a record and a case agree, each of kWhole, and what that adds up to.
struct Score {
  Millionths similarity = 0;  // of the vectors; may be negative
  Millionths aliases = 0;     // all if one is shared
  Millionths package = 0;
  Millionths weakness = 0;  // shared of all that either has
  Millionths breaks = 0;
  Millionths changed = 0;  // of the names that the case has, if it is the same package
  std::int64_t sum = 0;    // by the weights
  Millionths score = 0;    // calibrated
};

enum class Band : std::uint8_t { miss, degraded, hit };
[[nodiscard]] std::string_view name(Band band);
/// Of what nobody measured at most degraded.
[[nodiscard]] Band band_of(const Weights& weights, Millionths score);

/// All but the similarity; `sum` is what that adds up to.
[[nodiscard]] Score agreement(const Weights& weights, const Case& asked,
                              const example::Example& record);
/// With it.
[[nodiscard]] Score scored(const Weights& weights, Score agreement, double product);

[[nodiscard]] Millionths millionths(double value);

/// "0.713"; what is beyond is cut off.
[[nodiscard]] std::string thousandths(std::int64_t value);

}  // namespace cg::retrieve
