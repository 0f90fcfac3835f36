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
//           is the list that `node` begins with where `next` follows. There is one for each pair,
//           and it is opened when its steps are first needed: so a loop finds itself, and ends.
//   states  A state is the set of lists at which all half matches stand; where a byte leads is
//           worked out when it is first asked for. One with an end of an expression in it is kMaybe
//           at once, for how a match goes on is RE2's to say; so is each new one beyond the limits.
//
// Nothing is made ahead: all states of our patterns take a fifth of a second, and a text needs few.
// What is worked out is the same in any order, but for which states are beyond the limits: a state
// counts as far from the start as it was when it was first found. That makes "maybe" of a "no",
// never the other way round.
//
// Example: `ignore (?:all|any) rules` and `ignore your rules` share all of "ignore " and part at
// the next letter. In "banana" the first byte leads to kNo. "ignore b" takes eight looks to get
// there, "ignore-any rules" ends in kMaybe, as a minus and a space are one class, and RE2 decides.
//
// It ends: nodes and steps are as many as the expressions are long, with their counts written out,
// and states at most Limits::states.
#include "model/canary/starts.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "base/base/assert.h"

namespace cg::canary {
namespace {

using Op = Nodes::Op;

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
    lists_.push_back({0, kEnd, true, {kAccept}});
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
    const std::uint64_t key = std::uint64_t{node} << 32U | next;
    const auto [place, is_new] = known_.try_emplace(key, static_cast<List>(lists_.size()));
    if (is_new) lists_.push_back({node, next, false, {}});
    return place->second;
  }

  /// The steps of a list and of those that it refers to, in order; until the next call.
  const std::vector<Step>& all(List list) {
    if (lists_[list].opened) return lists_[list].steps;
    std::vector<Step> out;
    std::vector<List> open = {list};
    seen_.resize(std::max(seen_.size(), lists_.size()), 0);
    seen_[list] = ++turn_;
    while (!open.empty()) {
      const List one = open.back();
      open.pop_back();
      if (lists_[one].opened) {
        const std::vector<Step>& steps = lists_[one].steps;
        out.insert(out.end(), steps.begin(), steps.end());
      } else {
        open_one(one, out, open);
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    lists_[list].opened = true;
    lists_[list].steps = std::move(out);
    return lists_[list].steps;
  }

 private:
  struct Links {
    Node node;
    List next;
    bool opened;  // `steps` are all there are
    std::vector<Step> steps;
  };
  /// The step of a list, to `out`, or the lists that it refers to.
  void open_one(List list, std::vector<Step>& out, std::vector<List>& open) {
    const Links links = {lists_[list].node, lists_[list].next, false, {}};
    const auto& content = nodes_[links.node];
    const auto refer = [&](List to) {
      seen_.resize(std::max(seen_.size(), lists_.size()), 0);
      if (std::exchange(seen_[to], turn_) != turn_) open.push_back(to);
    };
    if (content.op == Op::bytes) {
      out.push_back(static_cast<Step>(steps_.size()));
      steps_.push_back({content.mask, links.next});
      lists_[list].opened = true;
      lists_[list].steps = {out.back()};
    } else if (content.op == Op::either) {
      for (const Node part : content.parts) refer(before(part, links.next));
    } else {
      refer(links.next);
      refer(before(content.parts[0], list));
    }
  }

  const Nodes& nodes_;
  std::vector<Content> steps_;
  std::vector<Links> lists_;
  std::unordered_map<std::uint64_t, List> known_;
  std::vector<std::uint32_t> seen_;  // by list: in which call
  std::uint32_t turn_ = 0;
};

/// States of the deterministic automaton are sets of lists, in order.
using Lists = std::vector<Steps::List>;
struct HashLists {
  std::size_t operator()(const Lists& lists) const {
    std::size_t out = lists.size();
    for (const Steps::List list : lists) out = mixed(out, list);
    return out;
  }
};

/// One at a time. A state takes microseconds, so whoever waits does not wait for long.
class Turn {
 public:
  explicit Turn(std::atomic_flag& taken) : taken_(taken) {
    while (taken_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Turn() { taken_.clear(std::memory_order_release); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic_flag& taken_;
};

}  // namespace

struct Expressions::Automaton {
  std::atomic_flag taken;
  Nodes nodes;
  Steps steps{nodes};
  std::vector<Node> expressions;
};

Expressions::Expressions(const std::vector<std::string_view>& regexes)
    : automaton_(std::make_unique<Automaton>()) {
  Groups groups;
  for (const std::string_view regex : regexes)
    automaton_->expressions.push_back(read_regex(regex, automaton_->nodes, groups));
}
Expressions::~Expressions() = default;

struct Starts::Known {
  struct Row {
    const Lists* lists = nullptr;
    std::size_t bytes = 0;  // from the start, on the way by which it was found
  };
  Limits limits;
  std::unordered_map<Lists, State, HashLists> ids;
  std::vector<Row> rows;
};

Starts::Starts(const Expressions& all, const std::vector<std::size_t>& which, Limits limits)
    : automaton_(all.automaton_.get()),
      known_(std::make_unique<Known>()),
      table_(std::make_unique_for_overwrite<State[]>((limits.states + 1) * kStride)) {
  CG_ASSERT(limits.states > kStart && limits.states <= kMostStates);
  const Turn turn(automaton_->taken);
  std::vector<Node> nodes;
  for (const std::size_t number : which) nodes.push_back(automaton_->expressions[number]);
  const auto place = known_->ids.emplace(
      Lists{automaton_->steps.before(automaton_->nodes.either(nodes), Steps::kEnd)}, kStart);
  known_->limits = limits;
  known_->rows.resize(kStart);
  known_->rows.push_back({&place.first->first, 0});
  for (State state = 0; state <= kStart; ++state)
    std::fill_n(table_.get() + state * kStride, kStride, state == kStart ? kUnknown : state);
}
Starts::Starts(Starts&&) noexcept = default;
Starts::~Starts() = default;
std::size_t Starts::states() const { return known_->rows.size(); }

void Starts::write(std::size_t place, State state) const {
  std::atomic_ref<State>(table_[place]).store(state, std::memory_order_release);
}

Starts::State Starts::learn(State state, std::uint8_t of) const {
  const Turn turn(automaton_->taken);
  Steps& steps = automaton_->steps;
  Lists next;
  const Known::Row from = known_->rows[state];
  for (const Steps::List list : *from.lists) {
    for (const Steps::Step step : steps.all(list)) {
      if ((steps[step].mask >> of & 1U) != 0) next.push_back(steps[step].next);
    }
  }
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  const auto accepts = [&](Steps::List list) { return steps.all(list)[0] == Steps::kAccept; };
  State out = kNo;
  if (std::any_of(next.begin(), next.end(), accepts)) {
    out = kMaybe;
  } else if (!next.empty()) {
    const auto known = known_->ids.find(next);
    const bool full =
        known_->rows.size() >= known_->limits.states || from.bytes + 1 >= known_->limits.bytes;
    if (known != known_->ids.end()) {
      out = known->second;
    } else if (full) {
      out = kMaybe;
    } else {
      out = static_cast<State>(known_->rows.size());
      const auto place = known_->ids.emplace(std::move(next), out).first;
      known_->rows.push_back({&place->first, from.bytes + 1});
      std::fill_n(table_.get() + out * kStride, kStride, kUnknown);
    }
  }
  write(state * kStride + of, out);
  return out;
}

}  // namespace cg::canary
