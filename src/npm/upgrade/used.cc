#include "npm/upgrade/used.h"

namespace cg::upgrade {

using syntax::Index;
using syntax::Kind;
using syntax::Syntax;

namespace {

constexpr std::size_t kMaxMember = 64;  // bytes

/// `a.b`, `a['b']` is not looked at; `f({ b: 1, c })`, however deep.
bool is_member(const Syntax& syntax, Index node) {
  switch (syntax.at(node).kind) {
    case Kind::property_identifier:
      return true;
    case Kind::shorthand_property_identifier:
      return syntax.parent_kind(node) == Kind::object;
    default:
      return false;
  }
}

}  // namespace

void Used::add(const Used& more) {
  paths.insert(more.paths.begin(), more.paths.end());
  names.insert(more.names.begin(), more.names.end());
  members.insert(more.members.begin(), more.members.end());
}

Used used_in(const Syntax& syntax, std::string_view package) {
  Used out;
  for (const exports::Ask& ask : exports::asks_in(syntax, package)) {
    out.paths.insert({ask.path, ask.way});
    for (const exports::Wanted& wanted : ask.wanted) out.names.insert(wanted.name);
  }
  if (out.paths.empty()) return out;
  for (Index i = 1; i < syntax.nodes().size(); ++i) {
    const std::string_view text = syntax.text_of(i);
    if (is_member(syntax, i) && text.size() <= kMaxMember) out.members.emplace(text);
  }
  return out;
}

}  // namespace cg::upgrade
