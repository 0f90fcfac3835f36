#include "base/wire/reader.h"

namespace cg::wire {

std::string_view Source::take(std::size_t size) {
  require(size <= rest_.size());
  if (!good_) return {};
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

}  // namespace cg::wire
