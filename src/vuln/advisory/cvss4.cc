// CVSS 4.0: a vector belongs to one of 270 macro vectors, whose scores experts gave;
// from there it is interpolated towards the next lower ones.
//
// The macro vector is six equivalence levels, "EQ1" to "EQ6" in the specification.
// EQ3 and EQ6 depend on each other, so the two are one dimension here, with the five
// combinations that exist: 00, 01, 10, 11, 21.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/base/assert.h"
#include "vuln/advisory/cvss_metrics.h"

namespace cg::advisory {

namespace {

constexpr Metric kV4[] = {
    {"AV", "N A L P", true}, {"AC", "L H", true},
    {"AT", "N P", true},     {"PR", "N L H", true},
    {"UI", "N P A", true},   {"VC", "H L N", true},
    {"VI", "H L N", true},   {"VA", "H L N", true},
    {"SC", "H L N", true},   {"SI", "H L N", true},
    {"SA", "H L N", true},   {"E", "X A P U"},
    {"CR", "X H M L"},       {"IR", "X H M L"},
    {"AR", "X H M L"},       {"MAV", "X N A L P"},
    {"MAC", "X L H"},        {"MAT", "X N P"},
    {"MPR", "X N L H"},      {"MUI", "X N P A"},
    {"MVC", "X H L N"},      {"MVI", "X H L N"},
    {"MVA", "X H L N"},      {"MSC", "X H L N"},
    {"MSI", "X S H L N"},    {"MSA", "X S H L N"},
    {"S", "X N P"},          {"AU", "X N Y"},
    {"R", "X A U I"},        {"V", "X D C"},
    {"RE", "X L M H"},       {"U", "X Clear Green Amber Red"},
};

/// Tenths, by EQ1, EQ2, EQ3 with EQ6, EQ4, EQ5.
constexpr std::array<std::uint8_t, 270> kScores = {
    100, 98, 95, 100, 93, 91, 93, 89, 81,  //
    99,  95, 92, 96,  87, 81, 90, 80, 68,  //
    98,  95, 90, 93,  89, 81, 88, 78, 69,  //
    95,  92, 84, 92,  81, 65, 80, 70, 48,  //
    92,  82, 72, 79,  69, 50, 69, 55, 27,  //
    99,  95, 92, 95,  90, 84, 92, 82, 72,  //
    97,  92, 85, 91,  83, 71, 81, 71, 53,  //
    95,  92, 85, 92,  80, 70, 84, 71, 50,  //
    93,  85, 73, 82,  72, 59, 70, 52, 30,  //
    86,  75, 52, 71,  52, 29, 63, 29, 17,  //
    98,  94, 91, 94,  86, 77, 87, 74, 63,  //
    95,  87, 81, 89,  74, 64, 75, 63, 49,  //
    94,  88, 76, 86,  74, 59, 72, 57, 52,  //
    89,  77, 67, 76,  58, 50, 57, 52, 25,  //
    83,  70, 54, 65,  58, 26, 53, 21, 13,  //
    95,  88, 76, 90,  75, 61, 77, 68, 52,  //
    90,  76, 70, 77,  62, 53, 66, 59, 30,  //
    89,  76, 62, 74,  57, 47, 61, 57, 24,  //
    78,  67, 58, 59,  57, 23, 52, 29, 16,  //
    71,  59, 30, 58,  26, 15, 23, 13, 6,   //
    93,  86, 75, 86,  74, 56, 70, 52, 40,  //
    87,  72, 58, 74,  61, 34, 54, 40, 22,  //
    85,  74, 62, 72,  55, 46, 53, 34, 19,  //
    75,  55, 51, 57,  41, 19, 36, 19, 8,   //
    64,  51, 20, 47,  21, 11, 24, 9,  4,   //
    88,  73, 60, 73,  59, 41, 54, 45, 20,  //
    75,  53, 50, 55,  40, 20, 43, 22, 11,  //
    75,  58, 40, 61,  48, 20, 46, 17, 8,   //
    55,  45, 21, 51,  18, 9,  18, 7,  2,   //
    53,  24, 14, 24,  12, 5,  10, 3,  1,
};

/// The metrics that count, each as a number of steps from its worst value.
struct Steps {
  int av, pr, ui, ac, at, vc, vi, va, sc, si, sa, cr, ir, ar, e;
};

/// The five dimensions of a macro vector.
struct Macro {
  int eq1, eq2, eq36, eq4, eq5;
};

constexpr int kMost[] = {2, 1, 4, 2, 2};  // the lowest level of each dimension

std::optional<int> score_of(const Macro& m) {
  const int at[] = {m.eq1, m.eq2, m.eq36, m.eq4, m.eq5};
  int index = 0;
  for (int i = 0; i < 5; ++i) {
    if (at[i] > kMost[i]) return std::nullopt;
    index = index * (kMost[i] + 1) + at[i];
  }
  return kScores[static_cast<std::size_t>(index)];
}

/// The value that counts: the modified metric where it is given, else the base one.
std::string_view effective(const Metrics& m, std::string_view name) {
  std::string modified = "M";
  modified += name;
  const std::string_view value = m[modified];
  return value.empty() || value == "X" ? m[name] : value;
}

/// Not given means the worst: the first of `letters`.
int optional_step(std::string_view value, std::string_view letters) {
  return value.empty() || value == "X" ? 0 : static_cast<int>(letters.find(value));
}

Steps steps_of(const Metrics& m) {
  const auto step = [&](std::string_view name, std::string_view letters) {
    return static_cast<int>(letters.find(effective(m, name)));
  };
  return {step("AV", "NALP"),
          step("PR", "NLH"),
          step("UI", "NPA"),
          step("AC", "LH"),
          step("AT", "NP"),
          step("VC", "HLN"),
          step("VI", "HLN"),
          step("VA", "HLN"),
          step("SC", "SHLN"),
          step("SI", "SHLN"),
          step("SA", "SHLN"),
          optional_step(m["CR"], "HML"),
          optional_step(m["IR"], "HML"),
          optional_step(m["AR"], "HML"),
          optional_step(m["E"], "APU")};
}

int eq1_of(const Steps& s) {
  if (s.av == 0 && s.pr == 0 && s.ui == 0) return 0;
  return s.av != 3 && (s.av == 0 || s.pr == 0 || s.ui == 0) ? 1 : 2;
}

int eq36_of(const Steps& s) {
  const bool wanted =
      (s.cr == 0 && s.vc == 0) || (s.ir == 0 && s.vi == 0) || (s.ar == 0 && s.va == 0);  // EQ6 is 0
  if (s.vc == 0 && s.vi == 0) return wanted ? 0 : 1;
  if (s.vc == 0 || s.vi == 0 || s.va == 0) return wanted ? 2 : 3;
  return 4;
}

int eq4_of(const Steps& s) {
  if (s.si == 0 || s.sa == 0) return 0;
  return s.sc == 1 || s.si == 1 || s.sa == 1 ? 1 : 2;
}

/// The next lower score in the dimension of EQ3 and EQ6: of two ways the higher one.
std::optional<int> lower_eq36(const Macro& m) {
  const auto with = [&](int eq36) { return score_of({m.eq1, m.eq2, eq36, m.eq4, m.eq5}); };
  switch (m.eq36) {
    case 0:  // 00 to 01 or 10
      return std::max(with(1), with(2));
    case 1:  // 01 to 11
    case 2:  // 10 to 11
      return with(3);
    case 3:  // 11 to 21
      return with(4);
    default:
      return std::nullopt;
  }
}

/// How far `have` lies below the first of `tops` that is nowhere better than it. The
/// tops are the worst vectors of a level.
template <std::size_t N>
int distance(const std::array<int, N>& have, std::initializer_list<std::array<int, N>> tops) {
  for (const auto& top : tops) {
    int sum = 0;
    bool above = true;
    for (std::size_t i = 0; i < N; ++i) {
      sum += have[i] - top[i];
      above = above && have[i] >= top[i];
    }
    if (above) return sum;
  }
  CG_ASSERT(false);  // every vector of a level lies below one of its tops
  return 0;
}

int distance_eq1(const Steps& s, int level) {
  const std::array<int, 3> have = {s.av, s.pr, s.ui};
  if (level == 0) return distance<3>(have, {{0, 0, 0}});
  if (level == 1) return distance<3>(have, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  return distance<3>(have, {{3, 0, 0}, {1, 1, 1}});
}

int distance_eq2(const Steps& s, int level) {
  const std::array<int, 2> have = {s.ac, s.at};
  if (level == 0) return distance<2>(have, {{0, 0}});
  return distance<2>(have, {{1, 0}, {0, 1}});
}

int distance_eq36(const Steps& s, int level) {
  const std::array<int, 6> have = {s.vc, s.vi, s.va, s.cr, s.ir, s.ar};
  switch (level) {
    case 0:
      return distance<6>(have, {{0, 0, 0, 0, 0, 0}});
    case 1:
      return distance<6>(have, {{0, 0, 1, 1, 1, 0}, {0, 0, 0, 1, 1, 1}});
    case 2:
      return distance<6>(have, {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}});
    case 3:
      return distance<6>(have, {{1, 0, 1, 0, 1, 0},
                                {1, 0, 0, 0, 1, 1},
                                {0, 1, 0, 1, 0, 1},
                                {0, 1, 1, 1, 0, 0},
                                {1, 1, 0, 0, 0, 1}});
    default:
      return distance<6>(have, {{1, 1, 1, 0, 0, 0}});
  }
}

int distance_eq4(const Steps& s, int level) {
  const std::array<int, 3> have = {s.sc, s.si, s.sa};
  if (level == 0) return distance<3>(have, {{1, 0, 0}});
  if (level == 1) return distance<3>(have, {{1, 1, 1}});
  return distance<3>(have, {{2, 2, 2}});
}

/// The score minus the mean of what each dimension takes off: its share of the way to
/// the next lower macro vector. All in fractions of 2520, which every depth divides.
int interpolated(const Steps& s, const Macro& m) {
  constexpr int kDepth1[] = {1, 4, 5};
  constexpr int kDepth2[] = {1, 2};
  constexpr int kDepth36[] = {7, 6, 8, 8, 10};
  constexpr int kDepth4[] = {6, 5, 4};
  constexpr int kWhole = 2520;
  const int score = *score_of(m);
  int ways = 0;
  int taken = 0;
  const auto take = [&](std::optional<int> lower, int steps, int depth) {
    if (!lower) return;
    ++ways;
    taken += (score - *lower) * steps * (kWhole / depth);
  };
  take(score_of({m.eq1 + 1, m.eq2, m.eq36, m.eq4, m.eq5}), distance_eq1(s, m.eq1), kDepth1[m.eq1]);
  take(score_of({m.eq1, m.eq2 + 1, m.eq36, m.eq4, m.eq5}), distance_eq2(s, m.eq2), kDepth2[m.eq2]);
  take(lower_eq36(m), distance_eq36(s, m.eq36), kDepth36[m.eq36]);
  take(score_of({m.eq1, m.eq2, m.eq36, m.eq4 + 1, m.eq5}), distance_eq4(s, m.eq4), kDepth4[m.eq4]);
  take(score_of({m.eq1, m.eq2, m.eq36, m.eq4, m.eq5 + 1}), 0, 1);
  if (ways == 0) return score;
  const int whole = kWhole * ways;
  return std::clamp((2 * (score * whole - taken) + whole) / (2 * whole), 0, 100);  // a half goes up
}

}  // namespace

Result<int, CvssError> score_cvss4(std::string_view text) {
  CG_TRY_ASSIGN(const Metrics metrics, Metrics::parse(text, kV4));
  const Steps s = steps_of(metrics);
  const bool harmless = s.vc == 2 && s.vi == 2 && s.va == 2 && s.sc == 3 && s.si == 3 && s.sa == 3;
  if (harmless) return 0;
  const Macro macro{eq1_of(s), s.ac == 0 && s.at == 0 ? 0 : 1, eq36_of(s), eq4_of(s), s.e};
  return interpolated(s, macro);
}

}  // namespace cg::advisory
