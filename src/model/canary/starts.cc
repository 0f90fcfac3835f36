// How the table of starts is made.
//
// It answers one question: can a match of any of the expressions start at this byte? A walk from
// there looks at the table once per byte until it is in kNo or kMaybe. "No" must be right, "maybe"
// need not be, so wherever exactness would cost states it is given up on the side of "maybe".
//
//   bytes   become 29 classes: each letter for itself, digits, signs and spaces, the rest. A
//           literal sign or space stands for its whole class.
//   nodes   An expression is read into nodes, like ones being one, and alternatives that begin
//           alike share their beginning. \b is read as nothing; of a repetition with more than
//           kFew choices, "{2,9}", only the lower bound is kept.
//   steps   A step takes a byte of some classes and goes on to a list of steps. before(node, next)
//           is the list that `node` begins with where `next` follows. It is made once for each
//           pair, and noted before what is inside is made: so a loop finds itself, and ends.
//   states  A state is the set of lists at which all half matches stand. They are made nearest to
//           the start first. One with an end of an expression in it is kMaybe at once, for how a
//           match goes on is RE2's to say; so is each new one when there are most_states.
//
// Example: `ignore (?:all|any) rules` and `ignore your rules` share all of "ignore " and part at
// the next letter. In "banana" the first byte leads to kNo. "ignore b" takes eight looks to get
// there, "ignore-any rules" ends in kMaybe, as a minus and a space are one class, and RE2 decides.
//
// It ends: nodes and steps are as many as the expressions are long, with their counts written out,
// and states at most most_states.
#include "model/canary/starts.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/base/assert.h"

namespace cg::canary {
namespace {

constexpr std::size_t kClasses = 29;
constexpr std::size_t kMany = 1000;  // of a repetition without an end
constexpr std::size_t kFew = 2;      // of choices in a repetition that are told apart

using Mask = std::uint32_t;  // of classes

/// An expression as nodes, of which no two are alike: what is written twice is one.
using Node = std::uint32_t;
enum class Op : std::uint8_t { bytes, sequence, either, any_number };
struct Content {
  Op op;
  Mask mask;
  std::vector<Node> parts;
  auto operator<=>(const Content&) const = default;
};
class Nodes {
 public:
  [[nodiscard]] const Content& operator[](Node node) const { return content_[node]; }

  Node bytes(Mask mask) { return made({Op::bytes, mask, {}}); }
  Node sequence(const std::vector<Node>& parts) {
    Content out{Op::sequence, 0, {}};
    for (const Node part : parts) {
      const Content& inner = content_[part];
      if (inner.op == Op::sequence) {
        out.parts.insert(out.parts.end(), inner.parts.begin(), inner.parts.end());
      } else {
        out.parts.push_back(part);
      }
    }
    return out.parts.size() == 1 ? out.parts[0] : made(std::move(out));
  }
  Node any_number(Node part) { return made({Op::any_number, 0, {part}}); }

  /// Alternatives that begin alike share their beginning.
  Node either(const std::vector<Node>& parts) {
    std::map<Node, std::vector<Node>> by_first;
    bool empty = false;
    for (const Node part : parts) {
      const std::vector<Node> all = parts_of(part);
      if (all.empty()) {
        empty = true;
      } else {
        by_first[all[0]].push_back(sequence({all.begin() + 1, all.end()}));
      }
    }
    Content out{Op::either, 0, {}};
    for (const auto& [first, rests] : by_first)
      out.parts.push_back(sequence({first, rests.size() == 1 ? rests[0] : either(rests)}));
    if (empty) out.parts.push_back(sequence({}));
    return out.parts.size() == 1 ? out.parts[0] : made(std::move(out));
  }

 private:
  [[nodiscard]] std::vector<Node> parts_of(Node node) const {
    const Content& content = content_[node];
    return content.op == Op::sequence ? content.parts : std::vector<Node>{node};
  }
  Node made(Content content) {
    const auto [place, is_new] =
        ids_.try_emplace(std::move(content), static_cast<Node>(content_.size()));
    if (is_new) content_.push_back(place->first);
    return place->second;
  }
  std::map<Content, Node> ids_;
  std::deque<Content> content_;
};

class Reader {
 public:
  Reader(std::string_view regex, Nodes& nodes) : rest_(regex), nodes_(nodes) {}

  Node all() {
    const Node out = alternatives();
    CG_ASSERT(rest_.empty());
    return out;
  }

 private:
  bool skip(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  Node alternatives() {
    std::vector<Node> out = {sequence()};
    while (skip("|")) out.push_back(sequence());
    return out.size() == 1 ? out[0] : nodes_.either(out);
  }
  Node sequence() {
    std::vector<Node> out;
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')')
      out.push_back(repeated(one()));
    return nodes_.sequence(out);
  }
  Node one() {
    if (skip("(?:")) {
      const Node out = alternatives();
      CG_ASSERT(skip(")"));
      return out;
    }
    if (skip("\\b")) return nodes_.sequence({});
    if (skip("[")) return nodes_.bytes(char_class());
    if (skip(".")) return nodes_.bytes((Mask{1} << kClasses) - 1);
    return nodes_.bytes(Mask{1} << class_of(literal()));
  }

  char literal() {
    const char c = take();
    if (c != '\\') return c;
    const char escaped = take();
    if (escaped == 'n') return '\n';
    if (escaped != 'x') return escaped;
    unsigned value = 0;
    std::from_chars(rest_.data(), rest_.data() + 2, value, 16);
    rest_.remove_prefix(2);
    return static_cast<char>(value);
  }
  Mask char_class() {
    std::array<bool, 256> in{};
    const bool negated = skip("^");
    while (!skip("]")) {
      const auto first = static_cast<unsigned char>(literal());
      auto last = first;
      if (rest_.starts_with('-') && rest_.substr(1, 1) != "]") {
        take();
        last = static_cast<unsigned char>(literal());
      }
      for (unsigned i = first; i <= last; ++i) in.at(i) = true;
    }
    Mask out = 0;
    for (unsigned i = 0; i < 256; ++i) {
      if (in.at(i) != negated) out |= Mask{1} << class_of(static_cast<char>(i));
    }
    return out;
  }

  std::size_t number() {
    std::size_t out = 0;
    while (rest_.front() >= '0' && rest_.front() <= '9')
      out = out * 10 + static_cast<std::size_t>(take() - '0');
    return out;
  }
  Node repeated(Node item) {
    std::size_t least = 1;
    std::size_t most = 1;
    if (skip("?")) {
      least = 0;
    } else if (skip("*")) {
      least = 0;
      most = kMany;
    } else if (skip("+")) {
      most = kMany;
    } else if (rest_.starts_with('{') && rest_.size() > 1 && rest_[1] >= '0' && rest_[1] <= '9') {
      take();
      least = most = number();
      if (skip(",")) most = rest_.front() == '}' ? kMany : number();
      CG_ASSERT(skip("}"));
    } else {
      return item;
    }
    static_cast<void>(skip("?"));  // as few as possible: the same language
    return times(item, least, most);
  }
  Node times(Node item, std::size_t least, std::size_t most) {
    Node rest = nodes_.sequence({});
    if (most - least > kFew) {
      rest = nodes_.any_number(item);
    } else {
      for (std::size_t i = least; i < most; ++i)
        rest = nodes_.either({nodes_.sequence({item, rest}), nodes_.sequence({})});
    }
    std::vector<Node> out(least, item);
    out.push_back(rest);
    return nodes_.sequence(out);
  }

  std::string_view rest_;
  Nodes& nodes_;
};

/// The nondeterministic automaton: a step takes a byte of a class in `mask` and goes on to all
/// steps of a list. Lists refer to lists; two of one node with the same list behind it are one.
class Steps {
 public:
  using Step = std::uint32_t;
  using List = std::uint32_t;
  static constexpr Step kAccept = 0;
  static constexpr List kEnd = 0;  // the list of kAccept alone
  struct Content {
    Mask mask;
    List next;
  };

  explicit Steps(const Nodes& nodes) : nodes_(nodes) {
    steps_.push_back({0, kEnd});
    lists_.push_back({{kAccept}, {}});
  }
  [[nodiscard]] const Content& operator[](Step step) const { return steps_[step]; }

  /// What `node` begins with where `next` is what comes behind it.
  List before(Node node, List next) {
    const auto& content = nodes_[node];
    if (content.op == Op::sequence) {
      List out = next;
      for (std::size_t i = content.parts.size(); i > 0; --i)
        out = before(content.parts[i - 1], out);
      return out;
    }
    const auto [place, is_new] = known_.try_emplace({node, next}, static_cast<List>(lists_.size()));
    const List out = place->second;
    if (!is_new) return out;
    lists_.emplace_back();
    if (content.op == Op::bytes) {
      lists_[out].steps.push_back(static_cast<Step>(steps_.size()));
      steps_.push_back({content.mask, next});
    } else if (content.op == Op::either) {
      for (const Node part : content.parts) {
        const List begin = before(part, next);
        lists_[out].others.push_back(begin);
      }
    } else {
      const List again = before(content.parts[0], out);
      lists_[out].others = {next, again};
    }
    return out;
  }

  /// The steps of a list and of those that it refers to, in order. Nothing is added afterwards.
  const std::vector<Step>& all(List list) {
    all_.resize(lists_.size());
    std::vector<Step>& out = all_[list];
    if (!out.empty()) return out;
    std::vector<List> open = {list};
    std::vector<List> seen = {list};
    while (!open.empty()) {
      const Links& links = lists_[open.back()];
      open.pop_back();
      out.insert(out.end(), links.steps.begin(), links.steps.end());
      for (const List other : links.others) {
        if (std::find(seen.begin(), seen.end(), other) != seen.end()) continue;
        seen.push_back(other);
        open.push_back(other);
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  struct Links {
    std::vector<Step> steps;
    std::vector<List> others;
  };
  const Nodes& nodes_;
  std::vector<Content> steps_;
  std::vector<Links> lists_;
  std::vector<std::vector<Step>> all_;
  std::map<std::pair<Node, List>, List> known_;
};

/// States of the deterministic automaton are sets of lists, in order.
using Lists = std::vector<Steps::List>;
struct HashLists {
  std::size_t operator()(const Lists& lists) const {
    std::size_t out = lists.size();
    for (const Steps::List list : lists) out = (out ^ list) * 0x9E3779B97F4A7C15U;
    return out;
  }
};
class States {
 public:
  States(Steps& steps, std::size_t most) : steps_(steps), most_(most) {}

  /// Nearest to the start first.
  std::vector<Starts::State> table(std::size_t stride, const Lists& start) {
    rows_.assign(Starts::kStart, {});
    id(start);
    std::vector<Starts::State> out(Starts::kStart * stride, Starts::kNo);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(stride), out.end(), Starts::kMaybe);
    for (std::size_t i = Starts::kStart; i < rows_.size(); ++i) {
      std::array<Lists, kClasses> next;
      follow(*rows_[i], next);
      out.resize((i + 1) * stride, Starts::kNo);
      for (std::size_t c = 0; c < kClasses; ++c) {
        std::sort(next[c].begin(), next[c].end());
        next[c].erase(std::unique(next[c].begin(), next[c].end()), next[c].end());
        out[i * stride + c] = id(next[c]);
      }
    }
    return out;
  }

 private:
  void follow(const Lists& lists, std::array<Lists, kClasses>& next) {
    steps_of(lists, all_);
    for (const Steps::Step step : all_) {
      const auto& content = steps_[step];
      for (Mask mask = content.mask; mask != 0; mask &= mask - 1)
        next[static_cast<std::size_t>(std::countr_zero(mask))].push_back(content.next);
    }
  }
  void steps_of(const Lists& lists, std::vector<Steps::Step>& out) {
    out.clear();
    for (const Steps::List list : lists) {
      const std::vector<Steps::Step>& all = steps_.all(list);
      out.insert(out.end(), all.begin(), all.end());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
  Starts::State id(const Lists& lists) {
    if (lists.empty()) return Starts::kNo;
    const auto accepts = [&](Steps::List list) { return steps_.all(list)[0] == Steps::kAccept; };
    if (std::any_of(lists.begin(), lists.end(), accepts)) return Starts::kMaybe;
    const auto known = ids_.find(lists);
    if (known != ids_.end()) return known->second;
    if (rows_.size() >= most_) return Starts::kMaybe;
    const auto place = ids_.emplace(lists, static_cast<Starts::State>(rows_.size())).first;
    rows_.push_back(&place->first);
    return place->second;
  }

  Steps& steps_;
  std::size_t most_;
  std::unordered_map<Lists, Starts::State, HashLists> ids_;
  std::vector<const Lists*> rows_;
  std::vector<Steps::Step> all_;
};

}  // namespace

Starts::Starts(const std::vector<std::string_view>& regexes, std::size_t most_states) {
  CG_ASSERT(most_states <= kMostStates);
  Nodes nodes;
  std::vector<Node> all;
  for (const std::string_view regex : regexes) all.push_back(Reader(regex, nodes).all());
  Steps steps(nodes);
  const Steps::List start = steps.before(nodes.either(all), Steps::kEnd);
  table_ = States(steps, most_states).table(kStride, {start});
}

}  // namespace cg::canary
