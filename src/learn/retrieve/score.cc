#include "learn/retrieve/score.h"

#include <algorithm>
#include <array>

namespace cg::retrieve {

namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Lists are short and nobody promised their order: no name counts twice, and nothing is copied,
/// as this is done for every record.
bool is_first(const Names& names, std::size_t i) {
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(i);
  return std::find(names.begin(), end, names[i]) == end;
}
struct Counts {
  std::size_t all = 0;
  std::size_t shared = 0;
};
Counts counts(const Names& names, const Names& others) {
  Counts out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_first(names, i)) continue;
    ++out.all;
    if (has(others, names[i])) ++out.shared;
  }
  return out;
}

Millionths share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<Millionths>(part * static_cast<std::size_t>(kWhole) / whole);
}

/// Shared of all that either has.
Millionths overlap(const Names& left, const Names& right) {
  const Counts one = counts(left, right);
  return share(one.shared, one.all + counts(right, {}).all - one.shared);
}

/// What `of` has of what is wanted.
Millionths covered(const Names& wanted, const Names& of) {
  const Counts found = counts(wanted, of);
  return share(found.shared, found.all);
}

bool share_an_alias(const Case& asked, const example::Example& record) {
  return has(asked.aliases, record.advisory) ||
         std::any_of(record.aliases.begin(), record.aliases.end(),
                     [&](const std::string& alias) { return has(asked.aliases, alias); });
}

}  // namespace

Millionths millionths(double value) {
  const auto twice = static_cast<std::int64_t>(value * 2e6);
  return static_cast<Millionths>((twice + (twice > 0 ? 1 : -1)) / 2);
}

std::string_view name(Band band) {
  constexpr std::array<std::string_view, 3> kNames = {"miss", "degraded", "hit"};
  return kNames.at(static_cast<std::size_t>(band));
}

Band band_of(const Weights& weights, Millionths score) {
  if (score >= kHit && weights.measured()) return Band::hit;
  return score >= kDegraded ? Band::degraded : Band::miss;
}

Score agreement(const Weights& weights, const Case& asked, const example::Example& record) {
  Score out;
  out.aliases = share_an_alias(asked, record) ? kWhole : 0;
  out.package = asked.package == record.package ? kWhole : 0;
  out.weakness = overlap(asked.weaknesses, record.weaknesses);
  out.breaks = asked.breaks == record.breaks ? kWhole : 0;
  // "parse" of another package is another thing.
  if (out.package != 0) out.changed = covered(asked.changed, record.changed);
  const auto add = [&](Millionths weight, Millionths part) {
    out.sum += std::int64_t{weight} * part / kWhole;
  };
  add(weights.aliases, out.aliases);
  add(weights.package, out.package);
  add(weights.weakness, out.weakness);
  add(weights.breaks, out.breaks);
  add(weights.changed, out.changed);
  return out;
}

Score scored(const Weights& weights, Score agreement, double product) {
  agreement.similarity = millionths(product);
  agreement.sum += std::int64_t{weights.vector} * agreement.similarity / kWhole;
  agreement.score = calibrated(weights, agreement.sum);
  return agreement;
}

std::string thousandths(std::int64_t value) {
  std::string digits = std::to_string((value < 0 ? -value : value) / 1000);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return (value < 0 ? "-" : "") + digits.substr(0, digits.size() - 3) + "." +
         digits.substr(digits.size() - 3);
}

}  // namespace cg::retrieve
