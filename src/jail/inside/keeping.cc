#include "jail/inside/keeping.h"

#include <algorithm>

namespace cg::inside {

void Keeping::add(std::string_view bytes) {
  bytes_ += bytes.size();
  digest_.update(as_bytes(bytes));
  const std::size_t to_head = std::min<std::size_t>(half_ - head_.size(), bytes.size());
  head_ += bytes.substr(0, to_head);
  bytes.remove_prefix(to_head);
  if (bytes.size() > half_) bytes.remove_prefix(bytes.size() - half_);
  const std::size_t grown = std::min<std::size_t>(half_ - ring_.size(), bytes.size());
  ring_ += bytes.substr(0, grown);
  bytes.remove_prefix(grown);
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), ring_.size() - at_);
    std::copy_n(bytes.data(), part, ring_.data() + at_);
    at_ = (at_ + part) % ring_.size();
    bytes.remove_prefix(part);
  }
}

std::string Keeping::end() const { return ring_.substr(at_) + ring_.substr(0, at_); }

sandbox::Output Keeping::take() && {
  sandbox::Output out;
  out.bytes = bytes_;
  out.digest = digest_.digest();
  const std::uint64_t missing = bytes_ - head_.size() - ring_.size();
  out.kept = std::move(head_);
  if (missing > 0) out.kept += "\n[" + std::to_string(missing) + " bytes left out]\n";
  out.kept += end();
  return out;
}

}  // namespace cg::inside
