#include "npm/upgrade/used.h"

#include <algorithm>

namespace cg::upgrade {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
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

/// What is handed to require() or import(), or stands behind `from`.
bool is_source(const Syntax& syntax, Index string) {
  const Kind above = syntax.parent_kind(string);
  if (above == Kind::import_statement || above == Kind::export_statement) return true;
  if (above != Kind::arguments) return false;
  const Index call = syntax.at(syntax.at(string).parent).parent;
  const Index callee = call == kNone ? kNone : syntax.child(call, Field::function);
  if (callee == kNone) return false;
  return syntax.text_of(callee) == "require" || syntax.at(callee).kind == Kind::import;
}

/// No sentence, no path of ours.
bool may_be_name(std::string_view text) {
  if (text.size() < 2 || text.size() > kMaxMember || text.starts_with('.')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' || c == ':' ||
           c == '/';
  });
}

/// "lib/languages" of `p/lib/languages/${name}` and of "p/lib/languages/" + name.
std::string folder_in(const Syntax& syntax, Index string, std::string_view package) {
  std::string_view text = syntax.text_of(string);
  const bool template_string = syntax.at(string).kind == Kind::template_string;
  if (!template_string && syntax.parent_kind(string) != Kind::binary_expression) return {};
  text.remove_prefix(1);
  text = text.substr(0, template_string ? text.find("${") : text.size() - 1);
  if (!text.starts_with(package) || text.substr(package.size(), 1) != "/") return {};
  text.remove_prefix(package.size() + 1);
  const std::size_t slash = text.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(text.substr(0, slash));
}

void add_text(const Syntax& syntax, Index string, std::string_view package, Used& out) {
  if (std::string folder = folder_in(syntax, string, package); !folder.empty()) {
    out.folders.insert(std::move(folder));
  }
  if (syntax.at(string).kind != Kind::string || is_source(syntax, string)) return;
  const auto text = syntax.constant(string);
  if (text && may_be_name(*text)) out.texts.insert(*text);
}

}  // namespace

void Used::add(const Used& more) {
  for (const auto& [path, names] : more.paths) paths[path].insert(names.begin(), names.end());
  members.insert(more.members.begin(), more.members.end());
  texts.insert(more.texts.begin(), more.texts.end());
  folders.insert(more.folders.begin(), more.folders.end());
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
  const auto is_string = [&](Index i) {
    return syntax.at(i).kind == Kind::string || syntax.at(i).kind == Kind::template_string;
  };
  for (Index i = 1; i < syntax.nodes().size(); ++i) {
    if (is_string(i)) add_text(syntax, i, package, out);
  }
  if (out.paths.empty() && out.folders.empty()) return {};
  for (Index i = 1; i < syntax.nodes().size(); ++i) {
    const std::string_view text = syntax.text_of(i);
    if (is_member(syntax, i) && text.size() <= kMaxMember) out.members.emplace(text);
  }
  return out;
}

}  // namespace cg::upgrade
