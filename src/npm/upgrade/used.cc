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
  for (const auto& [path, names] : more.paths) paths[path].insert(names.begin(), names.end());
  members.insert(more.members.begin(), more.members.end());
}

Used::Names Used::names(std::string_view path) const {
  Names out;
  for (const auto& [each, names] : paths) {
    if (each.path == path) out.insert(names.begin(), names.end());
  }
  return out;
}

Used used_in(const Syntax& syntax, std::string_view package) {
  Used out;
  for (const exports::Ask& ask : exports::asks_in(syntax, package)) {
    Used::Names& names = out.paths[{ask.path, ask.way}];
    for (const exports::Wanted& wanted : ask.wanted) names.insert(wanted.name);
  }
  if (out.paths.empty()) return out;
  for (Index i = 1; i < syntax.nodes().size(); ++i) {
    const std::string_view text = syntax.text_of(i);
    if (is_member(syntax, i) && text.size() <= kMaxMember) out.members.emplace(text);
  }
  return out;
}

}  // namespace cg::upgrade
