// YamlReader: block collections.
#include "base/yaml/reader.h"

namespace cg::yaml {

bool YamlReader::open_block(Type type, State state, Column indent, std::size_t at) {
  if (!push(state, indent)) return false;
  scan_.set_indent(indent);
  return emit(type, at, at);
}

/// What follows `- `, `: ` or `--- `: on the same line, or on the next ones if they
/// are indented more than `parent`. `compact`: a block collection may start right here.
bool YamlReader::read_after(Column parent, bool compact) {
  const std::size_t after = scan_.pos();
  const bool tab = scan_.skip_blanks();
  if (scan_.peek() == '#') scan_.skip_comment();
  if (!scan_.at_break()) return read_node(parent, compact && !tab);
  if (!scan_.end_line()) return false;
  if (scan_.indent() > parent) return read_node(parent, true);
  const bool in_mapping = frames_.back().state == State::block_key;
  if (in_mapping && scan_.indent() == parent && scan_.peek() == '-' && scan_.at_indicator()) {
    if (nodes_left_ == 0) return fail(Kind::too_many_nodes, scan_.pos());
    --nodes_left_;
    if (!open_block(Type::sequence_start, State::block_item, parent, scan_.pos())) return false;
    frames_.back().beside_key = true;
    return true;
  }
  return emit_nothing(after);
}

/// What may not start a value, or not without more.
bool YamlReader::refuse_start() {
  const std::size_t at = scan_.pos();
  switch (scan_.peek()) {
    case '&':
      return fail(Kind::yaml_feature, at, "an anchor");
    case '*':
      return fail(Kind::yaml_feature, at, "an alias");
    case '!':
      return fail(Kind::yaml_feature, at, "a tag");
    case ':':
      return fail(Kind::bad_key, at);
    case '\0':
      return fail(Kind::syntax, at, "the text ends too early");
    default:
      return fail(Kind::syntax, at, "a character that cannot start a value");
  }
}

bool YamlReader::read_node(Column parent, bool block_allowed) {
  const std::size_t at = scan_.pos();
  if (nodes_left_ == 0) return fail(Kind::too_many_nodes, at);
  --nodes_left_;
  switch (scan_.peek()) {
    case '"':
    case '\'':
      return read_quoted(parent, block_allowed);
    case '[':
    case '{':
      flow_start_ = at;
      return open_flow(parent);
    case '|':
    case '>': {
      YamlScalar scalar;
      return scan_.scan_block(parent, scalar) && emit_scalar(Type::scalar, scalar);
    }
    case '-':
    case '?':
      if (!scan_.at_indicator()) return read_plain(parent, block_allowed);
      if (!block_allowed) {
        return fail(Kind::syntax, at, "a collection that starts in the middle of a line");
      }
      if (scan_.peek() == '-') {
        return open_block(Type::sequence_start, State::block_item, scan_.column(), at);
      }
      return open_block(Type::mapping_start, State::block_key, scan_.column(), at);
    case ':':
      if (!scan_.at_indicator()) return read_plain(parent, block_allowed);
      [[fallthrough]];
    case '&':
    case '*':
    case '!':
    case '#':
    case '%':
    case '@':
    case '`':
    case ',':
    case ']':
    case '}':
    case '\0':
      return refuse_start();
    default:
      return read_plain(parent, block_allowed);
  }
}

/// At the `:` behind a key: the mapping starts with it.
bool YamlReader::open_mapping(Column column, const YamlScalar& key, State state) {
  if (!push(state, column) || !add_key(key)) return false;
  scan_.advance(1);
  emit_scalar(Type::key, key);
  pending_ = event_;
  has_pending_ = true;
  return emit(Type::mapping_start, key.begin, key.begin);
}

bool YamlReader::read_quoted(Column parent, bool block_allowed) {
  const Column column = scan_.column();
  YamlScalar scalar;
  if (!scan_.scan_quoted(parent, scalar)) return false;
  const bool spaced = scan_.at_blank();
  scan_.skip_blanks();
  if (scan_.peek() == ':' && scan_.at_indicator()) {
    if (!scalar.one_line) return fail(Kind::syntax, scalar.begin, "a key of several lines");
    if (!block_allowed) {
      return fail(Kind::syntax, scan_.pos(), "a mapping that starts in the middle of a line");
    }
    return open_mapping(column, scalar, State::block_value);
  }
  if (scan_.peek() == '#' && spaced) scan_.skip_comment();
  return scan_.end_line() && emit_scalar(Type::scalar, scalar);
}

bool YamlReader::read_plain(Column parent, bool block_allowed) {
  const Column column = scan_.column();
  YamlScalar scalar;
  if (!scan_.scan_plain(parent, scalar)) return false;
  if (!scalar.is_key) return emit_scalar(Type::scalar, scalar);
  if (!block_allowed) {
    return fail(Kind::syntax, scan_.pos(), "a mapping that starts in the middle of a line");
  }
  return open_mapping(column, scalar, State::block_value);
}

bool YamlReader::read_block_item() {
  const Frame& frame = frames_.back();
  const bool here = scan_.indent() == frame.indent;
  if (here && scan_.peek() == '-' && scan_.at_indicator()) {
    scan_.advance(1);
    return read_after(frame.indent, true);
  }
  if (scan_.indent() < frame.indent || (here && frame.beside_key)) {
    return close(Type::sequence_end);
  }
  return fail(Kind::syntax, scan_.pos(),
              here ? "expected `- `" : "indented more than its siblings");
}

bool YamlReader::read_block_key() {
  const Frame& frame = frames_.back();
  if (scan_.indent() < frame.indent) return close(Type::mapping_end);
  const std::size_t at = scan_.pos();
  if (scan_.indent() > frame.indent) {
    return fail(Kind::syntax, at, "indented more than its siblings");
  }
  switch (scan_.peek()) {
    case '?':
      return scan_.at_indicator() ? read_explicit_key() : read_implicit_key();
    case ':':
      return scan_.at_indicator() ? fail(Kind::bad_key, at) : read_implicit_key();
    case '-':
      if (!scan_.at_indicator()) return read_implicit_key();
      return fail(Kind::syntax, at, "an item between the keys of a mapping");
    case '[':
    case '{':
      return fail(Kind::bad_key, at);
    case '&':
    case '*':
    case '!':
    case '%':
    case '@':
    case '`':
    case ',':
    case ']':
    case '}':
    case '|':
    case '>':
      return refuse_start();
    default:
      return read_implicit_key();
  }
}

bool YamlReader::read_implicit_key() {
  Frame& frame = frames_.back();
  YamlScalar key;
  if (scan_.peek() == '"' || scan_.peek() == '\'') {
    if (!scan_.scan_quoted(frame.indent, key)) return false;
    if (!key.one_line) return fail(Kind::syntax, key.begin, "a key of several lines");
    scan_.skip_blanks();
    key.is_key = scan_.peek() == ':' && scan_.at_indicator();
  } else if (!scan_.scan_plain(frame.indent, key)) {
    return false;
  }
  if (!key.is_key) return fail(Kind::syntax, key.begin, "expected a key with `: ` behind it");
  scan_.advance(1);
  frame.state = State::block_value;
  return add_key(key) && emit_scalar(Type::key, key);
}

/// At `? `.
bool YamlReader::read_explicit_key() {
  Frame& frame = frames_.back();
  const std::size_t at = scan_.pos();
  scan_.advance(1);
  scan_.skip_blanks();
  if (scan_.peek() == '#') scan_.skip_comment();
  if (scan_.at_break()) {
    if (!scan_.end_line()) return false;
    if (scan_.indent() <= frame.indent) return fail(Kind::bad_key, at);
  }
  YamlScalar key;
  if (!read_explicit_scalar(key) || !add_key(key)) return false;
  if (scan_.indent() > frame.indent) return fail(Kind::syntax, scan_.pos(), "text after a key");
  const bool value = scan_.indent() == frame.indent && scan_.peek() == ':' && scan_.at_indicator();
  if (value) scan_.advance(1);
  frame.state = value ? State::block_explicit_value : State::block_no_value;
  return emit_scalar(Type::key, key);
}

bool YamlReader::read_explicit_scalar(YamlScalar& key) {
  const Column parent = frames_.back().indent;
  const std::size_t at = scan_.pos();
  switch (scan_.peek()) {
    case '|':
    case '>':
      return scan_.scan_block(parent, key);
    case '"':
    case '\'':
      if (!scan_.scan_quoted(parent, key)) return false;
      if (scan_.peek() == ':') return fail(Kind::bad_key, at);
      return scan_.end_line();
    case '-':
    case '?':
    case ':':
      if (scan_.at_indicator()) return fail(Kind::bad_key, at);
      break;
    case '[':
    case '{':
      return fail(Kind::bad_key, at);
    case '&':
    case '*':
    case '!':
    case '%':
    case '@':
    case '`':
    case ',':
    case ']':
    case '}':
      return refuse_start();
    default:
      break;
  }
  if (!scan_.scan_plain(parent, key)) return false;
  return key.is_key ? fail(Kind::bad_key, at) : true;
}

}  // namespace cg::yaml
