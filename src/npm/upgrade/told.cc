#include "npm/upgrade/told.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"
#include "npm/syntax/scopes.h"
#include "npm/upgrade/head.h"

namespace cg::upgrade {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

constexpr std::size_t kMaxTelling = 320;  // bytes of one text
constexpr std::size_t kMaxBody = 20'000;  // nodes of a function that are looked at
constexpr std::size_t kMaxBodyBytes = 200'000;
constexpr std::size_t kMaxTexts = 200;  // of one file

/// The first statement of a body, if it is a `throw`.
Index first_throw(const Source& source, Index function) {
  const Syntax& syntax = source.syntax();
  const Index body = syntax.child(function, Field::body);
  for (Index c = body == kNone ? kNone : syntax.first_child(body); c != kNone;
       c = syntax.next_sibling(c)) {
    if (syntax.at(c).kind == Kind::throw_statement) return c;
    if (syntax.at(c).kind != Kind::comment) return kNone;
  }
  return kNone;
}

/// The function that a function does nothing but return.
Index only_returned(const Source& source, Index function) {
  const Syntax& syntax = source.syntax();
  const Index body = syntax.child(function, Field::body);
  if (body == kNone) return kNone;
  Index value = body;
  if (syntax.at(body).kind == Kind::statement_block) {
    const Index first = syntax.first_child(body);
    if (first == kNone || syntax.at(first).kind != Kind::return_statement) return kNone;
    value = syntax.first_child(first);
  }
  return value != kNone && is_callable(syntax.at(value).kind) ? value : kNone;
}

std::string thrown_in(const Place& at) {
  const Place place = unwrapped(at);
  if (!is_callable(kind_at(place))) return {};
  const Index found = first_throw(*place.source, place.node);
  return found == kNone ? "" : folded(*place.source, found, kMaxTelling);
}

bool says_deprecated(std::string_view callee) {
  return callee.find("eprecat") != std::string_view::npos;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Words that people use when they tell others what to write from now on.
bool may_warn(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kWords = {
      "eprecated", "no longer",     "renamed",       "removed in",  "been removed", "is removed",
      "instead",   "not supported", "NOT SUPPORTED", "was removed", "have to use",  "must now"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return false;
    const std::size_t end = at + word.size();
    return end >= text.size() || !is_word(text[end]);
  });
}

/// An argument of `new SomeError(…)`.
bool is_of_error(const Syntax& syntax, Index text) {
  if (syntax.parent_kind(text) != Kind::arguments) return false;
  const Index made = syntax.at(syntax.at(text).parent).parent;
  Index builder = made == kNone ? kNone : syntax.child(made, Field::builder);
  if (builder == kNone && made != kNone) builder = syntax.child(made, Field::function);
  return builder != kNone && syntax.text_of(builder).ends_with("Error");
}

/// An argument of `console.warn(…)`.
bool is_printed(const Source& source, Index text) {
  const Syntax& syntax = source.syntax();
  if (syntax.parent_kind(text) != Kind::arguments) return false;
  return source.locals().callee(syntax.at(syntax.at(text).parent).parent).starts_with("console.");
}

}  // namespace

std::string thrown_by(Finder& finder, const Place& at) {
  if (at.node == 0 || at.node == kNone) return {};
  const Place place = unwrapped(at);
  if (std::string own = thrown_in(place); !own.empty()) return own;
  if (kind_at(place) != Kind::call_expression) return {};
  const Syntax& syntax = place.source->syntax();
  const Index callee = syntax.child(place.node, Field::function);
  if (callee == kNone || syntax.at(callee).kind != Kind::identifier) return {};
  for (const Place& maker : finder.local(*place.source, std::string(syntax.text_of(callee)))) {
    if (maker.node == 0 || !is_callable(kind_at(maker))) continue;
    const Index made = only_returned(*maker.source, maker.node);
    if (made == kNone) continue;
    const std::string thrown = thrown_in({maker.source, made});
    if (thrown.empty()) continue;
    const std::string head = head_of({maker.source, maker.node}, syntax.text_of(callee));
    return folded(*place.source, place.node, 100) + ", where " + head + ": " + thrown;
  }
  return {};
}

std::vector<std::string> warned_by(const Place& place) {
  std::vector<std::string> out;
  if (place.node == 0 || place.node == kNone) return out;
  const Source& source = *place.source;
  const Syntax& syntax = source.syntax();
  if (!says_deprecated(syntax.text_of(place.node).substr(0, kMaxBodyBytes))) return out;
  const std::size_t last =
      std::min<std::size_t>(syntax.at(place.node).after, place.node + kMaxBody);
  for (Index i = place.node; i < last; ++i) {
    if (syntax.at(i).kind != Kind::call_expression) continue;
    if (!says_deprecated(source.locals().callee(i))) continue;
    const Index list = syntax.child(i, Field::arguments);
    for (Index c = list == kNone ? kNone : syntax.first_child(list); c != kNone;
         c = syntax.next_sibling(c)) {
      const auto text = syntax.constant(c);
      if (!text || text->find(' ') == std::string::npos) continue;
      out.push_back(one_line(*text, kMaxTelling));
      break;
    }
  }
  return out;
}

std::vector<Told> told_in(const Source& source) {
  std::vector<Told> out;
  const Syntax& syntax = source.syntax();
  for (Index i = 1; i < syntax.nodes().size() && out.size() < kMaxTexts; ++i) {
    const Kind kind = syntax.at(i).kind;
    if (kind != Kind::string && kind != Kind::template_string) continue;
    // The whole sum of texts, and what it is called.
    Index node = i;
    while (syntax.parent_kind(node) == Kind::binary_expression) node = syntax.at(node).parent;
    const bool advice = may_warn(syntax.text_of(i)) || is_printed(source, node);
    if (!advice && !is_of_error(syntax, node)) continue;
    std::string line;
    if (advice && syntax.parent_kind(node) == Kind::pair) {
      line = source.locals().word(syntax.child(syntax.at(node).parent, Field::key)) + ": ";
    }
    const auto constant = syntax.constant(node);
    line += constant ? *constant : folded(source, node, kMaxTelling);
    line = one_line(line, kMaxTelling);
    constexpr std::size_t kAtLeast = 16;  // bytes; less says nothing
    if (line.size() < kAtLeast) continue;
    const auto same =
        std::find_if(out.begin(), out.end(), [&](const Told& each) { return each.text == line; });
    if (same == out.end() && !line.empty()) out.push_back({std::move(line), advice});
    i = std::max(i, syntax.at(node).after - 1);
  }
  return out;
}

}  // namespace cg::upgrade
