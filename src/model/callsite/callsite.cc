#include "model/callsite/callsite.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "model/callsite/homes.h"
#include "model/callsite/needs.h"
#include "model/callsite/taken.h"
#include "npm/syntax/meaning.h"
#include "npm/syntax/scopes.h"
#include "npm/syntax/syntax.h"

namespace cg::callsite {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kMaxFileBytes;
using syntax::kNone;
using syntax::Meaning;
using syntax::Meanings;
using syntax::Node;
using syntax::Scopes;
using syntax::Syntax;

namespace {

constexpr std::size_t kMaxNames = 256;
constexpr std::size_t kMaxNameBytes = 128;
constexpr std::size_t kMaxSources = 256;
/// A longer statement that imports is shown by the lines around the import alone.
constexpr std::size_t kMaxImportBytes = 2048;

/// (x), await x, x as T, x!: still x.
bool is_wrapper(Kind kind) {
  return kind == Kind::parenthesized_expression || kind == Kind::await_expression ||
         kind == Kind::as_expression || kind == Kind::satisfies_expression ||
         kind == Kind::non_null_expression;
}

class Finder {
 public:
  Finder(const Syntax& syntax, const Scopes& scopes, const Meanings& meanings)
      : syntax_(syntax), scopes_(scopes), meanings_(meanings), homes_(syntax) {}

  Uses run() {
    for (const syntax::Asked& asked : meanings_.asked()) add_name(asked.name);
    std::size_t seen = 0;
    for (const Index source : meanings_.sources()) {
      if (++seen <= kMaxSources) add_import(source);
    }
    add_references();
    Uses uses;
    uses.imports = pieces(imports_);
    uses.functions = pieces(functions_);
    std::vector<Range> shown = imports_;
    shown.insert(shown.end(), functions_.begin(), functions_.end());
    std::vector<Range> needs = needs_of(syntax_, scopes_, homes_, shown, functions_);
    std::vector<Range> read = functions_;
    read.insert(read.end(), needs.begin(), needs.end());
    uses.taken = taken_by(syntax_, scopes_, std::move(read));
    uses.needs = pieces_beside(std::move(needs), uses);
    uses.names.assign(names_.begin(), names_.end());
    uses.broken = syntax_.broken();
    return uses;
  }

 private:
  void add_name(std::string_view name) {
    if (name.empty() || name.size() > kMaxNameBytes || names_.size() >= kMaxNames) return;
    names_.emplace(name);
  }

  /// The member that is taken of the whole package at `node`.
  void add_member(Index node) {
    while (is_wrapper(syntax_.parent_kind(node))) node = syntax_.at(node).parent;
    const Index parent = syntax_.at(node).parent;
    const Kind kind = syntax_.parent_kind(node);
    const bool is_object = syntax_.at(node).field == Field::object;
    if (kind == Kind::member_expression && is_object) {
      return add_name(syntax_.text_of(or_self(syntax_.child(parent, Field::property), node)));
    }
    if (kind == Kind::subscript_expression && is_object) {
      const Index index = syntax_.child(parent, Field::index);
      if (index == kNone || syntax_.at(index).kind != Kind::string) return;
      const std::string_view text = syntax_.text_of(index);
      if (text.size() >= 2) add_name(text.substr(1, text.size() - 2));
      return;
    }
    if (kind == Kind::nested_type_identifier || kind == Kind::nested_identifier) {
      const Index name = syntax_.next_sibling(node);
      if (name != kNone) add_name(syntax_.text_of(name));
      return;
    }
    if (kind != Kind::variable_declarator) add_name("default");
  }

  static Index or_self(Index index, Index self) { return index == kNone ? self : index; }

  void add_import(Index source) {
    Index statement = source;
    Index call = kNone;
    for (;;) {
      const Index parent = syntax_.at(statement).parent;
      if (parent == kNone || parent == 0) break;
      const Kind kind = syntax_.at(parent).kind;
      if (kind == Kind::statement_block || kind == Kind::class_body) break;
      if (kind == Kind::call_expression && call == kNone) call = parent;
      statement = parent;
    }
    const Node& node = syntax_.at(statement);
    const bool is_long = call != kNone && node.end - node.begin > kMaxImportBytes;
    const Node& shown = is_long ? syntax_.at(call) : node;
    imports_.push_back({shown.begin, shown.end});
    if (call == kNone) return;
    const Kind around = syntax_.parent_kind(call);
    if (around != Kind::expression_statement && around != Kind::arguments) add_member(call);
    // Unless all that is done with it is to give it a name at the top of the file.
    const bool binds = around == Kind::variable_declarator ||
                       around == Kind::expression_statement || around == Kind::await_expression;
    if (!binds || !is_top_level(statement)) functions_.push_back(homes_.range_of(call));
  }

  [[nodiscard]] bool is_top_level(Index statement) const {
    return syntax_.at(statement).parent == 0;
  }

  void add_references() {
    std::unordered_set<std::string_view> words;
    for (Index i = 0; i < scopes_.bindings().size(); ++i) {
      if (meanings_.of_binding(i).kind == Meaning::Kind::nothing) continue;
      words.insert(syntax_.text_of(scopes_.bindings()[i].name));
    }
    if (words.empty()) return;
    for (Index i = 1; i < syntax_.nodes().size(); ++i) {
      if (!is_reference(syntax_.at(i).kind) || scopes_.is_declaration(i)) continue;
      const std::string_view word = syntax_.text_of(i);
      if (words.contains(word)) add_reference(i, word);
    }
  }

  void add_reference(Index i, std::string_view word) {
    if (syntax_.parent_kind(i) == Kind::import_specifier) return;  // `a` of {a as b}
    const Index binding = scopes_.resolve(i, word);
    if (binding == kNone) return;
    const Meaning& meaning = meanings_.of_binding(binding);
    if (meaning.kind == Meaning::Kind::nothing) return;
    if (meaning.kind == Meaning::Kind::member) add_name(meaning.member);
    if (meaning.kind == Meaning::Kind::whole) add_member(i);
    const Range range = homes_.range_of(i);
    if (functions_.empty() || functions_.back().begin != range.begin ||
        functions_.back().end != range.end) {
      functions_.push_back(range);
    }
  }

  /// In the order of the text, none within another.
  [[nodiscard]] std::vector<Piece> pieces(std::vector<Range> ranges) const {
    for (Range& range : ranges) range = whole_lines(syntax_.text(), range);
    std::vector<Piece> out;
    std::size_t line = 1;
    std::size_t at = 0;
    const std::string_view text = syntax_.text();
    for (const Range& range : in_order(std::move(ranges))) {
      line += static_cast<std::size_t>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                     text.begin() + static_cast<std::ptrdiff_t>(range.begin), '\n'));
      at = range.begin;
      out.push_back({line, range.begin, range.end,
                     std::string(text.substr(range.begin, range.end - range.begin))});
    }
    return out;
  }

  /// Without those that a line of what is shown anyway is in.
  [[nodiscard]] std::vector<Piece> pieces_beside(std::vector<Range> ranges,
                                                 const Uses& uses) const {
    std::vector<Piece> out = pieces(std::move(ranges));
    for (const auto* shown : {&uses.imports, &uses.functions}) {
      std::erase_if(out, [&](const Piece& piece) {
        return std::any_of(shown->begin(), shown->end(), [&](const Piece& one) {
          return piece.begin < one.end && one.begin < piece.end;
        });
      });
    }
    return out;
  }

  const Syntax& syntax_;
  const Scopes& scopes_;
  const Meanings& meanings_;
  Homes homes_;
  std::vector<Range> imports_;
  std::vector<Range> functions_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

Result<Uses, Error> find_uses(std::string_view text, Language language, std::string_view package) {
  if (text.size() > kMaxFileBytes) return fail(Error::too_large);
  // Most files do not, and parsing costs a thousand times as much as looking.
  if (package.empty() || text.find(package) == text.npos) return Uses{};
  CG_TRY_ASSIGN(const Syntax syntax, Syntax::parse(text, language));
  CG_TRY_ASSIGN(const Scopes scopes, Scopes::of(syntax));
  Meanings meanings(syntax, scopes, package);
  meanings.find();
  if (meanings.sources().empty()) {
    Uses none;
    none.broken = syntax.broken();
    return none;
  }
  return Finder(syntax, scopes, meanings).run();
}

Snippet snippet(const Uses& uses, std::size_t cap) {
  std::vector<const Piece*> parts;
  std::size_t size = 0;
  Snippet out;
  const auto take = [&](const Piece& piece) {
    if (piece.text.size() > cap - size || parts.size() == kMaxPieces) {
      ++out.left_out;
      return;
    }
    size += piece.text.size();
    parts.push_back(&piece);
  };
  const auto is_shown = [&](const Piece& import) {
    return std::any_of(uses.functions.begin(), uses.functions.end(), [&](const Piece& function) {
      return function.begin <= import.begin && import.end <= function.end;
    });
  };
  for (const Piece& import : uses.imports) {
    if (!is_shown(import)) take(import);
  }
  for (const Piece& function : uses.functions) take(function);
  // What they need comes last, and is nobody's loss.
  const std::size_t left_out = out.left_out;
  const std::size_t users = size;
  for (const Piece& need : uses.needs) {
    if (size - users + need.text.size() <= kMaxNeedsBytes) take(need);
  }
  out.left_out = left_out;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Piece* a, const Piece* b) { return a->begin < b->begin; });
  for (const Piece* part : parts) out.pieces.push_back(*part);
  return out;
}

}  // namespace cg::callsite
