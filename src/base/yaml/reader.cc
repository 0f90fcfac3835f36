#include "base/yaml/reader.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/base/bytes.h"
#include "base/json/parsing.h"

namespace cg::yaml {

namespace {

constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max() / 2;

}  // namespace

YamlReader::YamlReader(std::string_view source, const Limits& limits)
    : source_(source),
      scan_(source),
      keys_(source),
      max_depth_(std::min(limits.max_depth, json::kDepthCeiling)),
      nodes_left_(limits.max_nodes) {
  Limits bounded = limits;
  bounded.max_bytes = std::min(limits.max_bytes, kMostBytes);
  auto checked = check_text(source, bounded);
  if (checked) checked = check_yaml_characters(source);
  if (!checked) {
    event_.type = Type::failed;
    error_ = std::move(checked).error();
    return;
  }
  frames_.push_back({});
  if (!scan_.find_content()) fail(Kind::syntax, 0);
}

const YamlEvent& YamlReader::next() {
  if (event_.type == Type::failed) return event_;
  if (has_pending_) {
    has_pending_ = false;
    event_ = pending_;
    return event_;
  }
  if (!step()) fail(Kind::syntax, scan_.pos(), "not YAML");
  return event_;
}

bool YamlReader::skip() {
  std::size_t depth = 0;
  for (;;) {
    switch (event_.type) {
      case Type::mapping_start:
      case Type::sequence_start:
        ++depth;
        break;
      case Type::mapping_end:
      case Type::sequence_end:
        if (depth > 0) --depth;
        break;
      case Type::failed:
        return false;
      default:
        break;
    }
    if (depth == 0) return true;
    next();
  }
}

/// The scanner's error, if it has one, is the first one.
bool YamlReader::fail(Kind kind, std::size_t at, std::string_view detail) {
  if (event_.type == Type::failed) return false;
  scan_.fail(kind, at, detail);
  error_ = scan_.error();
  event_ = {};
  event_.type = Type::failed;
  return false;
}

bool YamlReader::emit(Type type, std::size_t begin, std::size_t end) {
  event_ = {};
  event_.type = type;
  event_.begin = begin;
  event_.end = end;
  return true;
}

bool YamlReader::emit_scalar(Type type, const YamlScalar& scalar) {
  content_end_ = scalar.end;
  event_ = {type, scalar.style, scalar.in_source, scalar.text, scalar.begin, scalar.end};
  return true;
}

bool YamlReader::emit_nothing(std::size_t at) {
  if (nodes_left_ == 0) return fail(Kind::too_many_nodes, at);
  --nodes_left_;
  content_end_ = at;
  event_ = {Type::scalar, ScalarStyle::plain, true, source_.substr(at, 0), at, at};
  return true;
}

bool YamlReader::push(State state, Column indent) {
  if (frames_.size() > max_depth_ + 1) return fail(Kind::too_deep, scan_.pos());
  Frame frame;
  frame.state = state;
  frame.indent = indent;
  frame.keys = keys_.mark();
  frames_.push_back(frame);
  return true;
}

bool YamlReader::add_key(const YamlScalar& key) {
  if (key.style == ScalarStyle::plain) {
    if (key.text.empty()) return fail(Kind::bad_key, key.begin);
    if (key.text == "<<") return fail(Kind::yaml_feature, key.begin, "a merge key");
  }
  keys_.add(key);
  return true;
}

bool YamlReader::close(Type type) {
  const Frame& frame = frames_.back();
  if (type == Type::mapping_end) {
    if (const auto twice = keys_.find_twice(frame.keys)) {
      return fail(Kind::duplicate_key, twice->at, json::excerpt(twice->text));
    }
    keys_.drop(frame.keys);
  }
  frames_.pop_back();
  return emit(type, scan_.pos(), scan_.pos());
}

// --- documents ---

bool YamlReader::step() {
  Frame& frame = frames_.back();
  switch (frame.state) {
    case State::stream:
      return read_stream();
    case State::root:
      return open_document();
    case State::root_done:
      return end_document();
    case State::block_key:
      return read_block_key();
    case State::block_value:
      frame.state = State::block_key;
      return read_after(frame.indent, false);
    case State::block_explicit_value:
      frame.state = State::block_key;
      return read_after(frame.indent, true);
    case State::block_no_value:
      frame.state = State::block_key;
      return emit_nothing(event_.end);
    case State::block_item:
      return read_block_item();
    case State::flow_item:
      return read_flow_item();
    case State::flow_item_done:
      return read_flow_next(']', State::flow_item);
    case State::flow_key:
      return read_flow_key();
    case State::flow_value:
      return read_flow_value();
    case State::flow_value_done:
      return read_flow_next('}', State::flow_key);
    case State::pair_value:
      return read_pair_value();
    case State::pair_done:
      return close(Type::mapping_end);
  }
  return false;
}

bool YamlReader::read_stream() {
  while (scan_.at_marker("...")) {
    scan_.advance(3);
    if (!scan_.end_line()) return false;
  }
  const std::size_t at = scan_.pos();
  if (at == source_.size()) return emit(Type::stream_end, at, at);
  if (scan_.peek() == '%' && scan_.column() == 0) {
    return fail(Kind::yaml_feature, at, "a directive");
  }
  frames_.push_back({});
  frames_.back().state = State::root;
  return emit(Type::document_start, at, at);
}

bool YamlReader::open_document() {
  frames_.back().state = State::root_done;
  if (!scan_.at_marker("---")) return read_node(-1, true);
  scan_.advance(3);
  return read_after(-1, false);
}

bool YamlReader::end_document() {
  if (scan_.indent() != -1) return fail(Kind::syntax, scan_.pos(), "more text after the value");
  frames_.pop_back();
  return emit(Type::document_end, scan_.pos(), scan_.pos());
}

}  // namespace cg::yaml
