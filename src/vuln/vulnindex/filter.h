// NameFilter: which packages certainly have no advisory.
//
// Most packages of a tree have none. Asking the database for each costs more than
// reading the whole lockfile; asking a few bits first does not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cg::vulnindex {

class NameFilter {
 public:
  [[nodiscard]] static NameFilter of(const std::vector<std::string>& names);
  /// From bytes(); any bytes will do, and damaged ones give wrong answers, so the
  /// index keeps a checksum beside them.
  [[nodiscard]] static NameFilter from_bytes(std::string bytes);

  /// Never false for a name it was made of; true for about one in five hundred others.
  [[nodiscard]] bool may_have(std::string_view name) const;
  [[nodiscard]] const std::string& bytes() const { return bits_; }

 private:
  explicit NameFilter(std::string bits) : bits_(std::move(bits)) {}
  std::string bits_;
};

}  // namespace cg::vulnindex
