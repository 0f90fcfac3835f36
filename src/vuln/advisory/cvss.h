// CVSS: from a vector to its score, for versions 2.0, 3.0, 3.1 and 4.0.
//
// Scores are integers of tenths and computed without floating point where the
// specification allows it, so that two machines never round differently.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "vuln/advisory/cvss_error.h"
#include "vuln/advisory/severity.h"

namespace cg::advisory {

enum class CvssVersion { v2, v3_0, v3_1, v4_0 };

struct CvssScore {
  CvssVersion version;
  int tenths;   // 0 to 100
  Level level;  // by the scale of that version; version 2 knows no none and no critical
  friend bool operator==(const CvssScore&, const CvssScore&) = default;
};

[[nodiscard]] std::string describe(const CvssError& error);

/// Reads "CVSS:3.1/AV:N/…", "CVSS:4.0/…", or a bare version 2 vector, with or without
/// parentheses. A trailing slash is forgiven because real records have it; the order of
/// metrics is free, a metric given twice is refused.
///
/// Versions 2 and 3: the base score; temporal and environmental metrics are checked
/// and then left out. Version 4 has one score that threat and environmental metrics,
/// where given, take part in (its CVSS-BTE); a score right between two tenths goes up, where
/// calculators in floating point go up or down by accident.
[[nodiscard]] Result<CvssScore, CvssError> score_cvss(std::string_view vector);

}  // namespace cg::advisory
