// YamlReader: collections between brackets.
#include "base/yaml/reader.h"

namespace cg::yaml {

bool YamlReader::open_flow(Column parent) {
  const std::size_t at = scan_.pos();
  const bool sequence = scan_.peek() == '[';
  if (!push(sequence ? State::flow_item : State::flow_key, parent)) return false;
  scan_.advance(1);
  return emit(sequence ? Type::sequence_start : Type::mapping_start, at, at);
}

bool YamlReader::close_flow() {
  const bool sequence = scan_.peek() == ']';
  scan_.advance(1);
  if (!close(sequence ? Type::sequence_end : Type::mapping_end)) return false;
  content_end_ = scan_.pos();
  const State outer = frames_.back().state;
  if (outer >= State::flow_item) return true;
  // The brackets end here, and with them the line.
  const bool spaced = scan_.at_blank();
  scan_.skip_blanks();
  if (scan_.peek() == ':' && scan_.at_indicator()) return fail(Kind::bad_key, flow_start_);
  if (scan_.peek() == '#' && spaced) scan_.skip_comment();
  return scan_.end_line();
}

bool YamlReader::read_flow_scalar(YamlScalar& out) {
  const Column parent = frames_.back().indent;
  const std::size_t at = scan_.pos();
  switch (scan_.peek()) {
    case '"':
    case '\'':
      return scan_.scan_quoted(parent, out);
    case '?':
      if (!scan_.at_flow_indicator()) break;
      return fail(Kind::yaml_feature, at, "a `?` in a sequence");
    case '-':
      if (!scan_.at_flow_indicator()) break;
      return fail(Kind::syntax, at, "a `- ` between brackets");
    case ':':
      if (!scan_.at_flow_indicator()) break;
      return refuse_start();
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
    case '|':
    case '>':
    case '\0':
      return refuse_start();
    default:
      break;
  }
  return scan_.scan_flow_plain(parent, out);
}

/// A value between brackets that is not an item of a sequence.
bool YamlReader::read_flow_node() {
  if (nodes_left_ == 0) return fail(Kind::too_many_nodes, scan_.pos());
  --nodes_left_;
  if (scan_.peek() == '[' || scan_.peek() == '{') return open_flow(frames_.back().indent);
  YamlScalar scalar;
  return read_flow_scalar(scalar) && emit_scalar(Type::scalar, scalar);
}

bool YamlReader::read_flow_item() {
  const Column parent = frames_.back().indent;
  if (!scan_.skip_flow_space(parent)) return false;
  if (scan_.peek() == ']') return close_flow();
  frames_.back().state = State::flow_item_done;
  if (scan_.peek() == '[' || scan_.peek() == '{') return read_flow_node();
  if (nodes_left_ == 0) return fail(Kind::too_many_nodes, scan_.pos());
  --nodes_left_;
  YamlScalar scalar;
  if (!read_flow_scalar(scalar)) return false;
  // `[a: b]` is a sequence of a mapping.
  scan_.skip_blanks();
  const bool adjacent = scalar.style != ScalarStyle::plain;
  if (scan_.peek() != ':' || !(adjacent || scan_.at_flow_indicator())) {
    return emit_scalar(Type::scalar, scalar);
  }
  if (!scalar.one_line) return fail(Kind::syntax, scalar.begin, "a key of several lines");
  return open_mapping(parent, scalar, State::pair_value);
}

bool YamlReader::read_pair_value() {
  Frame& frame = frames_.back();
  const std::size_t after = scan_.pos();
  frame.state = State::pair_done;
  if (!scan_.skip_flow_space(frame.indent)) return false;
  if (scan_.peek() == ',' || scan_.peek() == ']') return emit_nothing(after);
  return read_flow_node();
}

bool YamlReader::read_flow_key() {
  Frame& frame = frames_.back();
  if (!scan_.skip_flow_space(frame.indent)) return false;
  if (scan_.peek() == '}') return close_flow();
  if (scan_.peek() == '?' && scan_.at_flow_indicator()) {
    scan_.advance(1);
    if (!scan_.skip_flow_space(frame.indent)) return false;
  }
  if (scan_.peek() == '[' || scan_.peek() == '{') return fail(Kind::bad_key, scan_.pos());
  YamlScalar key;
  if (!read_flow_scalar(key)) return false;
  frame.state = State::flow_value;
  frame.quoted_key = key.style != ScalarStyle::plain;
  return add_key(key) && emit_scalar(Type::key, key);
}

bool YamlReader::read_flow_value() {
  Frame& frame = frames_.back();
  frame.state = State::flow_value_done;
  std::size_t after = scan_.pos();
  if (!scan_.skip_flow_space(frame.indent)) return false;
  if (scan_.peek() == ':' && (frame.quoted_key || scan_.at_flow_indicator())) {
    scan_.advance(1);
    after = scan_.pos();
    if (!scan_.skip_flow_space(frame.indent)) return false;
    if (scan_.peek() != ',' && scan_.peek() != '}') return read_flow_node();
  }
  if (scan_.peek() == ',' || scan_.peek() == '}') return emit_nothing(after);
  return fail(Kind::syntax, scan_.pos(), "expected `:`, `,` or `}`");
}

bool YamlReader::read_flow_next(char close, State again) {
  Frame& frame = frames_.back();
  if (!scan_.skip_flow_space(frame.indent)) return false;
  if (scan_.peek() == close) return close_flow();
  if (scan_.peek() == ':') return fail(Kind::bad_key, scan_.pos());
  if (scan_.peek() != ',') {
    return fail(Kind::syntax, scan_.pos(),
                close == ']' ? "expected `,` or `]`" : "expected `,` or `}`");
  }
  scan_.advance(1);
  frame.state = again;
  return step();
}

}  // namespace cg::yaml
