#include "learn/retrieve/score.h"

#include <algorithm>
#include <array>

namespace cg::retrieve {

namespace {

using Names = std::vector<std::string>;

Names in_order(Names names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::size_t shared(const Names& a, const Names& b) {
  return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&](const std::string& name) {
    return std::binary_search(b.begin(), b.end(), name);
  }));
}

Millionths share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<Millionths>(part * static_cast<std::size_t>(kWhole) / whole);
}

/// Shared of all that either has.
Millionths overlap(const Names& left, const Names& right) {
  const Names a = in_order(left);
  const Names b = in_order(right);
  const std::size_t both = shared(a, b);
  return share(both, a.size() + b.size() - both);
}

/// What `of` has of what is wanted.
Millionths covered(const Names& wanted, const Names& of) {
  const Names a = in_order(wanted);
  return share(shared(a, in_order(of)), a.size());
}

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool share_an_alias(const Case& asked, const example::Example& record) {
  return has(asked.aliases, record.advisory) ||
         std::any_of(record.aliases.begin(), record.aliases.end(),
                     [&](const std::string& alias) { return has(asked.aliases, alias); });
}

/// "0.713"; what is beyond is cut off.
std::string thousandths(std::int64_t value) {
  std::string digits = std::to_string((value < 0 ? -value : value) / 1000);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return (value < 0 ? "-" : "") + digits.substr(0, digits.size() - 3) + "." +
         digits.substr(digits.size() - 3);
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

std::string describe(const Weights& weights, const Score& score) {
  std::string out;
  const auto add = [&](const char* what, Millionths part, Millionths weight) {
    if (weight == 0) return;
    out += (out.empty() ? "" : ", ") + std::string(what) + " " + thousandths(part) + " x " +
           thousandths(weight);
  };
  add("vector", score.similarity, weights.vector);
  add("aliases", score.aliases, weights.aliases);
  add("package", score.package, weights.package);
  add("weakness", score.weakness, weights.weakness);
  add("breaks", score.breaks, weights.breaks);
  add("changed", score.changed, weights.changed);
  return out + ": " + thousandths(score.score);
}

}  // namespace cg::retrieve
