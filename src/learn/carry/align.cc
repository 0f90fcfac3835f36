#include "learn/carry/align.h"

#include <algorithm>
#include <map>

#include "learn/carry/tokens.h"

// From the top downwards. Two nodes of one kind go together; of their children, those that are
// spelled alike (a longest common subsequence), and of what is left between those, as many as there
// are on the other side if their kinds are the same one by one, or those
// that declare the same name. What then goes with nothing is a
// region. It ends since each step goes down, and no deeper than kMaxNesting.

namespace cg::carry {

namespace {

/// Nodes that are written alike, comments left out, get the same number.
class Speller {
 public:
  std::vector<std::uint32_t> spell(const Source& source) {
    std::vector<std::uint32_t> out(source.size(), 0);
    for (Index i = source.size(); i-- > 0;) {
      std::string all = std::to_string(static_cast<int>(source.kind(i))) + ' ' +
                        std::to_string(static_cast<int>(source.at(i).field));
      const auto is_child = [&](Index node) { return node != i; };
      for (const Token& token : tokens_of(source, {i, i}, is_child)) {
        const bool is_inner = token.node != kNone && token.node != i;
        all += is_inner ? "\n#" + std::to_string(out[token.node])
                        : "\n=" + std::string(word_of(source, token));
      }
      out[i] = numbers_.emplace(all, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }
    return out;
  }

 private:
  std::map<std::string, std::uint32_t> numbers_;
};

class Aligner {
 public:
  Aligner(const Source& before, const Source& after) : before_(before), after_(after) {
    out_.partner.assign(before.size(), kNone);
    Speller speller;
    out_.spelled = speller.spell(before);
    out_.spelled_after = speller.spell(after);
  }

  Result<Alignment, Refusal> run() {
    if (!pair(0, 0)) return fail(Refusal{0, "the two texts are too much to compare"});
    return std::move(out_);
  }

 private:
  bool pair(Index b, Index a) {
    out_.partner[b] = a;
    const std::vector<Index> old_ones = before_.children(b);
    const std::vector<Index> new_ones = after_.children(a);
    if (out_.spelled[b] == out_.spelled_after[a]) {
      for (std::size_t i = 0; i < old_ones.size() && i < new_ones.size(); ++i) {
        if (!pair(old_ones[i], new_ones[i])) return false;
      }
      return true;
    }
    const auto kept = common(old_ones.size(), new_ones.size(), [&](std::size_t x, std::size_t y) {
      return out_.spelled[old_ones[x]] == out_.spelled_after[new_ones[y]];
    });
    if (!kept) return false;
    const std::size_t regions = out_.regions.size();
    std::size_t from_b = 0;
    std::size_t from_a = 0;
    bool went_down = false;
    for (std::size_t y = 0; y <= new_ones.size(); ++y) {
      if (y < new_ones.size() && (*kept)[y] == kApart) continue;
      const std::size_t x = y < new_ones.size() ? (*kept)[y] : old_ones.size();
      const std::vector<Index> gone(old_ones.begin() + static_cast<std::ptrdiff_t>(from_b),
                                    old_ones.begin() + static_cast<std::ptrdiff_t>(x));
      const std::vector<Index> come(new_ones.begin() + static_cast<std::ptrdiff_t>(from_a),
                                    new_ones.begin() + static_cast<std::ptrdiff_t>(y));
      if (!gone.empty() || !come.empty()) {
        went_down = true;
        if (!between(b, a, gone, come)) return false;
      }
      if (y < new_ones.size() && !pair(old_ones[x], new_ones[y])) return false;
      from_b = x + 1;
      from_a = y + 1;
    }
    // Signs between the children are others: an operator, a keyword.
    if (!went_down || signs(before_, b) != signs(after_, a)) {
      out_.regions.resize(regions);
      out_.regions.push_back({before_.parent(b), after_.parent(a), {b}, {a}});
    }
    return true;
  }

  bool between(Index b, Index a, const std::vector<Index>& gone, const std::vector<Index>& come) {
    if (gone.size() != come.size()) return apart(b, a, gone, come);
    for (std::size_t i = 0; i < gone.size(); ++i) {
      const bool may_pair =
          before_.kind(gone[i]) == after_.kind(come[i]) && before_.kind(gone[i]) != Kind::string &&
          before_.at(gone[i]).after != gone[i] + 1 && after_.at(come[i]).after != come[i] + 1;
      if (!may_pair) {
        out_.regions.push_back({b, a, {gone[i]}, {come[i]}});
      } else if (!pair(gone[i], come[i])) {
        return false;
      }
    }
    return true;
  }

  /// Some may still be called alike: functions, declarations, members.
  bool apart(Index b, Index a, const std::vector<Index>& gone, const std::vector<Index>& come) {
    std::vector<std::string> old_names;
    std::vector<std::string> new_names;
    for (const Index node : gone) old_names.push_back(label(before_, node));
    for (const Index node : come) new_names.push_back(label(after_, node));
    const auto kept = common(gone.size(), come.size(), [&](std::size_t x, std::size_t y) {
      return !old_names[x].empty() && old_names[x] == new_names[y];
    });
    if (!kept) return false;
    const bool has_some =
        std::any_of(kept->begin(), kept->end(), [](std::size_t x) { return x != kApart; });
    if (!has_some) {
      out_.regions.push_back({b, a, gone, come});
      return true;
    }
    auto old_one = gone.begin();
    auto new_one = come.begin();
    for (std::size_t y = 0; y <= come.size(); ++y) {
      if (y < come.size() && (*kept)[y] == kApart) continue;
      const auto x = static_cast<std::ptrdiff_t>(y < come.size() ? (*kept)[y] : gone.size());
      const auto at = static_cast<std::ptrdiff_t>(y);
      const std::vector<Index> less(old_one, gone.begin() + x);
      const std::vector<Index> more(new_one, come.begin() + at);
      if ((!less.empty() || !more.empty()) && !between(b, a, less, more)) return false;
      if (y == come.size()) break;
      if (!pair(gone[static_cast<std::size_t>(x)], come[y])) return false;
      old_one = gone.begin() + x + 1;
      new_one = come.begin() + at + 1;
    }
    return true;
  }

  static std::string label(const Source& source, Index node) {
    Index named = node;
    const std::vector<Index> inner = source.children(node);
    if (source.kind(node) == Kind::export_statement && inner.size() == 1) named = inner.front();
    const Kind kind = source.kind(named);
    const bool may_be = syntax::is_function(kind) || kind == Kind::class_declaration ||
                        kind == Kind::pair || kind == Kind::import_specifier;
    Index name = source.syntax().child(named, Field::name);
    if (name == kNone) name = source.syntax().child(named, Field::key);
    if (!may_be || name == kNone || source.at(name).after != name + 1) return {};
    return std::to_string(static_cast<int>(kind)) + " " + std::string(source.text_of(name));
  }

  static std::string signs(const Source& source, Index node) {
    std::string out;
    const auto is_child = [&](Index i) { return i != node; };
    for (const Token& token : tokens_of(source, {node, node}, is_child)) {
      const std::string_view word = word_of(source, token);
      if (token.node == kNone && word != "," && word != ";") out += std::string(word) + ' ';
    }
    return out;
  }

  const Source& before_;
  const Source& after_;
  Alignment out_;
};

}  // namespace

Twins::Twins(const Alignment& alignment, const Source& before, const Span& old_piece,
             const Source& after, const Span& new_piece)
    : alignment_(alignment) {
  for (Index i = old_piece.first; i < before.at(old_piece.last).after; ++i) {
    ++alike_[alignment.spelled[i]].before;
  }
  for (Index i = new_piece.first; i < after.at(new_piece.last).after; ++i) {
    Alike& alike = alike_[alignment.spelled_after[i]];
    ++alike.after;
    alike.last = i;
  }
}

Index Twins::of(Index before) const {
  if (alignment_.is_kept(before)) return alignment_.partner[before];
  const auto same = alike_.find(alignment_.spelled[before]);
  const bool is_one = same != alike_.end() && same->second.before == 1 && same->second.after == 1;
  return is_one ? same->second.last : kNone;
}

Result<Alignment, Refusal> align(const Source& before, const Source& after) {
  return Aligner(before, after).run();
}

}  // namespace cg::carry
