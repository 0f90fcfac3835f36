// Languages: how much of what the repository is written in.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/dir.h"

namespace cg::repository {

struct LanguageShare {
  std::string_view language;  // "TypeScript"
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;  // of the files that were measured
  friend bool operator==(const LanguageShare&, const LanguageShare&) = default;
};

/// The language that the ending of a file name stands for; empty if we know none.
[[nodiscard]] std::string_view language_of(std::string_view file_name);

class LanguageCount {
 public:
  /// Sizes are asked for this many files at most; the others are only counted.
  static constexpr std::size_t kMaxMeasured = 20'000;

  void add(const os::Dir& folder, const std::string& name);
  /// The largest first.
  [[nodiscard]] std::vector<LanguageShare> shares() const;
  [[nodiscard]] bool all_measured() const { return measured_ < kMaxMeasured; }

 private:
  std::vector<LanguageShare> shares_;
  std::size_t measured_ = 0;
};

}  // namespace cg::repository
