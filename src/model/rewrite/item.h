// Items: what a source does, one by one, so that two sources can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/rewrite/breach.h"

namespace cg::rewrite {

struct Item {
  enum class Rule : std::uint8_t {
    known,    // the old text has it too
    counted,  // and as often
    kept,     // the other way round: the new text has it as often as the old one
    spare,    // stands in for one that must be kept, and may go
  };
  Breach breach;  // if the rule does not hold
  Rule rule;
  std::string key;  // what is compared
  std::uint32_t at = 0;
  /// It is the package that is reached: what of it is behind its name, and which export.
  struct Reached {
    std::string subpath;
    std::string member;  // empty: all of it
  };
  std::optional<Reached> reached = {};
};
using Items = std::vector<Item>;

}  // namespace cg::rewrite
