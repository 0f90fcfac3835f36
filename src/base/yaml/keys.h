// YamlKeys: finds the key that a mapping has twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml/scanner.h"

namespace cg::yaml {

/// Holds the keys of all mappings that are open, the innermost last. A mapping costs n
/// log n at worst, whatever its keys are: hostile ones can be made to collide, not to
/// sort badly.
class YamlKeys {
 public:
  struct Mark {
    std::size_t keys = 0;
    std::size_t copies = 0;
  };
  struct Twice {
    std::size_t at;  // of the second one
    std::string_view text;
  };

  explicit YamlKeys(std::string_view source) : source_(source) {}

  /// Where the keys of a mapping that opens now will start.
  [[nodiscard]] Mark mark() const { return {keys_.size(), copies_.size()}; }
  void add(const YamlScalar& key);
  /// Of the keys from `mark` on, one that is there twice.
  [[nodiscard]] std::optional<Twice> find_twice(const Mark& mark);
  /// Forgets the keys from `mark` on.
  void drop(const Mark& mark);

 private:
  /// In the source or, if it had to be decoded, in copies_.
  struct Key {
    std::uint64_t hash;
    std::uint32_t at;  // in the source
    std::uint32_t text;
    std::uint32_t length : 31;
    std::uint32_t copied : 1;
  };
  [[nodiscard]] std::string_view text_of(const Key& key) const;

  std::string_view source_;
  std::vector<Key> keys_;
  std::string copies_;
};

}  // namespace cg::yaml
