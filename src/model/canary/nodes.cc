#include "model/canary/nodes.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/base/assert.h"

namespace cg::canary {
namespace {

constexpr std::size_t kMany = 1000;  // of a repetition without an end
constexpr std::size_t kFew = 2;      // of choices in a repetition that are told apart

class Reader {
 public:
  Reader(std::string_view regex, Nodes& nodes, Groups& groups)
      : rest_(regex), nodes_(nodes), groups_(groups) {}

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
    if (rest_.starts_with("(?:")) return group();
    if (skip("\\b")) return nodes_.sequence({});
    if (skip("[")) return nodes_.bytes(char_class());
    if (skip(".")) return nodes_.bytes((Mask{1} << kClasses) - 1);
    return nodes_.bytes(Mask{1} << class_of(literal()));
  }

  Node group() {
    const std::string_view text = rest_.substr(0, group_size());
    if (const auto known = groups_.find(text); known != groups_.end()) {
      rest_.remove_prefix(text.size());
      return known->second;
    }
    CG_ASSERT(skip("(?:"));
    const Node out = alternatives();
    CG_ASSERT(skip(")"));
    groups_.emplace(text, out);
    return out;
  }
  [[nodiscard]] std::size_t group_size() const {
    std::size_t depth = 0;
    bool in_class = false;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (c == '\\') {
        ++i;
      } else if (in_class) {
        in_class = c != ']';
      } else if (c == '[') {
        in_class = true;
      } else if (c == '(') {
        ++depth;
      } else if (c == ')' && --depth == 0) {
        return i + 1;
      }
    }
    return rest_.size();
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
  Groups& groups_;
};

}  // namespace

Node Nodes::sequence(const std::vector<Node>& parts) {
  Content out{Op::sequence, 0, {}};
  for (const Node& part : parts) {
    const Tail inner = parts_of(part);
    out.parts.insert(out.parts.end(), inner.begin(), inner.end());
  }
  return out.parts.size() == 1 ? out.parts[0] : made(std::move(out));
}

Node Nodes::either(const std::vector<Node>& parts) {
  std::vector<Tail> tails;
  for (const Node& part : parts) tails.push_back(parts_of(part));
  return shared(tails);
}

Nodes::Tail Nodes::parts_of(const Node& node) const {
  const Content& content = *content_[node];
  return content.op == Op::sequence ? Tail(content.parts) : Tail(&node, 1);
}

Node Nodes::shared(std::vector<Tail>& tails) {
  std::stable_sort(tails.begin(), tails.end(), [](Tail a, Tail b) {
    return !a.empty() && (b.empty() || a.front() < b.front());
  });
  Content out{Op::either, 0, {}};
  for (auto from = tails.begin(); from != tails.end();) {
    const bool empty = from->empty();
    const auto to = std::find_if(from, tails.end(), [&](Tail tail) {
      return tail.empty() != empty || (!empty && tail.front() != from->front());
    });
    if (empty) {
      out.parts.push_back(sequence({}));
    } else if (to - from == 1) {
      out.parts.push_back(from->size() == 1
                              ? from->front()
                              : made({Op::sequence, 0, {from->begin(), from->end()}}));
    } else {
      std::vector<Tail> rests;
      for (auto tail = from; tail != to; ++tail) rests.push_back(tail->subspan(1));
      out.parts.push_back(sequence({from->front(), shared(rests)}));
    }
    from = to;
  }
  return out.parts.size() == 1 ? out.parts[0] : made(std::move(out));
}

Node Nodes::made(Content content) {
  const auto [place, is_new] =
      ids_.try_emplace(std::move(content), static_cast<Node>(content_.size()));
  if (is_new) content_.push_back(&place->first);
  return place->second;
}

Node read_regex(std::string_view regex, Nodes& nodes, Groups& groups) {
  return Reader(regex, nodes, groups).all();
}

}  // namespace cg::canary
