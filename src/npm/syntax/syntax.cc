#include "npm/syntax/syntax.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "base/base/text.h"
#include "npm/syntax/fuel.h"

extern "C" {
const TSLanguage* tree_sitter_javascript(void);
const TSLanguage* tree_sitter_typescript(void);
const TSLanguage* tree_sitter_tsx(void);
}

namespace cg::syntax {

namespace {

/// Of 19 000 real sources half take 29 bytes for each of theirs, and the greediest one 204.
constexpr std::uint64_t kFuelPerByte = 256;
constexpr std::uint64_t kFuelAtLeast = 8U << 20U;
/// The library may recurse once for each, in some hundred bytes. Real sources have 205 at most.
constexpr std::size_t kMaxStackNodes = 4096;

const TSLanguage* grammar_of(Language language) {
  switch (language) {
    case Language::typescript:
      return tree_sitter_typescript();
    case Language::tsx:
      return tree_sitter_tsx();
    case Language::javascript:
      break;
  }
  return tree_sitter_javascript();
}

Kind kind_called(std::string_view name) {
  if (name == "class") return Kind::class_expression;
  if (name == "this") return Kind::this_expression;
#define CG_KIND(word) \
  if (name == #word) return Kind::word;
#define CG_FIELD(word, spelled)
#include "npm/syntax/kinds.def"
#undef CG_KIND
#undef CG_FIELD
  return Kind::other;
}

Field field_called(std::string_view name) {
#define CG_KIND(word)
#define CG_FIELD(word, spelled) \
  if (name == (spelled)) return Field::word;
#include "npm/syntax/kinds.def"
#undef CG_KIND
#undef CG_FIELD
  return Field::none;
}

/// Numbers of a grammar to ours, once for a file.
class Words {
 public:
  explicit Words(const TSLanguage* grammar) {
    for (std::uint32_t i = 0; i < ts_language_symbol_count(grammar); ++i) {
      kinds_.push_back(kind_called(ts_language_symbol_name(grammar, static_cast<TSSymbol>(i))));
    }
    fields_.push_back(Field::none);
    for (std::uint32_t i = 1; i <= ts_language_field_count(grammar); ++i) {
      fields_.push_back(
          field_called(ts_language_field_name_for_id(grammar, static_cast<TSFieldId>(i))));
    }
  }
  [[nodiscard]] Kind kind(TSSymbol symbol) const {
    return symbol < kinds_.size() ? kinds_[symbol] : Kind::error;  // ERROR is 65535
  }
  [[nodiscard]] Field field(TSFieldId field) const { return fields_[field]; }

 private:
  std::vector<Kind> kinds_;
  std::vector<Field> fields_;
};

struct Job {
  std::string_view text;
  const Fuel* used;
  std::uint64_t most;
};

const char* read_text(void* payload, std::uint32_t at, TSPoint /*point*/, std::uint32_t* read) {
  const std::string_view text = static_cast<const Job*>(payload)->text;
  *read = at < text.size() ? static_cast<std::uint32_t>(text.size() - at) : 0;
  return text.data() + (at < text.size() ? at : text.size());
}

bool is_too_much(TSParseState* state) {
  const Job* job = static_cast<const Job*>(state->payload);
  return job->used->bytes > job->most || job->used->nodes > kMaxStackNodes;
}

struct Deleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using Tree = std::unique_ptr<TSTree, Deleter>;

Tree parse_tree(std::string_view text, const TSLanguage* grammar, const Fuel& used) {
  const std::unique_ptr<TSParser, Deleter> parser(ts_parser_new());
  if (!ts_parser_set_language(parser.get(), grammar)) return nullptr;
  Job job{text, &used, kFuelAtLeast + kFuelPerByte * text.size()};
  TSInput input{};
  input.payload = &job;
  input.read = read_text;
  input.encoding = TSInputEncodingUTF8;
  TSParseOptions options{};
  options.payload = &job;
  options.progress_callback = is_too_much;
  return Tree(ts_parser_parse_with_options(parser.get(), nullptr, input, options));
}

/// The named nodes of a tree, flat.
class Flattener {
 public:
  Flattener(TSNode root, const Words& words) : words_(words), cursor_(ts_tree_cursor_new(root)) {}
  ~Flattener() { ts_tree_cursor_delete(&cursor_); }
  Flattener(const Flattener&) = delete;
  Flattener& operator=(const Flattener&) = delete;

  Result<std::vector<Node>, Error> run() {
    do {
      if (open_.size() > kMaxDepth || nodes_.size() >= kMaxNodes) return fail(Error::too_deep);
      if (enter() && ts_tree_cursor_goto_first_child(&cursor_)) continue;
      if (!entered_) {
        if (ts_tree_cursor_goto_next_sibling(&cursor_)) continue;
      } else {
        close();
        if (ts_tree_cursor_goto_next_sibling(&cursor_)) continue;
      }
      while (!open_.empty() && ts_tree_cursor_goto_parent(&cursor_)) {
        close();
        if (ts_tree_cursor_goto_next_sibling(&cursor_)) break;
      }
    } while (!open_.empty());
    return std::move(nodes_);
  }

 private:
  /// Tokens are left out, and nothing is beneath them.
  bool enter() {
    const TSNode node = ts_tree_cursor_current_node(&cursor_);
    entered_ = ts_node_is_named(node);
    if (!entered_) return false;
    Node flat;
    flat.begin = ts_node_start_byte(node);
    flat.end = ts_node_end_byte(node);
    flat.parent = open_.empty() ? kNone : open_.back();
    flat.kind = words_.kind(ts_node_symbol(node));
    flat.field = words_.field(ts_tree_cursor_current_field_id(&cursor_));
    open_.push_back(static_cast<Index>(nodes_.size()));
    nodes_.push_back(flat);
    return true;
  }
  void close() {
    nodes_[open_.back()].after = static_cast<Index>(nodes_.size());
    open_.pop_back();
  }

  const Words& words_;
  TSTreeCursor cursor_;
  bool entered_ = false;
  std::vector<Index> open_;
  std::vector<Node> nodes_;
};

void append_utf8(std::string& out, std::uint32_t c) {
  const auto push = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return push(c);
  if (c < 0x800) {
    push(0xC0U | c >> 6U);
  } else {
    if (c < 0x10000) {
      push(0xE0U | c >> 12U);
    } else {
      push(0xF0U | (c >> 18U & 0x07U));
      push(0x80U | (c >> 12U & 0x3FU));
    }
    push(0x80U | (c >> 6U & 0x3FU));
  }
  push(0x80U | (c & 0x3FU));
}

std::uint32_t number_of(std::string_view digits, int base) {
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return std::min(value, 0x10FFFFU);
}

/// What \n, \x41, \u0041, \u{41}, \101 and a line that goes on stand for.
void append_unescaped(std::string& out, std::string_view sequence) {
  std::string_view rest = sequence.substr(1);
  if (rest.empty() || rest[0] == '\n' || rest[0] == '\r') return;
  constexpr std::string_view kFrom = "nrtbfv";
  constexpr std::string_view kTo = "\n\r\t\b\f\v";
  const std::size_t plain = kFrom.find(rest[0]);
  if (plain != std::string_view::npos) {
    out += kTo[plain];
  } else if (rest[0] == 'x' || rest[0] == 'u') {
    rest.remove_prefix(1);
    if (rest.starts_with('{')) rest = rest.substr(1, rest.size() - 2);
    append_utf8(out, number_of(rest, 16));
  } else if (rest[0] >= '0' && rest[0] <= '7') {
    append_utf8(out, number_of(rest, 8));
  } else {
    out += rest;
  }
}

}  // namespace

Result<Syntax, Error> Syntax::parse(std::string_view text, Language language) {
  if (text.size() > kMaxFileBytes) return fail(Error::too_large);
  if (!is_utf8(text)) return fail(Error::not_utf8);
  const TSLanguage* grammar = grammar_of(language);
  const Metered metered;
  const Tree tree = parse_tree(text, grammar, metered.used());
  if (tree == nullptr) return fail(Error::too_deep);
  const TSNode root = ts_tree_root_node(tree.get());
  Syntax syntax(text);
  CG_TRY_ASSIGN(syntax.nodes_, Flattener(root, Words(grammar)).run());
  syntax.broken_ = ts_node_has_error(root);
  return syntax;
}

Index Syntax::child(Index index, Field field) const {
  for (Index i = first_child(index); i != kNone; i = next_sibling(i)) {
    if (nodes_[i].field == field) return i;
  }
  return kNone;
}

bool Syntax::is_beneath(Index index, Index ancestor) const {
  return ancestor != kNone && index >= ancestor && index < nodes_[ancestor].after;
}

std::optional<std::string> Syntax::constant(Index index) const {
  if (index == kNone) return std::nullopt;
  const Kind kind = nodes_[index].kind;
  if (kind != Kind::string && kind != Kind::template_string) return std::nullopt;
  const std::string_view text = text_of(index);
  if (text.size() < 2) return std::nullopt;
  std::string out;
  std::uint32_t at = nodes_[index].begin + 1;
  for (Index i = first_child(index); i != kNone; i = next_sibling(i)) {
    if (nodes_[i].kind == Kind::template_substitution) return std::nullopt;
    if (nodes_[i].kind != Kind::escape_sequence) continue;
    out += text_.substr(at, nodes_[i].begin - at);
    append_unescaped(out, text_of(i));
    at = nodes_[i].end;
  }
  out += text_.substr(at, nodes_[index].end - 1 - at);
  return out;
}

Index Syntax::next_sibling(Index index) const {
  const Node& node = nodes_[index];
  if (node.parent == kNone || node.after >= nodes_[node.parent].after) return kNone;
  return node.after;
}

}  // namespace cg::syntax
