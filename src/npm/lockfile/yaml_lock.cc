#include "npm/lockfile/yaml_lock.h"

#include <utility>

#include "base/json/parsing.h"

namespace cg::lockfile {

namespace {

constexpr std::size_t kMaxNodes = 8'000'000;

json::Limits limits() { return {.max_bytes = kMaxLockBytes, .max_nodes = kMaxNodes}; }

std::uint32_t offset(std::size_t at) { return static_cast<std::uint32_t>(at); }

}  // namespace

YamlLock::YamlLock(GraphBuilder& builder) : builder_(builder), reader_(builder.text(), limits()) {}

const yaml::YamlEvent& YamlLock::advance() {
  return std::exchange(looked_, false) ? reader_.event() : reader_.next();
}

bool YamlLock::next_document() {
  while (reader_.next().type == Type::document_end) continue;
  return reader_.event().type == Type::document_start;
}

Span YamlLock::inside(const Event& event, std::string_view source) {
  if (!event.in_source) return {};
  const auto begin = offset(static_cast<std::size_t>(event.text.data() - source.data()));
  return {begin, begin + offset(event.text.size())};
}

std::string_view YamlLock::kept(const Event& event) {
  return event.in_source ? event.text : builder_.keep(std::string(event.text));
}

bool YamlLock::enter(std::string_view what, bool& there) {
  const Event& event = advance();
  there = event.type == Type::mapping_start;
  if (there || (event.type == Type::scalar && event.begin == event.end)) return true;
  if (event.type == Type::failed) return false;
  return fail(LockError::Kind::shape, offset(event.begin),
              json::excerpt(what) + " is not a mapping");
}

std::optional<YamlLock::Key> YamlLock::next_key(bool& there) {
  const Event& event = reader_.next();
  if (event.type == Type::mapping_end) there = false;
  if (event.type != Type::key) return std::nullopt;
  return Key{kept(event), offset(event.begin), inside(event, builder_.text())};
}

bool YamlLock::read(std::string_view what, std::string_view& out) {
  const Event& event = advance();
  if (event.type == Type::failed) return false;
  if (event.type != Type::scalar) {
    return fail(LockError::Kind::shape, offset(event.begin),
                json::excerpt(what) + " is not a text");
  }
  out = kept(event);
  scalar_at_ = inside(event, builder_.text());
  return true;
}

bool YamlLock::read(std::string_view what, bool& out) {
  std::string_view text;
  if (!read(what, text)) return false;
  out = text == "true";
  if (out || text == "false") return true;
  return fail(LockError::Kind::shape, offset(reader_.event().begin),
              json::excerpt(what) + " is neither true nor false");
}

bool YamlLock::peek_scalar() {
  if (!looked_) reader_.next();
  looked_ = true;
  return reader_.event().type == Type::scalar;
}

bool YamlLock::skip() {
  advance();
  return reader_.skip();
}

bool YamlLock::fail(LockError::Kind kind, std::uint32_t at, std::string what) {
  if (!error_) error_ = LockError{kind, json::locate(builder_.text(), at), std::move(what)};
  return false;
}

LockError YamlLock::error() const {
  if (error_) return *error_;
  const json::ParseError& error = reader_.error();
  const auto kind = error.kind == json::ParseError::Kind::too_large ? LockError::Kind::too_large
                                                                    : LockError::Kind::syntax;
  return {kind, error.at, json::describe_what(error)};
}

}  // namespace cg::lockfile
