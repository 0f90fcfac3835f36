#include "codec/yaml.h"

#include <libfyaml.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "base/text.h"
#include "codec/parsing.h"
#include "codec/yaml_guard.h"

namespace cg::codec {

namespace {

using Kind = ParseError::Kind;

constexpr std::size_t kMostBytes = 4U << 20U;
constexpr std::string_view kDigits = "0123456789";

struct Free {
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
  void operator()(fy_token_iter* iter) const { fy_token_iter_destroy(iter); }
};

struct FreeEvent {
  fy_parser* parser = nullptr;
  void operator()(fy_event* event) const { fy_parser_event_free(parser, event); }
};

using Event = std::unique_ptr<fy_event, FreeEvent>;

/// `text` with LF line ends, the last one included: many of the ways to make
/// libfyaml 0.7.12 miscount need a CR or an end of text in an odd place.
std::string with_plain_line_ends(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 1);
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char c) { return c != '\r'; });
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

// --- the core schema ---

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text;
}

/// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text) {
  text = without_sign(text);
  const std::size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    if (!consists_of(without_sign(text.substr(mark + 1)), kDigits)) return false;
    text = text.substr(0, mark);
  }
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (point == std::string_view::npos) return consists_of(whole, kDigits);
  const std::string_view fraction = text.substr(point + 1);
  if (whole.empty()) return consists_of(fraction, kDigits);
  return consists_of(whole, kDigits) && (fraction.empty() || consists_of(fraction, kDigits));
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_infinite_or_nan(std::string_view text) {
  return is_one_of(text, {".nan", ".NaN", ".NAN"}) ||
         is_one_of(without_sign(text), {".inf", ".Inf", ".INF"});
}

std::optional<Value> to_integer(std::string_view digits, int base) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, failed] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (failed != std::errc()) return std::nullopt;
  return Value(value);
}

/// The value of a number, nothing if it does not fit.
std::optional<Value> resolve_number(std::string_view text) {
  if (text == "-0") return Value(-0.0);  // as in JSON
  if (consists_of(without_sign(text), kDigits)) return to_integer(text, 10);
  if (text.starts_with("0o")) return to_integer(text.substr(2), 8);
  if (text.starts_with("0x")) return to_integer(text.substr(2), 16);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::optional<double> value = parse_double(text);
  return value ? std::optional<Value>(*value) : std::nullopt;
}

bool is_number(std::string_view text) {
  const std::string_view digits = text.substr(std::min<std::size_t>(text.size(), 2));
  return (text.starts_with("0o") && consists_of(digits, "01234567")) ||
         (text.starts_with("0x") && consists_of(digits, "0123456789abcdefABCDEF")) ||
         is_float(text) || is_infinite_or_nan(text);
}

/// What a plain scalar stands for; nothing if it is a number that does not fit.
std::optional<Value> resolve(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return Value();
  if (is_one_of(text, {"true", "True", "TRUE"})) return Value(true);
  if (is_one_of(text, {"false", "False", "FALSE"})) return Value(false);
  return is_number(text) ? resolve_number(text) : std::optional<Value>(text);
}

// --- events to values ---

/// Plain for what is no scalar.
ScalarStyle style_of(fy_event& event) {
  switch (fy_event_get_node_style(&event)) {
    case FYNS_SINGLE_QUOTED:
      return ScalarStyle::single_quoted;
    case FYNS_DOUBLE_QUOTED:
      return ScalarStyle::double_quoted;
    case FYNS_LITERAL:
      return ScalarStyle::literal;
    case FYNS_FOLDED:
      return ScalarStyle::folded;
    default:
      return ScalarStyle::plain;
  }
}

class Reader {
 public:
  Reader(std::string_view source, const Limits& limits)
      : source_(source),
        text_(with_plain_line_ends(source)),
        max_depth_(std::min(limits.max_depth, kDepthCeiling)),
        nodes_left_(limits.max_nodes) {}

  Result<Value, ParseError> run() {
    if (!open()) return fail(ParseError{Kind::syntax, {}, "the YAML reader could not start"});
    CG_TRY_ASSIGN(Event event, next());  // the start of the stream
    CG_TRY_ASSIGN(event, next());
    if (event->type == FYET_STREAM_END) return Value();
    CG_TRY_ASSIGN(event, next());
    CG_TRY_ASSIGN(Value value, read_node(*event));
    CG_TRY_ASSIGN(event, next());  // the end of the document
    CG_TRY_ASSIGN(event, next());
    if (event->type != FYET_STREAM_END) return error(Kind::several_documents, *event);
    return value;
  }

 private:
  bool open() {
    fy_diag_cfg diag_cfg{};  // without a file and a function nothing is printed
    diag_cfg.level = FYET_ERROR;
    diag_.reset(fy_diag_create(&diag_cfg));
    if (diag_ == nullptr) return false;
    fy_diag_set_collect_errors(diag_.get(), true);
    fy_parse_cfg cfg{};
    cfg.search_path = "";
    cfg.flags =
        static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_JSON_NONE | FYPCF_DEFAULT_VERSION_1_2);
    cfg.diag = diag_.get();
    parser_.reset(fy_parser_create(&cfg));
    return parser_ != nullptr &&
           fy_parser_set_string(parser_.get(), text_.data(), text_.size()) == 0;
  }

  Result<Event, ParseError> next() {
    Event event(fy_parser_parse(parser_.get()), FreeEvent{parser_.get()});
    if (event == nullptr || fy_diag_got_error(diag_.get())) return fail(first_error());
    return event;
  }

  ParseError first_error() {
    void* iterator = nullptr;
    const fy_diag_error* found = fy_diag_errors_iterate(diag_.get(), &iterator);
    if (found == nullptr) return {Kind::syntax, reached_, "not YAML"};
    const fy_mark* mark = found->fyt == nullptr ? nullptr : fy_token_start_mark(found->fyt);
    if (mark != nullptr && mark->input_pos < reached_in_text_) restart();
    return {Kind::syntax, position(mark), excerpt(found->msg)};
  }

  Failure<ParseError> error(Kind kind, fy_event& event, std::string detail = "") {
    return fail(ParseError{kind, position(event), std::move(detail)});
  }

  Position position(fy_event& event) {
    const fy_mark* found = fy_event_start_mark(&event);
    if (found == nullptr) return position(nullptr);
    fy_mark mark = *found;
    const bool quoted = style_of(event) == ScalarStyle::single_quoted ||
                        style_of(event) == ScalarStyle::double_quoted;
    if (quoted && mark.input_pos > 0) --mark.input_pos;  // it means the first inside
    return position(&mark);
  }

  /// Where `mark` lies in the source. Marks come in order, but for errors; one
  /// that does not (or is not there) is taken for the last one.
  Position position(const fy_mark* mark) {
    const std::size_t end = mark == nullptr ? 0 : std::min(mark->input_pos, text_.size());
    std::size_t offset = reached_.offset;
    for (; reached_in_text_ < end && offset < source_.size(); ++offset) {
      if (source_[offset] != '\r') ++reached_in_text_;
    }
    reached_ = locate(source_, offset, reached_);
    return reached_;
  }

  void restart() {
    reached_ = {};
    reached_in_text_ = 0;
  }

  Result<Value, ParseError> read_node(fy_event& event) {
    if (nodes_left_ == 0) return error(Kind::too_many_nodes, event);
    --nodes_left_;
    const Position start = position(event);
    CG_TRY(check_properties(event));
    CG_TRY(check_indent(event, start));
    CG_TRY_ASSIGN(Value value, read_unplaced(event, start));
    return std::move(value).located_at(start);
  }

  Result<Value, ParseError> read_unplaced(fy_event& event, const Position& start) {
    if (event.type == FYET_SCALAR) return read_scalar(event);
    if (event.type != FYET_SEQUENCE_START && event.type != FYET_MAPPING_START) {
      return error(Kind::syntax, event, "expected a value");
    }
    if (depth_ == max_depth_) return error(Kind::too_deep, event);
    const bool block = fy_event_get_node_style(&event) == FYNS_BLOCK;
    const std::size_t outer = std::exchange(parent_column_, block ? start.column : 0);
    ++depth_;
    auto value = event.type == FYET_SEQUENCE_START ? read_sequence() : read_mapping();
    --depth_;
    parent_column_ = outer;
    return value;
  }

  /// libfyaml lets a value stand left of, or right below, what it belongs to.
  Result<Done, ParseError> check_indent(fy_event& event, const Position& start) {
    const fy_node_style style = fy_event_get_node_style(&event);
    if (style == FYNS_ANY || style == FYNS_LITERAL || style == FYNS_FOLDED) return Done{};
    const bool dash = event.type == FYET_SEQUENCE_START && style == FYNS_BLOCK;
    if (start.column + (dash ? 1 : 0) > parent_column_) return Done{};
    return error(Kind::syntax, event, "indented less than what it belongs to");
  }

  Result<Done, ParseError> check_properties(fy_event& event) {
    if (event.type == FYET_ALIAS) return error(Kind::yaml_feature, event, "an alias");
    if (fy_event_get_anchor_token(&event) != nullptr) {
      return error(Kind::yaml_feature, event, "an anchor");
    }
    if (fy_event_get_tag_token(&event) != nullptr) return error(Kind::yaml_feature, event, "a tag");
    return Done{};
  }

  Result<Value, ParseError> read_scalar(fy_event& event) {
    CG_TRY_ASSIGN(std::string text, text_of(event));
    if (style_of(event) != ScalarStyle::plain) return Value(std::move(text));
    std::optional<Value> value = resolve(text);
    if (!value) {
      return error(Kind::number_out_of_range, event, excerpt(text) + " (a string needs quotes)");
    }
    return *std::move(value);
  }

  /// Not by fy_token_get_text(), which takes the scanner's guess of the length
  /// for the length and returns memory it never wrote when the guess was high.
  Result<std::string, ParseError> text_of(fy_event& event) {
    std::string text;
    if (event.scalar.value == nullptr) return text;
    if (is_misread(source_of(event), style_of(event), parent_column_)) {
      return error(Kind::yaml_feature, event, "a scalar laid out like this");
    }
    const std::unique_ptr<fy_token_iter, Free> iter(fy_token_iter_create(event.scalar.value));
    int failed = iter == nullptr ? -1 : 0;
    const fy_iter_chunk* chunk = nullptr;
    while ((chunk = fy_token_iter_chunk_next(iter.get(), chunk, &failed)) != nullptr) {
      text.append(chunk->str, chunk->len);
    }
    if (failed != 0 || !is_utf8(text)) return error(Kind::bad_escape, event);
    return text;
  }

  std::string_view source_of(fy_event& event) {
    const fy_mark* start = fy_token_start_mark(event.scalar.value);
    const fy_mark* end = fy_token_end_mark(event.scalar.value);
    if (start == nullptr || end == nullptr || start->input_pos > end->input_pos) return "";
    const std::size_t from = std::min(start->input_pos, text_.size());
    return std::string_view(text_).substr(from, end->input_pos - start->input_pos);
  }

  Result<Value, ParseError> read_sequence() {
    Value::Array items;
    for (;;) {
      CG_TRY_ASSIGN(const Event event, next());
      if (event->type == FYET_SEQUENCE_END) return Value(std::move(items));
      CG_TRY_ASSIGN(Value item, read_node(*event));
      items.push_back(std::move(item));
    }
  }

  Result<Value, ParseError> read_mapping() {
    ObjectBuilder members;
    for (;;) {
      CG_TRY_ASSIGN(const Event event, next());
      if (event->type == FYET_MAPPING_END) return Value(std::move(members).take());
      CG_TRY_ASSIGN(std::string key, read_key(*event));
      if (members.has(key)) return error(Kind::duplicate_key, *event, excerpt(key));
      CG_TRY_ASSIGN(const Event value_event, next());
      CG_TRY_ASSIGN(Value value, read_node(*value_event));
      members.add(std::move(key), std::move(value));
    }
  }

  Result<std::string, ParseError> read_key(fy_event& event) {
    CG_TRY(check_properties(event));
    if (event.type != FYET_SCALAR) return error(Kind::bad_key, event);
    CG_TRY_ASSIGN(std::string key, text_of(event));
    if (style_of(event) == ScalarStyle::plain) {
      if (key.empty()) return error(Kind::bad_key, event);
      if (key == "<<") return error(Kind::yaml_feature, event, "a merge key");
    }
    return key;
  }

  std::string_view source_;
  std::string text_;  // what libfyaml reads; its tokens point into it
  std::size_t max_depth_;
  std::size_t nodes_left_;
  std::size_t depth_ = 0;
  std::size_t parent_column_ = 0;    // of the block collection around; 0 if there is none
  Position reached_;                 // in the source
  std::size_t reached_in_text_ = 0;  // the same place in text_
  std::unique_ptr<fy_diag, Free> diag_;
  std::unique_ptr<fy_parser, Free> parser_;
};

}  // namespace

Result<Value, ParseError> parse_yaml(std::string_view text, const Limits& limits) {
  Limits bounded = limits;
  bounded.max_bytes = std::min(limits.max_bytes, kMostBytes);
  CG_TRY(check_text(text, bounded));
  CG_TRY(guard_text(text));
  return Reader(text, limits).run();
}

}  // namespace cg::codec
