#include "npm/notes/choose.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace cg::notes {

namespace {

constexpr std::string_view kGap = "\xE2\x80\xA6\n";

/// That a unit can bring about: its own, and those of one that was the first of its piece, which
/// has up to three headings.
constexpr std::size_t kMostGaps = 5;

/// Units of one key are one piece.
using Key = std::tuple<std::size_t, Piece::Kind, std::uint32_t>;

Key key_of(const Unit& unit) {
  // All of a version is together, elsewhere what stands under one heading.
  return {unit.source, unit.kind, unit.under[0] != kNoBlock ? unit.under[0] : unit.under[1]};
}

class Chooser {
 public:
  Chooser(const std::vector<Source>& sources, const std::vector<Unit>& units, std::size_t cap)
      : sources_(sources), units_(units), cap_(cap), room_(cap), is_chosen_(units.size(), false) {
    order_.resize(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) order_[i] = i;
    // Of examples that which shows the most comes first; all else stays in its order.
    const auto rank = [&](std::size_t i) {
      const Unit& unit = units[i];
      return std::pair(unit.weight, is_usage(unit) ? 64 - std::popcount(unit.names) : 0);
    };
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  }

  void run() {
    const std::size_t kept = std::min(room_ / 3, examples());
    room_ -= kept;
    take([](const Unit& unit) { return !is_usage(unit) && unit.weight < Weight::major; });
    room_ += kept;
    take_one_for_each_name();
    take([](const Unit& unit) { return is_usage(unit) && unit.weight <= Weight::example; });
    take([](const Unit&) { return true; });
    // Room that was reckoned for gaps where there are none; less each time.
    gaps_ = kMostGaps;
    for (int again = 0; again < 3; ++again) {
      room_ = cap_;
      for (const Piece& piece : notes().pieces) room_ -= piece.text.size();
      take([](const Unit&) { return true; });
    }
  }

  [[nodiscard]] Notes notes() const;

 private:
  static bool is_usage(const Unit& unit) { return unit.kind == Piece::Kind::usage; }

  [[nodiscard]] const Document& document(const Unit& unit) const {
    return sources_[unit.source].document;
  }
  [[nodiscard]] std::string heading(const Unit& unit, std::uint32_t block) const {
    return text_of(document(unit), document(unit).blocks()[block], kMaxHeading);
  }

  /// What the examples of names would need.
  [[nodiscard]] std::size_t examples() const {
    std::size_t sum = 0;
    for (const Unit& unit : units_) {
      if (is_usage(unit) && unit.weight <= Weight::example) sum += unit.text.size() + kMaxHeading;
    }
    return sum;
  }

  /// At most: with headings that are not shown yet, and with gaps.
  [[nodiscard]] std::size_t cost(const Unit& unit) const {
    std::size_t out = unit.text.size() + 1 + gaps_ * kGap.size();
    const auto shown = shown_.find(key_of(unit));
    for (const std::uint32_t block : unit.under) {
      if (block == kNoBlock) continue;
      if (shown != shown_.end() && shown->second.contains(block)) continue;
      out += heading(unit, block).size() + 1 + kGap.size();
    }
    return out;
  }

  void try_take(std::size_t i) {
    const Unit& unit = units_[i];
    if (is_chosen_[i] || unit.text.size() > room_) return;
    const std::size_t bytes = cost(unit);
    if (bytes > room_ || !texts_.insert(unit.text).second) return;
    room_ -= bytes;
    is_chosen_[i] = true;
    covered_ |= unit.names;
    auto& shown = shown_[key_of(unit)];
    for (const std::uint32_t block : unit.under) {
      if (block != kNoBlock) shown.insert(block);
    }
  }

  template <class Which>
  void take(Which which) {
    for (const std::size_t i : order_) {
      if (which(units_[i])) try_take(i);
    }
  }

  void take_one_for_each_name() {
    covered_ = 0;
    for (const std::size_t i : order_) {
      const Unit& unit = units_[i];
      const bool is_new = (unit.names & ~covered_) != 0;
      if (is_usage(unit) && unit.weight <= Weight::named_option && is_new) try_take(i);
    }
  }

  [[nodiscard]] std::pair<Weight, Piece> piece_of(const std::vector<std::size_t>& chosen) const;

  const std::vector<Source>& sources_;
  const std::vector<Unit>& units_;
  std::size_t cap_;
  std::size_t room_;
  std::size_t gaps_ = 1;  // before a unit
  std::vector<bool> is_chosen_;
  std::vector<std::size_t> order_;
  std::map<Key, std::set<std::uint32_t>> shown_;
  std::set<std::string_view> texts_;  // the same is not shown twice
  NameBits covered_ = 0;
};

/// `chosen` are units of one key, in the order of the text.
std::pair<Weight, Piece> Chooser::piece_of(const std::vector<std::size_t>& chosen) const {
  const Unit& first = units_[chosen.front()];
  Piece out;
  out.file = sources_[first.source].path;
  out.kind = first.kind;
  Weight weight = first.weight;
  std::set<std::uint32_t> shown;
  std::uint32_t next = kNoBlock;  // the block behind the last one
  const auto& blocks = document(first).blocks();
  for (const std::size_t i : chosen) {
    const Unit& unit = units_[i];
    weight = std::min(weight, unit.weight);
    for (const std::uint32_t block : unit.under) {
      if (block == kNoBlock || !shown.insert(block).second) continue;
      if (next == kNoBlock) out.line = blocks[block].first + 1;
      if (next != kNoBlock && block > next) out.text += kGap;
      out.text += heading(unit, block) + "\n";
      next = block + 1;
    }
    if (next == kNoBlock) out.line = blocks[unit.first].first + 1;
    if (next != kNoBlock && unit.first > next) out.text += kGap;
    out.text += unit.text + "\n";
    next = unit.last;
  }
  return {weight, std::move(out)};
}

Notes Chooser::notes() const {
  Notes out;
  std::map<Key, std::vector<std::size_t>> by_key;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (is_chosen_[i]) {
      by_key[key_of(units_[i])].push_back(i);
    } else if (units_[i].weight < Weight::aside && !texts_.contains(units_[i].text)) {
      ++out.left_out;
    }
  }
  std::vector<std::pair<Weight, Piece>> pieces;
  for (const auto& [key, chosen] : by_key) pieces.push_back(piece_of(chosen));
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [weight, piece] : pieces) out.pieces.push_back(std::move(piece));
  return out;
}

}  // namespace

Notes choose(const std::vector<Source>& sources, const std::vector<Unit>& units, std::size_t cap) {
  Chooser chooser(sources, units, cap);
  chooser.run();
  return chooser.notes();
}

}  // namespace cg::notes
