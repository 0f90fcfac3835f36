#include "prove/challenge/flip.h"

#include <algorithm>
#include <array>
#include <optional>

#include "npm/syntax/syntax.h"

namespace cg::challenge {

namespace {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Language;
using syntax::Syntax;

constexpr std::size_t kMaxFlips = 10'000;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Who has assertions as methods: node's and chai's assert, the t of tap and ava.
constexpr std::array<std::string_view, 7> kAsserters = {
    "assert", "assert.strict", "chai.assert", "t", "tap", "test", "tt"};
/// Whose function is one test. Before what follows a dot: test.only, t.test.
constexpr std::array<std::string_view, 10> kTests = {"it", "test", "specify", "t",     "tap",
                                                     "tt", "fit",  "ftest",   "bench", "tape"};

/// What a method expects, and what turns it into the contrary.
enum class Way {
  equal,     // of two arguments: the second is another, or the method is
  other,     // the method is another
  truth,     // the first argument is its opposite
  throws,    // the first argument does not throw
  peaceful,  // the first argument throws
  rejects,   // the first argument is kept
  resolves,  // the first argument is broken
  matches,   // the first argument is another text
};
struct Method {
  std::string_view name;
  Way way;
  std::string_view contrary = {};
};
constexpr std::array<Method, 48> kMethods = {{
    {"equal", Way::equal, "notEqual"},
    {"strictEqual", Way::equal, "notStrictEqual"},
    {"deepEqual", Way::equal, "notDeepEqual"},
    {"deepStrictEqual", Way::equal, "notDeepStrictEqual"},
    {"is", Way::equal, "not"},
    {"same", Way::equal, "notSame"},
    {"strictSame", Way::equal, "strictNotSame"},
    {"equals", Way::equal},
    {"lengthOf", Way::equal},
    {"like", Way::equal},
    {"has", Way::equal},
    {"typeOf", Way::equal, "notTypeOf"},
    {"notEqual", Way::other, "equal"},
    {"notStrictEqual", Way::other, "strictEqual"},
    {"notDeepEqual", Way::other, "deepEqual"},
    {"notDeepStrictEqual", Way::other, "deepStrictEqual"},
    {"not", Way::other, "is"},
    {"notSame", Way::other, "same"},
    {"include", Way::other, "notInclude"},
    {"property", Way::other, "notProperty"},
    {"instanceOf", Way::other, "notInstanceOf"},
    {"isNull", Way::other, "isNotNull"},
    {"isUndefined", Way::other, "isDefined"},
    {"isDefined", Way::other, "isUndefined"},
    {"isArray", Way::other, "isNotArray"},
    {"isObject", Way::other, "isNotObject"},
    {"isString", Way::other, "isNotString"},
    {"isFunction", Way::other, "isNotFunction"},
    {"ok", Way::truth},
    {"true", Way::truth},
    {"truthy", Way::truth},
    {"isTrue", Way::truth},
    {"isOk", Way::truth},
    {"assert", Way::truth},
    {"notOk", Way::truth},
    {"false", Way::truth},
    {"falsy", Way::truth},
    {"isFalse", Way::truth},
    {"isNotOk", Way::truth},
    {"throws", Way::throws},
    {"doesNotThrow", Way::peaceful},
    {"notThrows", Way::peaceful},
    {"rejects", Way::rejects},
    {"throwsAsync", Way::rejects},
    {"doesNotReject", Way::resolves},
    {"notThrowsAsync", Way::resolves},
    {"match", Way::matches},
    {"regex", Way::matches},
}};
/// Methods that people take out of their module and call by their name.
constexpr std::array<std::string_view, 9> kBare = {"assert",    "equal",           "strictEqual",
                                                   "deepEqual", "deepStrictEqual", "ok",
                                                   "throws",    "rejects",         "match"};

/// What an expectation ends with; `not` goes before it.
constexpr std::array<std::string_view, 22> kMatchers = {
    "equal",    "equals", "eq",       "eql",   "eqls",   "include",   "includes", "contain",
    "lengthOf", "length", "property", "throw", "throws", "match",     "within",   "above",
    "below",    "keys",   "members",  "a",     "an",     "instanceof"};
/// The same without being called.
constexpr std::array<std::string_view, 9> kStates = {"true",  "false", "null", "undefined", "ok",
                                                     "empty", "exist", "NaN",  "arguments"};

bool is_matcher(std::string_view word) {
  if (is_one_of(word, kMatchers)) return true;
  return word.size() > 2 && word.starts_with("to") && word[2] >= 'A' && word[2] <= 'Z';
}

bool is_function(Kind kind) {
  return kind == Kind::arrow_function || kind == Kind::function_expression;
}

/// Finds the assertions of one file.
class Finder {
 public:
  Finder(const Syntax& syntax, Language language, std::uint64_t draw)
      : syntax_(syntax), language_(language), draw_(draw | 1U) {}

  std::vector<Flip> find() && {
    for (Index i = 0; i < syntax_.nodes().size() && found_.size() < kMaxFlips; ++i) {
      const Kind kind = syntax_.at(i).kind;
      at_ = i;
      if (kind == Kind::call_expression) look_at_call(i);
      if (kind == Kind::expression_statement) look_at_statement(i);
    }
    std::sort(found_.begin(), found_.end(),
              [](const Flip& a, const Flip& b) { return a.begin < b.begin; });
    return std::move(found_);
  }

 private:
  /// Chance enough for a choice among a few.
  std::uint64_t roll(std::uint64_t below) {
    draw_ ^= draw_ << 13U;
    draw_ ^= draw_ >> 7U;
    draw_ ^= draw_ << 17U;
    return draw_ % below;
  }

  void add(std::size_t begin, std::size_t end, std::string with, std::string_view kind) {
    found_.push_back({begin, end, std::move(with), std::string(kind), test_of(at_)});
  }
  void add_at(Index node, std::string with, std::string_view kind) {
    add(syntax_.at(node).begin, syntax_.at(node).end, std::move(with), kind);
  }

  /// Where the function begins that is given to it(), test() or one of their like.
  [[nodiscard]] std::size_t test_of(Index node) const {
    for (Index i = syntax_.at(node).parent; i != kNone; i = syntax_.at(i).parent) {
      if (!is_function(syntax_.at(i).kind) || syntax_.parent_kind(i) != Kind::arguments) continue;
      const Index call = syntax_.at(syntax_.at(i).parent).parent;
      const Index callee = call == kNone ? kNone : syntax_.child(call, Field::function);
      if (callee == kNone) continue;
      const std::string_view name = syntax_.text_of(callee);
      if (is_one_of(name.substr(0, name.find_first_of(".(")), kTests)) return syntax_.at(i).begin;
    }
    return Flip::kLoose;
  }

  void look_at_call(Index call) {
    const Index function = syntax_.child(call, Field::function);
    const std::vector<Index> words = arguments_of(call);
    if (function == kNone) return;
    if (syntax_.at(function).kind == Kind::identifier) {
      const std::string_view name = syntax_.text_of(function);
      if (is_one_of(name, kBare)) add_method(name, kNone, words);
      return;
    }
    if (syntax_.at(function).kind != Kind::member_expression) return;
    const Index object = syntax_.child(function, Field::object);
    const Index property = syntax_.child(function, Field::property);
    if (object == kNone || property == kNone) return;
    const std::string_view name = syntax_.text_of(property);
    if (const auto chain = expectation(object)) {
      if (is_matcher(name)) add_expectation(*chain, property, words);
    } else if (is_one_of(syntax_.text_of(object), kAsserters)) {
      add_method(name, property, words);
    }
  }

  /// `expect(x).to.be.true`
  void look_at_statement(Index statement) {
    const Index member = syntax_.first_child(statement);
    if (member == kNone || syntax_.at(member).kind != Kind::member_expression) return;
    const Index object = syntax_.child(member, Field::object);
    const Index property = syntax_.child(member, Field::property);
    if (object == kNone || property == kNone) return;
    const auto chain = expectation(object);
    if (chain && is_one_of(syntax_.text_of(property), kStates)) {
      add_expectation(*chain, property, {});
    }
  }

  [[nodiscard]] std::vector<Index> arguments_of(Index call) const {
    std::vector<Index> out;
    const Index list = syntax_.child(call, Field::arguments);
    if (list == kNone || syntax_.at(list).kind != Kind::arguments) return out;
    for (Index i = syntax_.first_child(list); i != kNone; i = syntax_.next_sibling(i)) {
      const Kind kind = syntax_.at(i).kind;
      if (kind == Kind::spread_element) return {};
      if (kind != Kind::comment) out.push_back(i);
    }
    return out;
  }

  /// `expect(x)`, `expect(x).to.be`, `x.should.be`: and the `not` in it, if there is one.
  struct Chain {
    Index negation = kNone;  // the property
  };
  [[nodiscard]] std::optional<Chain> expectation(Index object) const {
    Chain out;
    for (Index i = object; i != kNone;) {
      const Kind kind = syntax_.at(i).kind;
      if (kind == Kind::member_expression) {
        const Index property = syntax_.child(i, Field::property);
        if (property == kNone) return std::nullopt;
        const std::string_view word = syntax_.text_of(property);
        if (word == "not") out.negation = property;
        if (word == "should") return out;
        i = syntax_.child(i, Field::object);
      } else if (kind == Kind::call_expression) {
        const Index function = syntax_.child(i, Field::function);
        if (function == kNone) return std::nullopt;
        const std::string_view word = syntax_.text_of(function);
        if (word == "expect" || word == "expect.soft" || word == "chai.expect") return out;
        i = function;
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  void add_method(std::string_view name, Index property, const std::vector<Index>& words) {
    const auto* method = std::find_if(kMethods.begin(), kMethods.end(),
                                      [&](const Method& m) { return m.name == name; });
    if (method == kMethods.end() || words.empty()) return;
    switch (method->way) {
      case Way::equal:
        if (words.size() > 1) add_unequal(*method, property, words[1]);
        return;
      case Way::other:
        if (property != kNone) add_at(property, std::string(method->contrary), name);
        return;
      case Way::truth:
        return add_at(words[0], "!(" + std::string(syntax_.text_of(words[0])) + ")", name);
      case Way::throws:
        return add_at(words[0], "() => {}", name);
      case Way::peaceful:
        return add_at(words[0], "() => { throw new Error('" + word() + "'); }", name);
      case Way::rejects:
        return add_at(words[0], "async () => {}", name);
      case Way::resolves:
        return add_at(words[0], "async () => { throw new Error('" + word() + "'); }", name);
      case Way::matches:
        return add_at(words[0], "'" + word() + "'", name);
    }
  }

  void add_unequal(const Method& method, Index property, Index expected) {
    if (const auto other = other_value(expected)) {
      add(other->begin, other->end, other->with, method.name);
    } else if (property != kNone && !method.contrary.empty()) {
      add_at(property, std::string(method.contrary), method.name);
    } else if (language_ == Language::javascript) {
      // A compiler of types would see that this is not what is compared.
      add_at(expected, "{ " + word() + ": " + std::string(syntax_.text_of(expected)) + " }",
             method.name);
    }
  }

  /// Another value where it is a plain one, or the opposite; of an opposite, what it is opposed to.
  void add_expectation(const Chain& chain, Index property, const std::vector<Index>& words) {
    const std::string kind(syntax_.text_of(property));
    if (chain.negation != kNone) {
      const Index after = syntax_.at(syntax_.at(chain.negation).parent).parent;
      const Index next = after == kNone ? kNone : syntax_.child(after, Field::property);
      if (next != kNone) {
        add(syntax_.at(chain.negation).begin, syntax_.at(next).begin, "", "not." + kind);
      }
      return;
    }
    const std::size_t at = syntax_.at(property).begin;
    const auto other = words.empty() ? std::nullopt : other_value(words.front());
    if (other && roll(3) != 0) {
      add(other->begin, other->end, other->with, kind);
    } else {
      add(at, at, "not.", kind);
    }
  }

  struct Replaced {
    std::size_t begin;
    std::size_t end;
    std::string with;
  };

  /// Of a plain value, or of the first plain one in an object or a list.
  std::optional<Replaced> other_value(Index word) {
    const Kind kind = syntax_.at(word).kind;
    if (kind != Kind::object && kind != Kind::array) return other_plain(word);
    for (Index i = word + 1; i < syntax_.at(word).after; ++i) {
      const bool is_value =
          syntax_.at(i).field == Field::value || syntax_.parent_kind(i) == Kind::array;
      if (!is_value) continue;
      if (auto other = other_plain(i)) return other;
    }
    return std::nullopt;
  }

  std::optional<Replaced> other_plain(Index index) {
    const syntax::Node& node = syntax_.at(index);
    const std::string text(syntax_.text_of(index));
    if (node.kind == Kind::number) return other_number(node, text);
    if (node.kind == Kind::string && text.size() >= 2) {
      const std::size_t at = node.begin + 1;
      return Replaced{at, at, std::string(1, static_cast<char>('a' + roll(26)))};
    }
    if (text == "true") return Replaced{node.begin, node.end, "false"};
    if (text == "false") return Replaced{node.begin, node.end, "true"};
    if (text == "null" || text == "undefined") {
      return Replaced{node.begin, node.end, std::to_string(1 + roll(9))};
    }
    return std::nullopt;
  }

  /// One more digit in front, so that it stays a number of its kind: 3 -> 73. After a zero or a
  /// sign of another base the last digit would not do either.
  std::optional<Replaced> other_number(const syntax::Node& node, const std::string& text) {
    if (text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    if (text.size() > 1 && text.front() == '0') return std::nullopt;
    const std::string digit(1, static_cast<char>('1' + roll(9)));
    if (text == "0") return Replaced{node.begin, node.end, digit};
    return Replaced{node.begin, node.begin, digit};
  }

  std::string word() {
    std::string out;
    for (int i = 0; i < 7; ++i) out += static_cast<char>('a' + roll(26));
    return out;
  }

  const Syntax& syntax_;
  Language language_;
  std::uint64_t draw_;
  Index at_ = 0;  // the node that is looked at
  std::vector<Flip> found_;
};

}  // namespace

std::vector<Flip> flips_of(std::string_view text, Language language, std::uint64_t draw) {
  const auto syntax = Syntax::parse(text, language);
  if (!syntax || syntax->broken()) return {};
  return Finder(*syntax, language, draw).find();
}

std::string applied(std::string_view text, std::vector<Flip> flips) {
  std::sort(flips.begin(), flips.end(),
            [](const Flip& a, const Flip& b) { return a.begin > b.begin; });
  std::string out(text);
  std::size_t free = text.size() + 1;  // what begins behind is written already
  for (const Flip& flip : flips) {
    if (flip.end > free || flip.begin == free) continue;
    out.replace(flip.begin, flip.end - flip.begin, flip.with);
    free = flip.begin;
  }
  return out;
}

}  // namespace cg::challenge
