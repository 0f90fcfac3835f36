// YamlReader: a YAML text as a stream of events, for readers of large files.
//
// It reads the part of YAML 1.2 that real files use: block and flow collections,
// all five kinds of scalars, comments, `? key`, and streams of several documents.
// Refused, because they let a text mean something else than it seems to say:
//   - directives, anchors, aliases, merge keys, tags;
//   - duplicate keys, keys that are not scalars, are missing or span lines;
//   - tabs as indentation, text between brackets or quotes that is indented less than
//     what it belongs to (a closing bracket may stand right below it);
//   - a byte order mark, bad UTF-8, control characters, a CR that is not before LF.
//
// Time is n log n at worst, and that only for duplicate keys. Memory beside the text
// is bounded by it: up to 24 bytes for each key of the mappings that are open, and
// one decoded scalar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.h"
#include "base/yaml/keys.h"
#include "base/yaml/scanner.h"

namespace cg::yaml {

struct YamlEvent {
  enum class Type : std::uint8_t {
    stream_end,
    document_start,
    document_end,
    mapping_start,  // then key and value by turns
    mapping_end,
    sequence_start,
    sequence_end,
    key,
    scalar,
    failed,  // see error(); nothing comes after it
  };

  Type type = Type::stream_end;
  ScalarStyle style = ScalarStyle::plain;
  bool in_source = true;  // text points into the source, else it lasts until next()
  std::string_view text;  // of a key or scalar; a missing value is plain and ""
  std::size_t begin = 0;  // bytes of the source, with quotes
  std::size_t end = 0;
};

class YamlReader {
 public:
  /// `limits.max_nodes` counts values, `max_depth` never counts for more than
  /// kDepthCeiling, `max_bytes` for no more than 4 GiB.
  explicit YamlReader(std::string_view source, const Limits& limits = {});

  /// The next event. Duplicate keys are noticed at the end of their mapping: until
  /// stream_end nothing that was read is sure.
  const YamlEvent& next();
  [[nodiscard]] const YamlEvent& event() const { return event_; }
  /// After a start event: passes over everything up to the matching end, which
  /// becomes event(). After anything else it does nothing. False on failure.
  bool skip();

  /// Where the last key, scalar or closing bracket ended: behind it only blanks follow.
  [[nodiscard]] std::size_t content_end() const { return content_end_; }
  [[nodiscard]] const ParseError& error() const { return error_; }
  [[nodiscard]] std::string_view source() const { return source_; }

 private:
  using Type = YamlEvent::Type;
  using Kind = ParseError::Kind;

  // flow_item and those behind it stand between brackets.
  enum class State : std::uint8_t {
    stream,
    root,
    root_done,
    block_key,
    block_value,
    block_explicit_value,
    block_no_value,
    block_item,
    flow_item,
    flow_item_done,
    flow_key,
    flow_value,
    flow_value_done,
    pair_value,
    pair_done
  };

  struct Frame {
    State state = State::stream;
    bool beside_key = false;  // a sequence at the indent of the key it belongs to
    bool quoted_key = false;  // between brackets: then `:` needs no space behind it
    Column indent = -1;       // between brackets: of the block around them
    YamlKeys::Mark keys;
  };

  bool step();
  bool read_stream();
  bool open_document();
  bool end_document();
  bool read_block_key();
  bool read_implicit_key();
  bool read_explicit_key();
  bool read_explicit_scalar(YamlScalar& key);
  bool read_block_item();
  bool read_after(Column parent, bool compact);
  bool read_node(Column parent, bool block_allowed);
  bool read_quoted(Column parent, bool block_allowed);
  bool read_plain(Column parent, bool block_allowed);
  bool open_block(Type type, State state, Column indent, std::size_t at);
  bool open_mapping(Column column, const YamlScalar& key, State state);
  bool open_flow(Column parent);

  bool read_flow_item();
  bool read_flow_node();
  bool read_flow_scalar(YamlScalar& out);
  bool read_flow_key();
  bool read_flow_value();
  bool read_flow_next(char close, State again);
  bool read_pair_value();
  bool close_flow();
  bool refuse_start();

  bool push(State state, Column indent);
  bool emit(Type type, std::size_t begin, std::size_t end);
  bool emit_scalar(Type type, const YamlScalar& scalar);
  bool emit_nothing(std::size_t at);
  bool add_key(const YamlScalar& key);
  bool close(Type type);
  bool fail(Kind kind, std::size_t at, std::string_view detail = "");

  std::string_view source_;
  YamlScanner scan_;
  YamlKeys keys_;
  std::size_t max_depth_;
  std::size_t nodes_left_;
  std::vector<Frame> frames_;
  std::size_t flow_start_ = 0;  // of the outermost brackets
  std::size_t content_end_ = 0;
  YamlEvent event_;
  YamlEvent pending_;  // the key behind the mapping_start just given
  bool has_pending_ = false;
  ParseError error_{};
};

}  // namespace cg::yaml
