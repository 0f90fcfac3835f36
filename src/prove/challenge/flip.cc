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
using syntax::Syntax;

constexpr std::size_t kMaxFlips = 10'000;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Who has assertions as methods: node's and chai's assert, the t of tap and ava.
constexpr std::array<std::string_view, 7> kAsserters = {
    "assert", "assert.strict", "chai.assert", "t", "tap", "test", "tt"};
/// Methods whose second argument is what is expected, and those that say the opposite.
struct Equal {
  std::string_view method;
  std::string_view opposite;
};
constexpr std::array<Equal, 9> kEquals = {{{"equal", "notEqual"},
                                           {"strictEqual", "notStrictEqual"},
                                           {"deepEqual", "notDeepEqual"},
                                           {"deepStrictEqual", "notDeepStrictEqual"},
                                           {"is", "not"},
                                           {"same", "notSame"},
                                           {"strictSame", "strictNotSame"},
                                           {"equals", ""},
                                           {"lengthOf", ""}}};
/// Methods whose argument must be true.
constexpr std::array<std::string_view, 5> kTruths = {"ok", "true", "truthy", "isTrue", "isOk"};
/// What an expectation ends with; its argument is what is expected.
constexpr std::array<std::string_view, 14> kMatchers = {
    "toBe",         "toEqual",       "toStrictEqual", "toMatch", "toContain",
    "toHaveLength", "toMatchObject", "equal",         "equals",  "eq",
    "eql",          "eqls",          "include",       "lengthOf"};

/// Finds the assertions of one file.
class Finder {
 public:
  Finder(const Syntax& syntax, std::uint64_t draw) : syntax_(syntax), draw_(draw | 1U) {}

  std::vector<Flip> find() && {
    for (Index i = 0; i < syntax_.nodes().size() && found_.size() < kMaxFlips; ++i) {
      if (syntax_.at(i).kind == Kind::call_expression) look_at(i);
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

  void look_at(Index call) {
    const Index function = syntax_.child(call, Field::function);
    const std::vector<Index> words = arguments_of(call);
    if (function == kNone || words.empty()) return;
    if (syntax_.at(function).kind == Kind::identifier) {
      if (syntax_.text_of(function) == "assert") add_opposite(words.front());
      return;
    }
    if (syntax_.at(function).kind != Kind::member_expression) return;
    const Index object = syntax_.child(function, Field::object);
    const Index property = syntax_.child(function, Field::property);
    if (object == kNone || property == kNone) return;
    if (is_expectation(object)) {
      if (is_one_of(syntax_.text_of(property), kMatchers)) add_expectation(words.front(), property);
    } else if (is_asserter(object)) {
      add_assertion(property, words);
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

  /// `expect(x)`, `expect(x).to.be`, `expect(x).resolves`: not one that is the opposite already.
  [[nodiscard]] bool is_expectation(Index object) const {
    for (Index i = object; i != kNone;) {
      const Kind kind = syntax_.at(i).kind;
      if (kind == Kind::member_expression) {
        const Index property = syntax_.child(i, Field::property);
        if (property != kNone && syntax_.text_of(property) == "not") return false;
        i = syntax_.child(i, Field::object);
      } else if (kind == Kind::call_expression) {
        const Index function = syntax_.child(i, Field::function);
        if (function != kNone && syntax_.text_of(function) == "expect") return true;
        i = function;
      } else {
        return false;
      }
    }
    return false;
  }

  /// `assert`, `t`, and `assert.strict`, `chai.assert`.
  [[nodiscard]] bool is_asserter(Index object) const {
    return is_one_of(syntax_.text_of(object), kAsserters);
  }

  void add_assertion(Index property, const std::vector<Index>& words) {
    const std::string_view method = syntax_.text_of(property);
    if (is_one_of(method, kTruths)) return add_opposite(words.front());
    const auto* equal = std::find_if(kEquals.begin(), kEquals.end(),
                                     [&](const Equal& e) { return e.method == method; });
    if (equal == kEquals.end() || words.size() < 2) return;
    const syntax::Node& node = syntax_.at(property);
    if (const auto other = other_value(words[1])) {
      found_.push_back(*other);
    } else if (!equal->opposite.empty()) {
      found_.push_back({node.begin, node.end, std::string(equal->opposite)});
    }
  }

  void add_opposite(Index word) {
    const syntax::Node& node = syntax_.at(word);
    found_.push_back({node.begin, node.end, "!(" + std::string(syntax_.text_of(word)) + ")"});
  }

  /// Another value where it is a plain one, or the opposite.
  void add_expectation(Index word, Index property) {
    const auto other = other_value(word);
    const std::size_t at = syntax_.at(property).begin;
    if (other && roll(3) != 0) {
      found_.push_back(*other);
    } else {
      found_.push_back({at, at, "not."});
    }
  }

  /// Of a plain value, or of the first plain one in an object or a list.
  std::optional<Flip> other_value(Index word) {
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

  std::optional<Flip> other_plain(Index word) {
    const syntax::Node& node = syntax_.at(word);
    const std::string text(syntax_.text_of(word));
    if (node.kind == Kind::number) return other_number(node, text);
    if (node.kind == Kind::string && text.size() >= 2) {
      const std::size_t at = node.begin + 1;
      return Flip{at, at, std::string(1, static_cast<char>('a' + roll(26)))};
    }
    if (text == "true") return Flip{node.begin, node.end, "false"};
    if (text == "false") return Flip{node.begin, node.end, "true"};
    if (text == "null" || text == "undefined") {
      return Flip{node.begin, node.end, std::to_string(1 + roll(9))};
    }
    return std::nullopt;
  }

  /// One more digit in front, so that it stays a number of its kind: 3 -> 73. After a zero or a
  /// sign of another base the last digit would not do either.
  std::optional<Flip> other_number(const syntax::Node& node, const std::string& text) {
    if (text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    if (text.size() > 1 && text.front() == '0') return std::nullopt;
    const std::string digit(1, static_cast<char>('1' + roll(9)));
    if (text == "0") return Flip{node.begin, node.end, digit};
    return Flip{node.begin, node.begin, digit};
  }

  const Syntax& syntax_;
  std::uint64_t draw_;
  std::vector<Flip> found_;
};

}  // namespace

std::vector<Flip> flips_of(std::string_view text, syntax::Language language, std::uint64_t draw) {
  const auto syntax = Syntax::parse(text, language);
  if (!syntax || syntax->broken()) return {};
  return Finder(*syntax, draw).find();
}

std::string applied(std::string_view text, const Flip& flip) {
  return std::string(text.substr(0, flip.begin)) + flip.with + std::string(text.substr(flip.end));
}

}  // namespace cg::challenge
