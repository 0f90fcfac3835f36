// The metrics of a CVSS vector: names, permitted values, and those that were given.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/base/result.h"
#include "vuln/advisory/cvss_error.h"

namespace cg::advisory {

struct Metric {
  std::string_view name;
  std::string_view values;  // with a space between them
  bool mandatory = false;
};

/// What a vector says, by the place of each metric in its version's table.
class Metrics {
 public:
  /// `text` is the vector without prefix. `table` must outlive the result.
  [[nodiscard]] static Result<Metrics, CvssError> parse(std::string_view text,
                                                        std::span<const Metric> table);
  /// The value of `name`; empty if it was not given.
  [[nodiscard]] std::string_view operator[](std::string_view name) const;

 private:
  static constexpr std::size_t kMost = 40;
  [[nodiscard]] Result<Done, CvssError> add(std::string_view pair);
  explicit Metrics(std::span<const Metric> table) : table_(table) {}
  std::span<const Metric> table_;
  std::array<std::string_view, kMost> given_{};
};

/// The score of a version 4.0 vector without its prefix, in tenths.
[[nodiscard]] Result<int, CvssError> score_cvss4(std::string_view metrics);

}  // namespace cg::advisory
