#include "npm/upgrade/finder.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::upgrade {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

constexpr int kMaxFinding = 24;              // one within the other
constexpr std::size_t kMaxSteps = 4096;      // of one question
constexpr std::size_t kMaxWork = 8'000'000;  // nodes that are passed, of all questions
constexpr std::size_t kMaxModuleNames = 20'000;

void append(Places& out, Places more) {
  for (const Place& each : more) {
    if (std::find(out.begin(), out.end(), each) == out.end()) out.push_back(each);
  }
}

}  // namespace

Kind kind_at(const Place& place) {
  return place.node == kNone ? Kind::other : place.source->syntax().at(place.node).kind;
}

Place unwrapped(const Place& place) {
  if (kind_at(place) != Kind::variable_declarator) return place;
  const Index value = bare(*place.source, place.source->syntax().child(place.node, Field::value));
  return value == kNone ? place : Place{place.source, value};
}

bool Finder::step(int depth) {
  return depth <= kMaxFinding && ++steps_ <= kMaxSteps && work_ <= kMaxWork;
}

Finder::Names Finder::names(const Source& source) {
  Names out;
  std::set<const Source*> seen;
  add_names(source, out, seen);
  return out;
}

/// Not by recursion: each file once, however they hand on to each other.
void Finder::add_names(const Source& first, Names& out, std::set<const Source*>& seen) {
  std::vector<const Source*> open = {&first};
  while (!open.empty() && out.names.size() < kMaxModuleNames) {
    const Source& source = *open.back();
    open.pop_back();
    if (!seen.insert(&source).second) continue;
    const exports::FileNames& own = source.exported();
    const bool hands_on = stands_for(source) != nullptr;
    if (!own.module.complete && !source.typed() && !hands_on) out.complete = false;
    const bool is_first = &source == &first;
    for (const auto& [name, what] : own.module.names) {
      if (is_first || name != "default") out.names.insert(name);
    }
    for (const exports::Forward& forward : own.forwards) {
      if (is_first || forward.name != "default") out.names.insert(forward.name);
    }
    if (const Source* other = stands_for(source)) open.push_back(other);
    for (const std::string& star : own.stars) {
      const Source* from = sources_.from(source, star);
      if (from == nullptr) out.complete = false;
      if (from != nullptr) open.push_back(from);
    }
    if (!source.typed()) continue;
    // `export = a`: what the namespace a declares.
    for (const Place& place : exported(source, "default")) {
      if (kind_at(place) != Kind::internal_module && kind_at(place) != Kind::module) continue;
      for (const auto& [name, nodes] : place.source->inside(place.node)) out.names.emplace(name);
    }
  }
  if (!open.empty()) out.complete = false;
  out.names.erase("");
}

Places Finder::exported(const Source& source, const std::string& name) {
  steps_ = 0;
  outside_.clear();
  return find_exported(source, name, 0);
}
Places Finder::local(const Source& source, const std::string& name) {
  steps_ = 0;
  return find_local(source, name, 0);
}
Places Finder::value(const Place& expression) {
  steps_ = 0;
  return find_value(expression, 0);
}

Places Finder::find_exported(const Source& source, const std::string& name, int depth) {
  Places out;
  if (!step(depth)) return out;
  for (const Index node : source.places(name)) {
    // exports.a = void 0, before it is given what it is.
    const Index given = bare(source, node);
    if (given == kNone || source.syntax().at(given).kind == Kind::unary_expression) continue;
    append(out, find_value({&source, node}, depth + 1));
  }
  if (const exports::Forward* forward = source.forward(name); forward != nullptr && out.empty()) {
    const Source* from = sources_.from(source, forward->from);
    if (from == nullptr && !forward->from.starts_with('.')) outside_ = forward->from;
    if (from == nullptr) return out;
    if (forward->original == "*") return whole(source, forward->from);
    return find_exported(*from, forward->original, depth + 1);
  }
  if (!out.empty()) return out;
  if (name == "default") {
    if (source.typed() || source.exported().module.style == exports::Style::esm) return out;
    return {{&source, 0}};
  }
  if (source.typed() && !source.places("default").empty()) {
    for (const Place& place : find_exported(source, "default", depth + 1)) {
      append(out, member_of(place, name, depth + 1));
    }
  }
  const Source* other = stands_for(source);
  if (other != nullptr) out = find_exported(*other, name, depth + 1);
  return out.empty() ? find_in_stars(source, name, depth) : out;
}

/// The file that `module.exports = a` hands on, where a is all of it.
const Source* Finder::stands_for(const Source& source) {
  const exports::Forward* forward = source.typed() ? nullptr : source.forward("default");
  const bool whole = forward != nullptr && forward->original == "*" &&
                     source.exported().module.style == exports::Style::commonjs;
  return whole ? sources_.from(source, forward->from) : nullptr;
}

Place Finder::made_by(const Place& call) {
  steps_ = 0;
  const Source& source = *call.source;
  const Index callee = bare(source, source.syntax().child(call.node, Field::function));
  if (callee == kNone) return call;
  for (const Place& maker : find_value({&source, callee}, 0)) {
    const Place function = unwrapped(maker);
    if (function.node == 0 || !is_callable(kind_at(function))) continue;
    for (const Place& made : find_returned(function, 0)) {
      const Place found = unwrapped(made);
      if (found.node != 0 && is_callable(kind_at(found))) return found;
    }
  }
  return call;
}

Places Finder::find_in_stars(const Source& source, const std::string& name, int depth) {
  std::set<const Source*> seen = {&source};
  std::vector<const Source*> open = {&source};
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const std::string& star : open[i]->exported().stars) {
      const Source* from = sources_.from(*open[i], star);
      if (from == nullptr || !seen.insert(from).second) continue;
      open.push_back(from);
      const bool here = !from->places(name).empty() || from->forward(name) != nullptr ||
                        (from->typed() && !from->places("default").empty());
      if (!here) continue;
      Places out = find_exported(*from, name, depth + 1);
      if (!out.empty()) return out;
    }
  }
  return {};
}

/// All of another file, as `from` in `source` names it.
Places Finder::whole(const Source& source, const std::string& from) {
  const Source* found = sources_.from(source, from);
  if (found == nullptr) return {};
  return {{found, 0}};
}

Places Finder::find_local(const Source& source, const std::string& name, int depth) {
  Places out;
  if (!step(depth)) return out;
  const exports::Import* import = source.locals().import(name);
  if (import == nullptr) import = source.required(name);
  if (import != nullptr) {
    if (import->original == "*") return whole(source, import->from);
    const Source* found = sources_.from(source, import->from);
    return found == nullptr ? out : find_exported(*found, import->original, depth + 1);
  }
  for (const Index node : source.declared(name)) {
    append(out, find_value({&source, node}, depth + 1));
  }
  const Source::Taken* taken = out.empty() ? source.taken(name) : nullptr;
  if (taken == nullptr) return out;
  return find_inside(find_value({&source, taken->from}, depth + 1), taken->key, depth);
}

Places Finder::find_value(const Place& at, int depth) {
  if (!step(depth)) return {};
  const Source& source = *at.source;
  const Syntax& syntax = source.syntax();
  const Place here = {at.source, bare(source, at.node)};
  const auto or_here = [&](Places found) { return found.empty() ? Places{here} : found; };
  switch (kind_at(here)) {
    case Kind::identifier:
    case Kind::type_identifier:
    case Kind::shorthand_property_identifier:
      return or_here(find_local(source, std::string(syntax.text_of(here.node)), depth + 1));
    case Kind::call_expression:
      return or_here(find_call(here, depth));
    case Kind::member_expression:
      return or_here(find_member(here, depth));
    case Kind::variable_declarator: {
      if (source.typed()) return or_here(find_typeof(here, depth));
      const Index given = bare(source, syntax.child(here.node, Field::value));
      const Kind kind = kind_at({&source, given});
      const bool hands_on = kind == Kind::identifier || kind == Kind::member_expression ||
                            kind == Kind::call_expression;
      if (given == kNone || !hands_on) return {here};
      const Places found = find_value({&source, given}, depth + 1);
      const bool known = !found.empty() && found.front() != Place{&source, given};
      return known ? found : Places{here};
    }
    case Kind::object:
      // The descriptor of a property: what its getter returns.
      if (!is_descriptor(source, here.node)) return {here};
      return or_here(find_returned(here, depth));
    default:
      return {here};
  }
}

/// `const a: typeof b`, `const a: typeof import('./b').c`: what that is.
Places Finder::find_typeof(const Place& at, int depth) {
  constexpr std::size_t kMaxType = 200;  // bytes
  const Source& source = *at.source;
  const Index type = source.syntax().child(at.node, Field::type);
  if (type == kNone || source.syntax().text_of(type).size() > kMaxType) return {};
  constexpr std::string_view kTypeof = "typeof ";
  std::string_view text = trim(source.syntax().text_of(type).substr(1));
  if (!text.starts_with(kTypeof)) return {};
  text = trim(text.substr(kTypeof.size()));
  const auto is_word = [](std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      return letter || (c >= '0' && c <= '9') || c == '_' || c == '$';
    });
  };
  if (is_word(text)) return find_local(source, std::string(text), depth + 1);
  if (const std::string_view first = text.substr(0, text.find(' ')); is_word(first)) {
    // `typeof b & { c: … }`: that, and what it says itself.
    Places out = {at};
    append(out, find_local(source, std::string(first), depth + 1));
    return out;
  }
  const std::size_t open = text.find_first_of("'\"");
  const std::size_t close = text.find_last_of("'\"");
  if (!text.starts_with("import") || open == close || text.substr(close + 1, 2) != ").") return {};
  const std::string_view name = text.substr(close + 3);
  const Source* from = sources_.from(source, std::string(text.substr(open + 1, close - open - 1)));
  return from == nullptr || !is_word(name) ? Places{}
                                           : find_exported(*from, std::string(name), depth + 1);
}

Places Finder::find_call(const Place& at, int depth) {
  const Source& source = *at.source;
  if (const auto from = source.locals().required(at.node)) return whole(source, *from);
  const auto [first, second] = source.locals().arguments_of(at.node);
  if (first != kNone && is_interop(source.locals().callee(at.node))) {
    Places found = find_value({&source, first}, depth + 1);
    if (!found.empty() && found.front().node == 0) return found;
  }
  if (first != kNone && source.locals().callee(at.node) == "Object.assign") {
    // A function with properties.
    Places out;
    for (const Place& place : find_value({&source, first}, depth + 1)) {
      if (place.node != 0 && is_callable(kind_at(unwrapped(place)))) out.push_back(place);
    }
    if (!out.empty()) return out;
  }
  const Index callee = bare(source, source.syntax().child(at.node, Field::function));
  if (callee != kNone && is_callable(source.syntax().at(callee).kind)) {
    return find_returned({&source, callee}, depth);
  }
  const Index factory = handed_in(source, at.node);
  if (factory == kNone) return {};
  Places out;
  for (const Place& function : find_value({&source, factory}, depth + 1)) {
    append(out, find_returned(function, depth));
  }
  return out;
}

/// What the function, or the first within, says last.
Places Finder::find_returned(const Place& at, int depth) {
  const Syntax& syntax = at.source->syntax();
  Index function = at.node;
  const Index end = syntax.at(at.node).after;
  while (function < end && !is_callable(syntax.at(function).kind)) ++function;
  if (function >= end) return {};
  const Index body = syntax.child(function, Field::body);
  if (body == kNone) return {};
  if (syntax.at(body).kind != Kind::statement_block) {
    return find_value({at.source, body}, depth + 1);
  }
  Index returned = kNone;
  for (Index c = syntax.first_child(body); c != kNone; c = syntax.next_sibling(c)) {
    if (syntax.at(c).kind == Kind::return_statement) returned = syntax.first_child(c);
  }
  if (returned == kNone) return {};
  // What the function declares itself, though the file declares such a name as well.
  const std::string_view name = syntax.text_of(returned);
  for (Index c = syntax.first_child(body); c != kNone; c = syntax.next_sibling(c)) {
    const Index own = syntax.child(c, Field::name);
    if (own != kNone && syntax.text_of(own) == name) return {{at.source, c}};
  }
  return find_value({at.source, returned}, depth + 1);
}

Places Finder::find_member(const Place& at, int depth) {
  const Source& source = *at.source;
  const Index object = source.syntax().child(at.node, Field::object);
  const std::string name = source.locals().word(source.syntax().child(at.node, Field::property));
  if (object == kNone) return {};
  if (source.syntax().text_of(at.node) == "module.exports") return {{&source, 0}};
  return find_inside(find_value({&source, object}, depth + 1), name, depth);
}

/// What `name` is of what may be several things, files among them.
Places Finder::find_inside(const Places& owners, const std::string& name, int depth) {
  Places out;
  for (const Place& owner : owners) {
    if (owner.node != 0) {
      append(out, member_of(owner, name, depth + 1));
      continue;
    }
    append(out, find_exported(*owner.source, name, depth + 1));
    if (out.empty() && name == "default") out.push_back(owner);
    for (const Place& whole :
         out.empty() ? find_exported(*owner.source, "default", depth + 1) : Places{}) {
      if (whole.node != 0) append(out, member_of(whole, name, depth + 1));
    }
  }
  return out;
}

/// Of a namespace, an object, or what gets properties after it is declared.
Places Finder::member_of(const Place& owner, const std::string& name, int depth) {
  Places out;
  if (!step(depth)) return out;
  const Source& source = *owner.source;
  const Syntax& syntax = source.syntax();
  Index object = owner.node;
  switch (kind_at(owner)) {
    case Kind::internal_module:
    case Kind::module: {
      const auto& inside = source.inside(owner.node);
      const auto known = inside.find(name);
      if (known == inside.end()) return out;
      for (const Index node : known->second) append(out, find_value({&source, node}, depth + 1));
      return out;
    }
    case Kind::variable_declarator:
      object = bare(source, syntax.child(owner.node, Field::value));
      [[fallthrough]];
    default:
      break;
  }
  if (is_class(kind_at(owner))) {
    const Index body = syntax.child(owner.node, Field::body);
    for (Index c = body == kNone ? kNone : syntax.first_child(body); c != kNone;
         c = syntax.next_sibling(c)) {
      ++work_;
      const Index key = syntax.child(c, Field::name);
      const bool own = key != kNone && syntax.text_of(key) == name;
      if (own && syntax.text_of(c).starts_with("static")) out.push_back({&source, c});
    }
  }
  if (object != kNone && syntax.at(object).kind == Kind::object) {
    for (Index c = syntax.first_child(object); c != kNone; c = syntax.next_sibling(c)) {
      ++work_;
      const Index key = syntax.child(c, Field::key);
      if (key == kNone || source.locals().word(key) != name) continue;
      append(out, find_value({&source, syntax.child(c, Field::value)}, depth + 1));
    }
  }
  const Index own = syntax.child(owner.node, Field::name);
  if (own == kNone) return out;
  for (const Index assignment : source.assigned(syntax.text_of(own))) {
    ++work_;
    const Index left = syntax.child(assignment, Field::left);
    if (source.locals().word(syntax.child(left, Field::property)) != name) continue;
    append(out, find_value({&source, syntax.child(assignment, Field::right)}, depth + 1));
  }
  return out;
}

}  // namespace cg::upgrade
