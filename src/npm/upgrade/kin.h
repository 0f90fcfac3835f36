// Kin: names that may have come in the place of one that is gone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cg::upgrade {

/// "safe" and "load" of "safeLoad", "safe_load", "SAFE_LOAD".
[[nodiscard]] std::vector<std::string> words_of(std::string_view name);

class Kin {
 public:
  /// `favoured`: those that are new, which are likelier.
  struct Candidate {
    std::string name;
    bool favoured = false;
  };
  explicit Kin(const std::vector<Candidate>& candidates);
  /// The nearest first; none that share nothing with `name`.
  [[nodiscard]] std::vector<std::string> nearest(std::string_view name, std::size_t most) const;

 private:
  struct Known {
    std::string name;
    bool favoured;
    std::vector<std::string> words;
    std::string low;
  };
  std::vector<Known> known_;
};

}  // namespace cg::upgrade
