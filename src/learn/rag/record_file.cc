#include "learn/rag/record_file.h"

#include <algorithm>

#include "base/json/canonical.h"
#include "base/json/json.h"

namespace cg::rag {

namespace {

using json::Value;

constexpr std::string_view kRecordSchema = "codegenie/rag-record/v1";
constexpr std::string_view kIdStart = "rec-";
constexpr std::size_t kIdDigits = 24;

std::string quoted(std::string_view text) {
  std::string out;
  json::append_canonical_string(out, text);
  return out;
}

std::string write_origin(const Origin& origin) {
  return "{\"anchor\":\"" + to_hex(origin.anchor) + "\",\"bundle\":\"" + to_hex(origin.bundle) +
         "\",\"log\":" + quoted(origin.log) + ",\"seq\":" + std::to_string(origin.seq) +
         ",\"signer\":" + quoted(origin.signer) + "}";
}

std::optional<std::uint64_t> number_in(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  const auto number = found == nullptr ? std::nullopt : found->as_int();
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::optional<Origin> read_origin(const Value& value) {
  const auto anchor = hash::parse_digest(value.text("anchor"));
  const auto bundle = hash::parse_digest(value.text("bundle"));
  const auto seq = number_in(value, "seq");
  if (!anchor || !bundle || !seq) return std::nullopt;
  return Origin{*anchor, *bundle, value.text("log"), *seq, value.text("signer")};
}

}  // namespace

std::string write_record(const RecordFile& record) {
  return "{\"example\":" + record.example + ",\"head\":\"" + to_hex(record.head) +
         "\",\"log\":" + quoted(record.log) +
         (record.origin ? ",\"origin\":" + write_origin(*record.origin) : std::string()) +
         ",\"schema\":" + quoted(kRecordSchema) + ",\"seq\":" + std::to_string(record.seq) + "}\n";
}

Result<RecordFile, std::string> parse_record(std::string_view bytes) {
  json::Limits limits;
  limits.max_bytes = kMaxRecordFile;
  limits.max_depth = 10;
  limits.max_nodes = 4096;
  const auto value = json::parse_json(bytes, limits);
  if (!value) return fail(json::describe(value.error()));
  const Value* example = value->find("example");
  if (value->text("schema") != kRecordSchema || example == nullptr) {
    return fail(std::string("it is no record of this version"));
  }
  auto text = json::canonical(*example);
  const auto head = hash::parse_digest(value->text("head"));
  const auto seq = number_in(*value, "seq");
  const Value* origin = value->find("origin");
  auto from = origin == nullptr ? std::nullopt : read_origin(*origin);
  if (!text || !head || !seq || (origin != nullptr && !from)) {
    return fail(std::string("a field of it is missing or no such value"));
  }
  RecordFile out{*std::move(text), *head, value->text("log"), std::move(from), *seq};
  if (write_record(out) != bytes) return fail(std::string("it is not laid out as a record is"));
  return out;
}

bool is_record_id(std::string_view text) {
  return text.size() == kIdStart.size() + kIdDigits && text.starts_with(kIdStart) &&
         std::all_of(text.begin() + kIdStart.size(), text.end(),
                     [](char c) { return hex_digit(c) >= 0; });
}

std::string record_name(std::string_view id) { return std::string(id) + ".json"; }

}  // namespace cg::rag
