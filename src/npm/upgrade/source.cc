#include "npm/upgrade/source.h"

#include <algorithm>

#include "npm/exports/entries.h"
#include "npm/syntax/scopes.h"

namespace cg::upgrade {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

constexpr std::size_t kMaxObject = 80;      // bytes of what is assigned to
constexpr std::size_t kMinifiedLine = 400;  // bytes, on the average
constexpr std::size_t kMinifiedFrom = 4096;

const Nodes& none() {
  static const Nodes nothing;
  return nothing;
}

template <class Map, class Key>
const Nodes& found_in(const Map& map, const Key& key) {
  const auto known = map.find(key);
  return known == map.end() ? none() : known->second;
}

bool is_minified(std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  return text.size() > kMinifiedFrom && text.size() / lines > kMinifiedLine;
}

bool is_mixing(std::string_view callee) {
  return callee == "Object.assign" || callee == "mixin" || callee == "extend" ||
         callee == "_.extend" || callee == "merge" || callee == "_createClass";
}

/// What lies between a comment and the value that it speaks of.
bool is_wrapping(Kind kind) {
  switch (kind) {
    case Kind::export_statement:
    case Kind::ambient_declaration:
    case Kind::lexical_declaration:
    case Kind::variable_declaration:
    case Kind::variable_declarator:
    case Kind::expression_statement:
    case Kind::assignment_expression:
    case Kind::pair:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::unique_ptr<Source> Source::parse(const std::string& file, std::string_view text) {
  const auto language = syntax::language_of(file);
  if (!language) return nullptr;
  auto parsed = Syntax::parse(text, *language);
  if (!parsed) return nullptr;
  return std::unique_ptr<Source>(new Source(file, *std::move(parsed)));
}

Source::Source(const std::string& file, Syntax&& syntax)
    : file_(file),
      typed_(exports::is_declaration(file)),
      minified_(!typed_ && is_minified(syntax.text())),
      transpiled_(syntax.text().find("__esModule") != std::string_view::npos),
      syntax_(std::move(syntax)),
      locals_(syntax_),
      exported_(exports::names_in(syntax_, typed_)) {
  for (const exports::Place& place : exported_.places) places_[place.name].push_back(place.node);
  for (std::size_t i = 0; i < exported_.forwards.size(); ++i) {
    forwards_.try_emplace(exported_.forwards[i].name, i);
  }
  for (Index i = 1; i < syntax_.nodes().size(); ++i) {
    while (!open_.empty() && open_.back() <= i) open_.pop_back();
    note(i);
  }
  guess_whole();
  take_whole();
}

/// What is put onto a name that stands for all of the file is exported.
void Source::take_whole() {
  for (const std::string& whole : whole_names_) {
    for (const Index assignment : assigned(whole)) {
      const Index left = syntax_.child(assignment, Field::left);
      const std::string name = locals_.word(syntax_.child(left, Field::property));
      exported_.module.names.try_emplace(name);
      places_[name].push_back(syntax_.child(assignment, Field::right));
    }
  }
}

/// A file that exports something nobody can see, as wrapped ones do: most likely it is what gets
/// most properties.
void Source::guess_whole() {
  constexpr std::size_t kAtLeast = 8;
  const exports::Module& module = exported_.module;
  const bool named = std::any_of(module.names.begin(), module.names.end(),
                                 [](const auto& each) { return each.first != "default"; });
  const bool known = typed_ || module.complete || module.style != exports::Style::commonjs ||
                     named || !exported_.stars.empty() || !exported_.forwards.empty() ||
                     !whole_names_.empty();
  if (known) return;
  const std::pair<const std::string, Nodes>* most = nullptr;
  for (const auto& each : assigned_) {
    const bool plain = each.first.find_first_of(".([ ") == std::string::npos &&
                       each.first != "this" && each.first != "module" && each.first != "exports";
    if (plain && (most == nullptr || each.second.size() > most->second.size())) most = &each;
  }
  if (most != nullptr && most->second.size() >= kAtLeast) whole_names_.push_back(most->first);
}

void Source::declare(Index node, std::size_t depth) {
  const Index name = syntax_.child(node, Field::name);
  if (name == kNone) return;
  Declared& known = declared_[syntax_.text_of(name)];
  if (!known.nodes.empty() && known.depth < depth) return;
  if (known.depth > depth) known.nodes.clear();
  known.depth = depth;
  known.nodes.push_back(node);
}

void Source::note(Index i) {
  const Kind kind = syntax_.at(i).kind;
  switch (kind) {
    case Kind::function_declaration:
    case Kind::generator_function_declaration:
    case Kind::function_signature:
    case Kind::class_declaration:
    case Kind::abstract_class_declaration:
    case Kind::interface_declaration:
    case Kind::type_alias_declaration:
    case Kind::enum_declaration:
    case Kind::internal_module:
    case Kind::module:
      declare(i, open_.size());
      break;
    case Kind::variable_declarator:
      declare(i, open_.size());
      note_variable(i);
      break;
    case Kind::assignment_expression:
      note_assignment(i);
      break;
    case Kind::call_expression:
      note_call(i);
      break;
    case Kind::import_require_clause: {
      const Index name = syntax_.first_child(i);
      if (name != kNone) {
        required_[syntax_.text_of(name)] = {"*", locals_.word(syntax_.child(i, Field::source))};
      }
      break;
    }
    case Kind::comment: {
      const Index next = syntax_.next_sibling(i);
      if (next != kNone && syntax_.text_of(i).starts_with("/**")) docs_[next] = i;
      break;
    }
    default:
      break;
  }
  // `declare module 'x' { }` is as good as the file itself.
  const Index name = kind == Kind::module ? syntax_.child(i, Field::name) : kNone;
  const bool space =
      kind == Kind::internal_module || (name != kNone && syntax_.at(name).kind != Kind::string);
  if (syntax::is_function(kind) || space) open_.push_back(syntax_.at(i).after);
}

/// What is taken out of require() by its name, and `var p = A.prototype`.
void Source::note_variable(Index declarator) {
  const Index name = syntax_.child(declarator, Field::name);
  const Index value = syntax_.child(declarator, Field::value);
  if (name == kNone || value == kNone) return;
  const std::string_view given = syntax_.text_of(value);
  if (syntax_.at(name).kind == Kind::identifier) {
    if (given.size() <= kMaxObject && given.ends_with(".prototype")) {
      stands_for_[syntax_.text_of(name)] = given;
    }
    const auto is_exports = [&](Index node) {
      const std::string_view text = syntax_.text_of(node);
      return text == "exports" || text == "module.exports";
    };
    Index each = value;
    bool whole = false;
    while (each != kNone && syntax_.at(each).kind == Kind::assignment_expression) {
      whole = whole || is_exports(syntax_.child(each, Field::left));
      each = syntax_.child(each, Field::right);
    }
    whole = each != kNone && (is_exports(each) || (whole && syntax_.at(each).kind == Kind::object));
    if (whole) whole_names_.emplace_back(syntax_.text_of(name));
    return;
  }
  const auto from = locals_.required(value);
  if (syntax_.at(name).kind != Kind::object_pattern) return;
  for (Index c = syntax_.first_child(name); c != kNone; c = syntax_.next_sibling(c)) {
    const Index key = syntax_.child(c, Field::key);
    const Index local = key == kNone ? c : syntax_.child(c, Field::value);
    if (local == kNone) continue;
    std::string word = locals_.word(key == kNone ? c : key);
    if (from) {
      required_[syntax_.text_of(local)] = {std::move(word), *from};
    } else {
      taken_.try_emplace(syntax_.text_of(local), Taken{value, std::move(word)});
    }
  }
}

void Source::note_assignment(Index assignment) {
  const Index left = syntax_.child(assignment, Field::left);
  if (left == kNone || syntax_.at(left).kind != Kind::member_expression) return;
  const Index object = syntax_.child(left, Field::object);
  if (object == kNone || syntax_.text_of(object).size() > kMaxObject) return;
  const auto other = stands_for_.find(syntax_.text_of(object));
  const std::string name(other == stands_for_.end() ? syntax_.text_of(object)
                                                    : std::string_view(other->second));
  assigned_[name].push_back(assignment);
}

void Source::note_call(Index call) {
  if (!is_mixing(locals_.callee(call))) return;
  const Index list = syntax_.child(call, Field::arguments);
  const Index first = list == kNone ? kNone : syntax_.first_child(list);
  if (first == kNone || syntax_.text_of(first).size() > kMaxObject) return;
  for (Index c = syntax_.next_sibling(first); c != kNone; c = syntax_.next_sibling(c)) {
    mixed_[syntax_.text_of(first)].push_back(c);
  }
}

const std::map<std::string, Nodes, std::less<>>& Source::inside(Index space) const {
  const auto [known, is_new] = inside_.try_emplace(space);
  auto& out = known->second;
  const Index body = syntax_.child(space, Field::body);
  if (!is_new || body == kNone) return out;
  for (Index i = body + 1; i < syntax_.at(body).after;) {
    const Kind kind = syntax_.at(i).kind;
    const bool wraps = kind == Kind::export_statement || kind == Kind::ambient_declaration ||
                       kind == Kind::lexical_declaration || kind == Kind::variable_declaration ||
                       kind == Kind::expression_statement;
    const Index name = wraps || kind == Kind::export_clause || kind == Kind::comment
                           ? kNone
                           : syntax_.child(i, Field::name);
    if (name != kNone) out[std::string(syntax_.text_of(name))].push_back(i);
    i = wraps ? i + 1 : syntax_.at(i).after;
  }
  return out;
}

const Nodes& Source::places(const std::string& name) const { return found_in(places_, name); }

const exports::Forward* Source::forward(const std::string& name) const {
  const auto known = forwards_.find(name);
  return known == forwards_.end() ? nullptr : &exported_.forwards[known->second];
}

const Source::Taken* Source::taken(std::string_view name) const {
  const auto known = taken_.find(name);
  return known == taken_.end() ? nullptr : &known->second;
}

const exports::Import* Source::required(std::string_view name) const {
  const auto known = required_.find(name);
  return known == required_.end() ? nullptr : &known->second;
}

const Nodes& Source::declared(std::string_view name) const {
  const auto known = declared_.find(name);
  return known == declared_.end() ? none() : known->second.nodes;
}
const Nodes& Source::assigned(std::string_view object) const { return found_in(assigned_, object); }
const Nodes& Source::mixed(std::string_view object) const { return found_in(mixed_, object); }

std::string_view Source::doc(Index node) const {
  for (Index up = node; up != kNone && up != 0; up = syntax_.at(up).parent) {
    const auto known = docs_.find(up);
    if (known != docs_.end()) return syntax_.text_of(known->second);
    if (!is_wrapping(syntax_.parent_kind(up))) break;
  }
  return {};
}

const Source* Sources::get(const std::string& file) {
  const auto known = parsed_.find(file);
  if (known != parsed_.end()) return known->second.get();
  const auto text = files_.find(file);
  if (text == files_.end()) return nullptr;
  if (parsed_.size() >= limits_.modules || text->second.size() > limits_.parsed - bytes_) {
    exhausted_ = true;
    return nullptr;
  }
  bytes_ += text->second.size();
  return parsed_.emplace(file, Source::parse(file, text->second)).first->second.get();
}

const Source* Sources::from(const Source& source, const std::string& relative) {
  if (!relative.starts_with('.')) return nullptr;
  const auto path = exports::beside(source.file(), relative);
  if (!path) return nullptr;
  const auto found =
      source.typed() ? exports::find_types(files_, *path) : exports::find_file(files_, *path);
  return found ? get(*found) : nullptr;
}

}  // namespace cg::upgrade
