#include "vuln/provenance/sbom_pieces.h"

#include "base/json/parsing.h"

namespace cg::provenance {

namespace {

constexpr std::size_t kMaxPieceNodes = 100'000;
constexpr std::size_t kMaxMembers = 1'000;

}  // namespace

Result<SbomPieces, SbomError> SbomPieces::read(std::string_view text) {
  if (text.size() > kMaxSbomBytes) {
    return fail(SbomError{SbomError::Kind::too_large, {}, "larger than 128 MiB"});
  }
  SbomPieces out(text);
  json::JsonReader reader(text, {.max_bytes = kMaxSbomBytes});
  json::JsonReader::Key key;
  bool sound = reader.begin_object();
  while (sound && reader.next_key(key)) {
    const std::uint32_t begin = reader.next_offset();
    sound = reader.skip();
    if (out.members_.size() == kMaxMembers) return fail(out.wrong(text, "the document"));
    if (sound)
      out.members_[std::string(key.text)] = text.substr(begin, reader.end_offset() - begin);
  }
  if (!sound || !reader.finish()) {
    const json::ParseError error = reader.error();
    return fail(SbomError{SbomError::Kind::syntax, error.at, json::describe_what(error)});
  }
  return out;
}

SbomError SbomPieces::wrong(std::string_view where, std::string_view what) const {
  const auto offset = static_cast<std::size_t>(where.data() - text_.data());
  return {SbomError::Kind::shape, json::locate(text_, offset),
          "`" + json::excerpt(what) + "` is not what it should be"};
}

Result<json::Value, SbomError> SbomPieces::piece(std::string_view text) const {
  auto value = json::parse_json(text, {.max_bytes = kMaxPieceBytes, .max_nodes = kMaxPieceNodes});
  if (value) return *std::move(value);
  const auto offset =
      static_cast<std::size_t>(text.data() - text_.data()) + value.error().at.offset;
  const auto kind = value.error().kind == json::ParseError::Kind::too_large
                        ? SbomError::Kind::too_large
                        : SbomError::Kind::syntax;
  return fail(SbomError{kind, json::locate(text_, offset), json::describe_what(value.error())});
}

json::Value SbomPieces::value_of(std::string_view key) const {
  const auto member = members_.find(key);
  if (member == members_.end()) return {};
  auto value = piece(member->second);
  return value ? *std::move(value) : json::Value();
}

std::string SbomPieces::text_of(std::string_view key) const {
  const json::Value value = value_of(key);
  return value.is_string() ? *value.as_string() : std::string();
}

std::string text_in(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value != nullptr && value->is_string() ? *value->as_string() : std::string();
}

}  // namespace cg::provenance
