#include "vuln/advisory/cvss.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "vuln/advisory/cvss_metrics.h"

namespace cg::advisory {

namespace {

constexpr Metric kV2[] = {
    {"AV", "L A N", true}, {"AC", "H M L", true},     {"Au", "M S N", true}, {"C", "N P C", true},
    {"I", "N P C", true},  {"A", "N P C", true},      {"E", "ND U POC F H"}, {"RL", "ND OF TF W U"},
    {"RC", "ND UC UR C"},  {"CDP", "ND N L LM MH H"}, {"TD", "ND N L M H"},  {"CR", "ND L M H"},
    {"IR", "ND L M H"},    {"AR", "ND L M H"},
};

constexpr Metric kV3[] = {
    {"AV", "N A L P", true}, {"AC", "L H", true},  {"PR", "N L H", true}, {"UI", "N R", true},
    {"S", "U C", true},      {"C", "N L H", true}, {"I", "N L H", true},  {"A", "N L H", true},
    {"E", "X U P F H"},      {"RL", "X O T W U"},  {"RC", "X U R C"},     {"CR", "X L M H"},
    {"IR", "X L M H"},       {"AR", "X L M H"},    {"MAV", "X N A L P"},  {"MAC", "X L H"},
    {"MPR", "X N L H"},      {"MUI", "X N R"},     {"MS", "X U C"},       {"MC", "X N L H"},
    {"MI", "X N L H"},       {"MA", "X N L H"},
};

/// The weight of a one-letter value: `letters` and `weights` in the same order.
std::int64_t weight(std::string_view value, std::string_view letters,
                    std::initializer_list<int> weights) {
  return weights.begin()[letters.find(value)];
}

/// 10.41, 0.6, 20, 0.4, 1.5 and 1.176 are the specification's; everything is counted
/// in integers of ten to the power of minus fifteen.
int score_v2(const Metrics& m) {
  const auto impact = [&](std::string_view name) {
    return weight(m[name], "NPC", {1000, 725, 340});  // one minus the impact, thousandths
  };
  const std::int64_t lost = 1'000'000'000 - impact("C") * impact("I") * impact("A");
  if (lost == 0) return 0;
  const std::int64_t exploitability = weight(m["AV"], "LAN", {395, 646, 1000}) *
                                      weight(m["AC"], "HML", {35, 61, 71}) *
                                      weight(m["Au"], "MSN", {450, 560, 704});
  const std::int64_t sum = 6246 * lost + 80'000 * exploitability - 1'500'000'000'000;
  constexpr std::int64_t kTenth = 100'000'000'000'000;
  return static_cast<int>((sum * 1176 + kTenth / 2) / kTenth);
}

constexpr std::int64_t kUnit = 10'000'000'000;  // version 3 counts in 1e-10

/// The impact of version 3; with a changed scope one term is a fifteenth power.
std::int64_t impact_v3(const Metrics& m, bool changed) {
  const auto kept = [&](std::string_view name) { return weight(m[name], "NLH", {100, 78, 44}); };
  const std::int64_t lost = 1'000'000 - kept("C") * kept("I") * kept("A");  // 1e-6
  if (!changed) return 642 * 100 * lost;
  const double base = static_cast<double>(lost - 20'000) / 1e6;
  double power = 1;
  for (int i = 0; i < 15; ++i) power *= base;
  const double term = 3.25 * power * static_cast<double>(kUnit);
  return 752 * 100 * (lost - 29'000) - static_cast<std::int64_t>(term + (term < 0 ? -0.5 : 0.5));
}

int score_v3(const Metrics& m, CvssVersion version) {
  const bool changed = m["S"] == "C";
  const std::int64_t impact = impact_v3(m, changed);
  if (impact <= 0) return 0;
  const std::int64_t privileges =
      changed ? weight(m["PR"], "NLH", {85, 68, 50}) : weight(m["PR"], "NLH", {85, 62, 27});
  const std::int64_t exploitability = 822 * weight(m["AV"], "NALP", {85, 62, 55, 20}) *
                                      weight(m["AC"], "LH", {77, 44}) * privileges *
                                      weight(m["UI"], "NR", {85, 62});
  const std::int64_t factor = changed ? 108 : 100;
  const std::int64_t score =
      std::min((impact + exploitability) * factor, 10 * kUnit * 100);  // 1e-12
  constexpr std::int64_t kTenth = kUnit * 10;
  if (version == CvssVersion::v3_0) return static_cast<int>((score + kTenth - 1) / kTenth);
  // 3.1 rounds up after rounding to five places, to make floating point harmless.
  constexpr std::int64_t kPlace = kTenth / 10'000;
  const std::int64_t places = (score + kPlace / 2) / kPlace;
  return static_cast<int>((places + 9'999) / 10'000);
}

Level level_of(int tenths, CvssVersion version) {
  if (version == CvssVersion::v2) {
    if (tenths < 40) return Level::low;
    return tenths < 70 ? Level::moderate : Level::high;
  }
  if (tenths == 0) return Level::none;
  if (tenths < 40) return Level::low;
  if (tenths < 70) return Level::moderate;
  return tenths < 90 ? Level::high : Level::critical;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::string describe(const CvssError& error) {
  switch (error.kind) {
    case CvssError::Kind::unknown_version:
      return "not a CVSS vector of version 2.0, 3.0, 3.1 or 4.0";
    case CvssError::Kind::malformed:
      return "not a list of metric:value";
    case CvssError::Kind::unknown_metric:
      return "unknown metric " + error.metric;
    case CvssError::Kind::bad_value:
      return "unknown value of metric " + error.metric;
    case CvssError::Kind::repeated:
      return "metric " + error.metric + " twice";
    case CvssError::Kind::missing:
      return "metric " + error.metric + " is missing";
  }
  std::abort();
}

Result<CvssScore, CvssError> score_cvss(std::string_view vector) {
  const auto scored = [](CvssVersion version, int tenths) {
    return CvssScore{version, tenths, level_of(tenths, version)};
  };
  if (take_prefix(vector, "CVSS:4.0/")) {
    CG_TRY_ASSIGN(const int tenths, score_cvss4(vector));
    return scored(CvssVersion::v4_0, tenths);
  }
  for (const CvssVersion version : {CvssVersion::v3_1, CvssVersion::v3_0}) {
    if (!take_prefix(vector, version == CvssVersion::v3_1 ? "CVSS:3.1/" : "CVSS:3.0/")) continue;
    CG_TRY_ASSIGN(const Metrics metrics, Metrics::parse(vector, kV3));
    return scored(version, score_v3(metrics, version));
  }
  if (vector.starts_with('(') && vector.ends_with(')') && vector.size() > 2) {
    vector = vector.substr(1, vector.size() - 2);
  }
  if (!vector.starts_with("AV:")) return fail(CvssError{CvssError::Kind::unknown_version, {}});
  CG_TRY_ASSIGN(const Metrics metrics, Metrics::parse(vector, kV2));
  return scored(CvssVersion::v2, score_v2(metrics));
}

}  // namespace cg::advisory
