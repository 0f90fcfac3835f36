// Gist: what kind of break a new version is for who uses it, in one word and a few names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "npm/upgrade/difference.h"

namespace cg::upgrade {

/// The first that holds of what is used, in this order.
enum class Break : std::uint8_t {
  esm_only,   // it can no longer be required
  path_gone,  // a path that is imported no longer leads anywhere
  name_gone,  // a name that is used is gone
  signature,  // a name that is used is declared otherwise
  options,    // likewise a member of what those lead to
  behaviour,  // nothing that can be read from the files
};

struct Gist {
  Break breaks = Break::behaviour;
  std::vector<std::string> changed;  // names that are used and no longer the same; sorted
};
[[nodiscard]] Gist gist_of(const Difference& difference);

}  // namespace cg::upgrade
