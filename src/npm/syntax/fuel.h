// Fuel: how much a parse may cost, counted and not timed, so that a file is always judged alike.
//
// The parser's library is quadratic in some broken texts (a run of quotation marks) and
// recurses over its own stack in some deep ones. Both show in what it asks for: bytes in all,
// and nodes of its stack at once. It allocates through here and is stopped by either.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cg::syntax {

struct Fuel {
  std::uint64_t bytes = 0;  // asked for so far
  std::size_t nodes = 0;    // of the parser's stack, now
};

/// Counts the calls of this thread while it lives; one at a time. All memory of the library
/// goes through the same functions, whether somebody counts or not.
class Metered {
 public:
  Metered();
  ~Metered();
  Metered(const Metered&) = delete;
  Metered& operator=(const Metered&) = delete;
  [[nodiscard]] const Fuel& used() const { return fuel_; }

 private:
  Fuel fuel_;
};

}  // namespace cg::syntax
