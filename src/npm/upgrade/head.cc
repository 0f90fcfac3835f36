#include "npm/upgrade/head.h"

#include <algorithm>

#include "base/base/text.h"
#include "npm/syntax/scopes.h"

namespace cg::upgrade {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Node;
using syntax::Syntax;

namespace {

constexpr std::size_t kMaxMentions = 64;
constexpr std::size_t kMaxSummary = 160;
constexpr std::size_t kMaxDocBytes = 16'384;
constexpr std::size_t kMaxDocParts = 64;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

void append_folded(std::string& out, std::string_view text, std::size_t max) {
  for (const char c : text) {
    if (out.size() > max) return;
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
}

/// "( a, b, )" to "(a, b)", "= | a" to "= a".
void tidy(std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const bool closes = c == ')' || c == ']' || c == ',' || c == ';';
    if (closes && out.ends_with(' ') && !out.ends_with("= ")) out.pop_back();
    if ((c == ')' || c == ']') && out.ends_with(',')) out.pop_back();
    if (c == ' ' && (out.ends_with('(') || out.ends_with('['))) continue;
    if (c == '|' && (out.ends_with("= ") || out.ends_with(": ") || out.ends_with('('))) continue;
    if (c == ' ' && out.ends_with(' ')) continue;
    out += c;
  }
  text = std::move(out);
}

std::string bounded(std::string text, std::size_t max) {
  tidy(text);
  while (!text.empty() && (text.back() == ' ' || text.back() == ';' || text.back() == ',')) {
    text.pop_back();
  }
  if (text.size() <= max) return text;
  std::string out(cut_utf8(text, max - 3));
  return out + "...";
}

/// From `begin` to `end`, which lie in the subtree of `node`.
std::string span(const Source& source, Index node, std::size_t begin, std::size_t end,
                 std::size_t max) {
  const Syntax& syntax = source.syntax();
  std::string out;
  std::size_t at = begin;
  constexpr std::size_t kMaxPassed = 20'000;  // nodes
  std::size_t passed = 0;
  for (Index i = node + 1; i < syntax.at(node).after && out.size() <= max;) {
    if (++passed > kMaxPassed) break;
    const Node& each = syntax.at(i);
    if (each.begin >= end) break;
    const bool block = each.kind == Kind::statement_block || each.kind == Kind::class_body;
    if (each.begin < at || (each.kind != Kind::comment && !block)) {
      i = each.end <= at ? each.after : i + 1;
      continue;
    }
    append_folded(out, syntax.text().substr(at, each.begin - at), max);
    if (block) out += "{...}";
    at = each.end;
    i = each.after;
  }
  if (at < end) append_folded(out, syntax.text().substr(at, end - at), max);
  return bounded(std::move(out), max);
}

/// Where what a declaration has inside begins: its body, or its end.
std::size_t body_of(const Source& source, Index node) {
  const Index body = source.syntax().child(node, Field::body);
  return body == kNone ? source.syntax().at(node).end : source.syntax().at(body).begin;
}

std::string function_head(const Source& source, Index node, std::string_view name) {
  const Syntax& syntax = source.syntax();
  const std::string_view text = syntax.text_of(node);
  const Index list = syntax.child(node, Field::parameters);
  const Index single = syntax.child(node, Field::parameter);
  const bool method = syntax.at(node).kind == Kind::method_definition;
  std::string out = text.starts_with("async") ? "async " : "";
  if (!method) out += "function";
  const Index own = syntax.child(node, Field::name);
  std::size_t begin = own == kNone ? syntax.at(node).begin : syntax.at(own).end;
  if (text.substr(0, 24).find('*') != std::string_view::npos) out += "*";
  if (!method) out += " ";
  out += name;
  if (list == kNone) {
    return single == kNone ? out + "()" : out + "(" + folded(source, single) + ")";
  }
  // With what stands before the parameters of types, and after.
  if (own == kNone) begin = syntax.at(list).begin;
  std::string rest = span(source, node, begin, body_of(source, node), kMaxHead);
  if (rest.ends_with("=>")) rest.resize(rest.size() - 2);
  return bounded(out + rest, kMaxHead);
}

std::string class_head(const Source& source, Index node, std::string_view name) {
  const Syntax& syntax = source.syntax();
  const Index own = syntax.child(node, Field::name);
  const std::size_t begin =
      own == kNone ? syntax.at(node).begin + std::string_view("class").size() : syntax.at(own).end;
  const std::string rest = span(source, node, begin, body_of(source, node), kMaxHead);
  const bool glued = rest.empty() || rest.starts_with('<');
  std::string out = "class " + std::string(name) + (glued ? "" : " ") + rest;
  const Index body = syntax.child(node, Field::body);
  for (Index c = body == kNone ? kNone : syntax.first_child(body); c != kNone;
       c = syntax.next_sibling(c)) {
    const Index own_name = syntax.child(c, Field::name);
    if (own_name == kNone || syntax.text_of(own_name) != "constructor") continue;
    const std::string made = span(source, c, syntax.at(c).begin, body_of(source, c), kMaxHead);
    return bounded(out + " { " + made + " }", kMaxHead);
  }
  return out;
}

std::string variable_head(const Source& source, Index node, std::string_view name) {
  const Syntax& syntax = source.syntax();
  const Index type = syntax.child(node, Field::type);
  const Index value = syntax.child(node, Field::value);
  if (type != kNone) return "const " + std::string(name) + folded(source, type);
  return value == kNone ? "const " + std::string(name) : head_of({&source, value}, name);
}

std::string value_head(const Source& source, Index node, std::string_view name) {
  constexpr std::size_t kMaxValue = 100;
  const Kind kind = source.syntax().at(node).kind;
  std::string out = std::string(name) + " = ";
  if (kind == Kind::object) return out + "{...}";
  return out + folded(source, node, kMaxValue);
}

/// The tag that `line` begins with, without the @.
std::string_view tag_of(std::string_view line) {
  if (!line.starts_with('@')) return {};
  std::size_t end = 1;
  while (end < line.size() && !is_space(line[end])) ++end;
  return line.substr(1, end - 1);
}

/// "foo" of "{Boolean} [options.foo=1] says so".
std::string option_of(std::string_view parameter) {
  if (parameter.starts_with('{')) {
    const std::size_t close = parameter.find('}');
    if (close == std::string_view::npos) return {};
    parameter = trim(parameter.substr(close + 1));
  }
  if (parameter.starts_with('[')) parameter.remove_prefix(1);
  const std::size_t end = parameter.find_first_of(" =]\t");
  parameter = parameter.substr(0, end);
  const std::size_t dot = parameter.find('.');
  return dot == std::string_view::npos ? "" : std::string(parameter.substr(dot + 1));
}

void take_tag(Doc& out, std::string_view tag, const std::string& text) {
  if (tag.empty() && out.summary.empty()) {
    const std::size_t end = text.find(". ");
    out.summary = one_line(text.substr(0, end), kMaxSummary);
  } else if (tag == "deprecated") {
    out.deprecated = text.empty() ? "yes" : one_line(text, kMaxSummary);
  } else if (tag == "default" || tag == "defaultValue") {
    out.fallback = one_line(text, 80);
  } else if (tag == "param" && out.parameters.size() < kMaxDocParts) {
    std::string option = option_of(text);
    if (!option.empty()) {
      out.options.push_back(one_line(option, 60));
    } else {
      out.parameters.push_back(one_line(text, 100));
    }
  }
}

}  // namespace

std::string one_line(std::string_view text, std::size_t max) {
  std::string out;
  append_folded(out, text, max);
  return bounded(std::move(out), max);
}

std::string joined(const std::vector<std::string>& lines, std::string_view between,
                   std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += between;
    if (i >= most) return out + "...";
    out += lines[i];
  }
  return out;
}

bool says_same(std::string_view a, std::string_view b) {
  const auto plain = [](std::string_view text) {
    std::string out;
    for (char c : text) {
      if (c == ' ' || c == '_') continue;
      if (c == '\'' || c == '`') c = '"';
      if (c == ';') c = ',';
      if ((c == '}' || c == ')' || c == ']') && out.ends_with(',')) out.pop_back();
      out += c;
    }
    out = replaced(out, ".js\")", "\")");
    for (const std::string_view word : {"|undefined", "readonly", "export", "declare", "default"}) {
      out = replaced(out, word, "");
    }
    constexpr std::string_view kWord = "function";
    if (out.starts_with("async" + std::string(kWord))) out.erase(5, kWord.size());
    if (out.starts_with(kWord)) out.erase(0, kWord.size());
    return out;
  };
  return a == b || plain(a) == plain(b);
}

std::string titled(std::string_view name, const std::string& head) {
  if (head.empty()) return std::string(name);
  const std::size_t at = head.find(name);
  constexpr std::size_t kSoon = 24;  // behind "export declare function"
  const bool says = at != std::string::npos && at < kSoon && (at == 0 || head[at - 1] == ' ') &&
                    (at + name.size() == head.size() || !is_name(head[at + name.size()]));
  return says ? head : std::string(name) + ": " + head;
}

std::string folded(const Source& source, Index node, std::size_t max) {
  const Node& at = source.syntax().at(node);
  return span(source, node, at.begin, at.end, max);
}

std::string head_of(const Place& place, std::string_view name) {
  if (place.node == 0 || place.node == kNone) return std::string(name) + " = {...}";
  const Source& source = *place.source;
  const Syntax& syntax = source.syntax();
  const Index node = bare(source, place.node);
  if (node == kNone) return std::string(name);
  const Kind kind = syntax.at(node).kind;
  if (is_callable(kind)) return function_head(source, node, name);
  if (is_class(kind)) return class_head(source, node, name);
  const auto before_body = [&] {
    return span(source, node, syntax.at(node).begin, body_of(source, node), kMaxHead);
  };
  switch (kind) {
    case Kind::variable_declarator:
      return variable_head(source, node, name);
    case Kind::interface_declaration:
    case Kind::internal_module:
    case Kind::module:
      return before_body();
    case Kind::type_alias_declaration:
    case Kind::enum_declaration:
      return folded(source, node);
    default:
      break;
  }
  // What stands in a class, an interface or an object: its own words.
  const bool member = syntax.child(node, Field::name) != kNone || source.typed();
  return member ? before_body() : value_head(source, node, name);
}

std::vector<std::string> imported_types(std::string_view text) {
  std::vector<std::string> out;
  std::size_t at = text.find("import(");
  while (at != std::string_view::npos && out.size() < kMaxMentions) {
    const std::size_t close = text.find(").", at);
    if (close == std::string_view::npos) break;
    std::size_t end = close + 2;
    while (end < text.size() && is_name(text[end])) ++end;
    out.emplace_back(text.substr(close + 2, end - close - 2));
    at = text.find("import(", end);
  }
  return out;
}

std::vector<std::string> mentions_in(const Place& place) {
  std::vector<std::string> out;
  if (place.node == 0 || place.node == kNone) return out;
  const Syntax& syntax = place.source->syntax();
  const Kind kind = kind_at(place);
  const bool open = is_class(kind) || kind == Kind::interface_declaration ||
                    kind == Kind::internal_module || kind == Kind::module;
  const std::size_t end = open ? body_of(*place.source, place.node) : syntax.at(place.node).end;
  const std::size_t begin = syntax.at(place.node).begin;
  const auto add = [&](Index i) {
    const Index parent = syntax.at(i).parent;
    const bool declares = syntax.at(i).field == Field::name &&
                          (parent == place.node || syntax.parent_kind(i) == Kind::type_parameter);
    if (syntax.at(i).kind != Kind::type_identifier || declares) return;
    std::string word(syntax.text_of(i));
    if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(std::move(word));
  };
  out = imported_types(syntax.text().substr(begin, std::min(end - begin, kMaxHead)));
  for (Index i = place.node + 1; i < syntax.at(place.node).after; ++i) {
    if (syntax.at(i).begin >= end || out.size() >= kMaxMentions) break;
    add(i);
  }
  // What a class is made of.
  const Index body = is_class(kind) ? syntax.child(place.node, Field::body) : kNone;
  for (Index c = body == kNone ? kNone : syntax.first_child(body); c != kNone;
       c = syntax.next_sibling(c)) {
    const Index name = syntax.child(c, Field::name);
    if (name == kNone || syntax.text_of(name) != "constructor") continue;
    for (Index i = c; i < syntax.at(c).after && out.size() < kMaxMentions; ++i) add(i);
  }
  return out;
}

std::vector<std::string> bases_in(const Place& place) {
  std::vector<std::string> out;
  const Kind kind = kind_at(place);
  if (place.node == 0 || (!is_class(kind) && kind != Kind::interface_declaration)) return out;
  const Syntax& syntax = place.source->syntax();
  const std::string head = span(*place.source, place.node, syntax.at(place.node).begin,
                                body_of(*place.source, place.node), kMaxHead);
  const std::size_t from = head.find(" extends ");
  if (from == std::string::npos) return out;
  std::string word;
  int depth = 0;
  for (std::size_t i = from + 9; i <= head.size(); ++i) {
    const char c = i < head.size() ? head[i] : ',';
    if (c == '<' || c == '(') ++depth;
    const bool ends = c == ',' || c == ' ' || c == '{' || c == '<';
    if (depth == 0 && !ends) word += c;
    if ((depth == 0 && ends) || c == '<') {
      if (word == "implements") break;
      if (!word.empty()) out.push_back(word);
      word.clear();
    }
    if (c == '>' || c == ')') --depth;
  }
  return out;
}

std::string example_in(std::string_view comment, std::string_view name) {
  constexpr std::size_t kMaxExample = 160;
  bool begun = false;
  for (std::string_view line : split(comment.substr(0, kMaxDocBytes), '\n')) {
    begun = begun || line.find("@example") != std::string_view::npos ||
            line.find("```") != std::string_view::npos;
    if (!begun) continue;
    line = trim(line);
    while (line.starts_with('*')) line.remove_prefix(1);
    line = trim(line);
    if (line.starts_with(name) && line.substr(name.size(), 1).find_first_of(":(") == 0) {
      return one_line(line, kMaxExample);
    }
  }
  return {};
}

Doc read_doc(std::string_view comment) {
  Doc out;
  if (!comment.starts_with("/**")) return out;
  comment = comment.substr(3, kMaxDocBytes);
  if (comment.ends_with("*/")) comment.remove_suffix(2);
  std::string tag;
  std::string text;
  for (std::string_view line : split(comment, '\n')) {
    line = trim(line);
    while (line.starts_with('*')) line.remove_prefix(1);
    line = trim(line);
    const std::string_view next = tag_of(line);
    const bool ends = !next.empty() || (line.empty() && tag.empty());
    if (ends) {
      take_tag(out, tag, text);
      tag = next;
      text = next.empty() ? "" : std::string(trim(line.substr(next.size() + 1)));
    } else {
      text += (text.empty() ? "" : " ") + std::string(line);
    }
  }
  take_tag(out, tag, text);
  return out;
}

}  // namespace cg::upgrade
