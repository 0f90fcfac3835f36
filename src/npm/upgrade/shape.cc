#include "npm/upgrade/shape.h"

#include <algorithm>
#include <set>

#include "npm/upgrade/head.h"
#include "npm/upgrade/told.h"

namespace cg::upgrade {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

constexpr std::size_t kMaxMembers = 600;
constexpr std::size_t kMaxOverloads = 8;
constexpr std::size_t kMaxBases = 16;

/// Not for others: "_a", "#a", and what TypeScript calls so.
bool is_private(std::string_view name, std::string_view text) {
  return name.empty() || name.starts_with('_') || name.starts_with('#') || name.starts_with('[') ||
         text.starts_with("private ") || text.starts_with("protected ") || text.starts_with("#");
}

void add_line(Lines& out, std::string line, std::size_t most) {
  if (line.empty() || out.size() >= most) return;
  if (std::find(out.begin(), out.end(), line) == out.end()) out.push_back(std::move(line));
}

/// The default export goes by the name that it is declared as, if it is.
std::string own_name(const Place& place, const std::string& name) {
  if (name != "default" || place.node == 0 || place.node == kNone) return name;
  const Index own = place.source->syntax().child(place.node, Field::name);
  return own == kNone ? name : std::string(place.source->syntax().text_of(own));
}

void join(Item& known, const Item& more) {
  for (const std::string& line : more.types) add_line(known.types, line, kMaxOverloads);
  for (const std::string& line : more.source) add_line(known.source, line, kMaxOverloads);
  for (const std::string& word : more.mentions) add_line(known.mentions, word, 64);
  for (const std::string& word : more.options) add_line(known.options, word, 64);
  for (const std::string& word : more.parameters) add_line(known.parameters, word, 16);
  if (known.summary.empty()) known.summary = more.summary;
  // One overload of several may be deprecated: its line is told from the others by its words.
  if (known.deprecated.empty()) known.deprecated = more.deprecated;
  if (known.example.empty()) known.example = more.example;
  for (const std::string& line : more.warnings) add_line(known.warnings, line, 16);
  if (known.throws.empty()) known.throws = more.throws;
  known.erased = known.erased && more.erased;
}

bool is_type(Kind kind) {
  return kind == Kind::interface_declaration || kind == Kind::type_alias_declaration;
}

/// "A" of `function make() { return new A() }`.
Lines made_in(const Place& at) {
  Lines out;
  if (at.node == 0 || at.node == kNone) return out;
  const Place place = unwrapped(at);
  if (!is_callable(kind_at(place))) return out;
  constexpr Index kMaxBody = 4000;  // nodes
  const Syntax& syntax = place.source->syntax();
  const Index end = std::min(syntax.at(place.node).after, place.node + kMaxBody);
  for (Index i = place.node; i < end; ++i) {
    if (syntax.at(i).kind != Kind::new_expression) continue;
    const bool given = syntax.parent_kind(i) == Kind::return_statement ||
                       (syntax.at(i).field == Field::body && syntax.at(i).parent == place.node);
    const Index made = syntax.child(i, Field::builder);
    if (given && made != kNone && syntax.at(made).kind == Kind::identifier) {
      add_line(out, std::string(syntax.text_of(made)), 4);
    }
  }
  return out;
}

}  // namespace

Lines Item::shown() const {
  Lines out = heads();
  const auto calls = [](const std::string& line) {
    return line.starts_with("function ") || line.starts_with("async function ") ||
           line.starts_with("class ");
  };
  const bool typed = !types.empty() && std::none_of(types.begin(), types.end(), calls);
  if (!typed || !types.front().starts_with("const ")) return out;
  for (const std::string& line : source) {
    if (calls(line)) add_line(out, line, kMaxOverloads);
  }
  return out;
}

struct Shaper::Draft {
  Shape out;
  std::map<std::string, std::size_t> known;  // member to its number
  std::set<Place> seen;
  bool at_owner = false;  // members are taken of the name itself, not of what it makes
};

Places settled(Finder& finder, const Places& places) {
  Places out;
  for (const Place& place : places) {
    const bool whole = place.node == 0 && !place.source->typed() &&
                       place.source->exported().module.style == exports::Style::commonjs &&
                       !place.source->transpiled();
    if (!whole) {
      out.push_back(place);
      continue;
    }
    for (const Place& meant : finder.exported(*place.source, "default")) out.push_back(meant);
  }
  return out;
}

Shape Shaper::shape(const std::string& name, const Places& places) {
  Draft draft;
  draft.out.item.erased = true;
  for (const Place& place : settled(finder_, places)) {
    join(draft.out.item, item_of(name, place));
    for (std::string& base : bases_of(place)) add_line(draft.out.bases, std::move(base), kMaxBases);
    add_place(draft, place);
  }
  if (places.empty()) draft.out.item.erased = false;
  return std::move(draft.out);
}

Shape Shaper::again(const std::string& name, const Places& places, const Item& known) {
  Shape out;
  out.item = known;
  for (Lines* lines : {&out.item.types, &out.item.source}) lines->clear();
  for (const Place& place : places) {
    Lines& lines = place.source->typed() ? out.item.types : out.item.source;
    add_line(lines, place.source->minified() ? name : heading(name, place), kMaxOverloads);
  }
  return out;
}

std::string Shaper::heading(const std::string& name, const Place& place) {
  const Place given = unwrapped(place);
  const bool called = !place.source->typed() && kind_at(given) == Kind::call_expression;
  const Place made = called ? finder_.made_by(given) : given;
  return head_of(made == given ? place : made, own_name(place, name));
}

Item Shaper::item_of(const std::string& name, const Place& place) {
  Item out;
  const Source& source = *place.source;
  if (!source.minified()) {
    add_line(source.typed() ? out.types : out.source, heading(name, place), kMaxOverloads);
  } else {
    out.source.push_back(name);
  }
  const Kind kind = kind_at(place);
  out.erased = is_type(kind);
  Doc doc = read_doc(source.doc(place.node));
  out.summary = std::move(doc.summary);
  if (!doc.fallback.empty()) {
    out.summary += (out.summary.empty() ? "default: " : "; default: ") + doc.fallback;
  }
  out.deprecated = std::move(doc.deprecated);
  if (source.typed()) {
    out.example = example_in(source.doc(place.node), name);
    out.mentions = mentions_in(place);
  } else if (!source.minified()) {
    out.parameters = std::move(doc.parameters);
    out.options = std::move(doc.options);
    out.throws = thrown_by(finder_, place);
    out.warnings = warned_by(place);
    out.mentions = made_in(place);
  }
  return out;
}

/// `class A extends B`; `const a: B`; `type A = B & { }`.
Lines Shaper::bases_of(const Place& place) const {
  if (place.node == 0) return {};
  const Syntax& syntax = place.source->syntax();
  const Kind kind = kind_at(place);
  Lines out = bases_in(place);
  const Field field = kind == Kind::variable_declarator      ? Field::type
                      : kind == Kind::type_alias_declaration ? Field::value
                                                             : Field::none;
  const Index type = field == Field::none ? kNone : syntax.child(place.node, field);
  if (type != kNone && place.source->typed()) {
    out = imported_types(syntax.text_of(type).substr(0, kMaxHead));
    // Types beside each other, not those within.
    for (Index i = type; i < syntax.at(type).after;) {
      const std::string_view text = syntax.text_of(i);
      if (syntax.at(i).kind == Kind::type_identifier) out.emplace_back(text);
      const bool opens = text.starts_with('{') || text.starts_with('(') || text.starts_with('[');
      const bool stays = opens || syntax.at(i).kind == Kind::type_arguments ||
                         syntax.at(i).kind == Kind::function_type;
      i = stays && i != type ? syntax.at(i).after : i + 1;
    }
  }
  if (kind == Kind::new_expression) {
    const Index builder = syntax.child(place.node, Field::builder);
    if (builder != kNone) out.emplace_back(syntax.text_of(builder));
  }
  return out;
}

void Shaper::add_place(Draft& draft, const Place& place) {
  if (!draft.seen.insert(place).second) return;
  if (place.node == 0) return add_module(draft, *place.source);
  const Kind kind = kind_at(place);
  if (is_class(kind) || kind == Kind::interface_declaration || kind == Kind::enum_declaration) {
    add_body(draft, place);
  } else if (kind == Kind::internal_module || kind == Kind::module) {
    add_space(draft, place);
  } else if (kind == Kind::type_alias_declaration) {
    const Syntax& syntax = place.source->syntax();
    for (Index i = place.node + 1; i < syntax.at(place.node).after;) {
      // Not what only begins with one: `{ } & A`.
      const Index first = syntax.first_child(i);
      const bool object = syntax.text_of(i).starts_with('{') &&
                          (first == kNone || syntax.at(first).begin > syntax.at(i).begin);
      if (object) add_object(draft, {place.source, i});
      i = object || syntax.at(i).kind == Kind::type_arguments ? syntax.at(i).after : i + 1;
    }
  }
  if (place.source->typed()) return;
  add_assigned(draft, place);
  add_fields(draft, unwrapped(place));
}

/// `this.a = …` in a class, or in a function that may be one.
void Shaper::add_fields(Draft& draft, const Place& place) {
  const Source& source = *place.source;
  const Syntax& syntax = source.syntax();
  const Nodes& all = source.assigned("this");
  auto i = std::lower_bound(all.begin(), all.end(), place.node);
  for (; i != all.end() && *i < syntax.at(place.node).after; ++i) {
    const Index left = syntax.child(*i, Field::left);
    const Index right = bare(source, syntax.child(*i, Field::right));
    const std::string name = source.locals().word(syntax.child(left, Field::property));
    if (right == kNone || is_private(name, {}) || draft.known.contains(name)) continue;
    add_member(draft, name, {&source, right});
    const auto known = draft.known.find(name);
    if (known != draft.known.end()) draft.out.members[known->second].item.field = true;
  }
}

void Shaper::add_module(Draft& draft, const Source& source) {
  for (const std::string& name : finder_.names(source).names) {
    if (name == "default") continue;
    if (draft.out.members.size() >= kMaxMembers) return;
    const Places places = finder_.exported(source, name);
    if (places.empty()) add_member(draft, name, {&source, kNone});
    for (const Place& place : places) add_member(draft, name, place);
  }
}

/// Of classes, interfaces and enumerations. What has no name can be called, or made.
void Shaper::add_body(Draft& draft, const Place& place) {
  const Syntax& syntax = place.source->syntax();
  const Index body = syntax.child(place.node, Field::body);
  if (body != kNone) add_object(draft, {place.source, body});
}

void Shaper::add_object(Draft& draft, const Place& object) {
  const Source& source = *object.source;
  const Syntax& syntax = source.syntax();
  for (Index c = syntax.first_child(object.node); c != kNone; c = syntax.next_sibling(c)) {
    const Kind kind = syntax.at(c).kind;
    const std::string_view text = syntax.text_of(c);
    if (kind == Kind::comment || kind == Kind::decorator || kind == Kind::class_static_block)
      continue;
    Index key = syntax.child(c, Field::name);
    if (key == kNone) key = syntax.child(c, Field::key);
    if (key == kNone) key = syntax.child(c, Field::property);
    if (kind == Kind::property_identifier || kind == Kind::shorthand_property_identifier) key = c;
    if (key == kNone && source.typed()) {
      if (text.starts_with('(') || text.starts_with('<')) add_member(draft, "()", {&source, c});
      if (text.starts_with("new")) add_member(draft, "new()", {&source, c});
    }
    if (key == kNone) continue;
    const std::string name = source.locals().word(key);
    if (name == "constructor") continue;  // the class says it
    if (!is_private(name, text)) add_member(draft, name, {&source, c});
  }
}

void Shaper::add_space(Draft& draft, const Place& place) {
  for (const auto& [name, nodes] : place.source->inside(place.node)) {
    for (const Index node : nodes) add_member(draft, name, {place.source, node});
  }
}

/// `a.b = …`, each as a member.
void Shaper::add_properties(Draft& draft, const Source& source, std::string_view object) {
  const Syntax& syntax = source.syntax();
  for (const Index assignment : source.assigned(object)) {
    const Index left = syntax.child(assignment, Field::left);
    const std::string name = source.locals().word(syntax.child(left, Field::property));
    const Index right = bare(source, syntax.child(assignment, Field::right));
    if (right == kNone || syntax.at(right).kind == Kind::unary_expression || name == "prototype" ||
        name == "constructor" || name == "super_")
      continue;
    if (!is_private(name, {})) add_member(draft, name, {&source, right});
  }
  for (const Index mixed : source.mixed(object)) {
    if (syntax.at(mixed).kind == Kind::object) add_object(draft, {&source, mixed});
    if (syntax.at(mixed).kind == Kind::array) add_created(draft, {&source, mixed});
  }
}

/// [{ key: "a", value: function () { } }]
void Shaper::add_created(Draft& draft, const Place& list) {
  const Source& source = *list.source;
  const Syntax& syntax = source.syntax();
  for (Index c = syntax.first_child(list.node); c != kNone; c = syntax.next_sibling(c)) {
    std::string name;
    Index value = kNone;
    for (Index pair = syntax.first_child(c); pair != kNone; pair = syntax.next_sibling(pair)) {
      const Index key = syntax.child(pair, Field::key);
      if (key == kNone) continue;
      const Index given = syntax.child(pair, Field::value);
      if (syntax.text_of(key) == "key") name = source.locals().word(given);
      if (syntax.text_of(key) == "value") value = given;
    }
    if (value != kNone && !is_private(name, {})) add_member(draft, name, {&source, value});
  }
}

/// What JavaScript puts into something after it was made.
void Shaper::add_assigned(Draft& draft, const Place& place) {
  const Source& source = *place.source;
  const Syntax& syntax = source.syntax();
  Index value = bare(source, place.node);
  if (kind_at(place) == Kind::variable_declarator) {
    value = bare(source, syntax.child(place.node, Field::value));
  }
  if (value != kNone && syntax.at(value).kind == Kind::object) add_object(draft, {&source, value});
  Index named = place.node;
  if (syntax.child(named, Field::name) == kNone) {
    // var a = module.exports = function () { }
    for (Index up = syntax.at(named).parent; up != kNone; up = syntax.at(up).parent) {
      named = up;
      if (syntax.at(up).kind != Kind::assignment_expression) break;
    }
    if (named == kNone || syntax.at(named).kind != Kind::variable_declarator) return;
  }
  const Index name = syntax.child(named, Field::name);
  if (name == kNone || syntax.at(named).kind == Kind::method_definition) return;
  const std::string own(syntax.text_of(name));
  draft.at_owner = true;
  add_properties(draft, source, own);
  draft.at_owner = false;
  add_properties(draft, source, own + ".prototype");
  for (const Index assignment : source.assigned(own)) {
    const Index left = syntax.child(assignment, Field::left);
    const Index right = bare(source, syntax.child(assignment, Field::right));
    const bool whole = syntax.text_of(syntax.child(left, Field::property)) == "prototype" &&
                       right != kNone && syntax.at(right).kind == Kind::object;
    if (whole) add_object(draft, {&source, right});
  }
}

void Shaper::add_member(Draft& draft, const std::string& name, const Place& at) {
  const auto [known, is_new] = draft.known.try_emplace(name, draft.out.members.size());
  if (is_new && draft.out.members.size() >= kMaxMembers) {
    draft.known.erase(known);
    return;
  }
  if (is_new) draft.out.members.push_back({name, Item{}, at});
  Item& item = draft.out.members[known->second].item;
  if (at.node == kNone) return;
  Place place = at;
  if (!at.source->typed()) {
    // { a: b } is what b is.
    const bool pair = kind_at(at) == Kind::pair;
    const Index value = pair ? at.source->syntax().child(at.node, Field::value) : at.node;
    const Places found = finder_.value({at.source, value});
    if (!found.empty()) place = found.front();
    if (is_new) draft.out.members.back().place = place;
  }
  if (is_new) item.erased = true;
  if (is_new) item.at_owner = draft.at_owner;
  Item more = item_of(name, place);
  for (std::string& line : more.source) {
    constexpr std::string_view kWord = "function ";
    if (line.starts_with(kWord)) line.erase(0, kWord.size());
  }
  join(item, more);
}

}  // namespace cg::upgrade
