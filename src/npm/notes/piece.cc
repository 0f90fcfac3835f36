#include "npm/notes/piece.h"

#include <array>

namespace cg::notes {

std::string_view name(Piece::Kind kind) {
  static constexpr std::array<std::string_view, 4> kNames = {"migration", "breaking", "section",
                                                             "usage"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace cg::notes
