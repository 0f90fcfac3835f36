#include "vuln/vulnindex/bundle.h"

#include <optional>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::vulnindex {

namespace {

using json::Value;

constexpr std::string_view kManifest = "manifest.json";
constexpr std::string_view kRecords = "records.jsonl";
constexpr std::string_view kName = "codegenie/vuln-index-bundle/v1";
constexpr std::int64_t kMsPerSecond = 1000;

Error broken(const std::string& label, std::string what) {
  return {Error::Kind::corrupt, label, std::move(what)};
}

std::string text_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && value->is_string() ? *value->as_string() : std::string();
}

Result<Done, Error> read_line(std::string_view line, const std::string& where, Draft& draft,
                              const std::string& label) {
  const auto value = json::parse_json(line);
  if (!value) return fail(broken(label, where + ": " + json::describe(value.error())));
  const Value* record = value->find("record");
  const std::string source = text_of(*value, "source");
  if (record == nullptr || !record->is_string() || !is_source(source)) {
    return fail(broken(label, where + ": not a record of a bundle"));
  }
  const std::string& text = *record->as_string();
  const auto json = json::parse_json(text);
  if (!json) return fail(broken(label, where + ": " + json::describe(json.error())));
  Tally tally;
  draft.add(source, {text, *json, where}, tally);
  if (tally.kept != 1) return fail(broken(label, where + ": a record that cannot be taken in"));
  return Done{};
}

}  // namespace

std::string make_bundle(const Draft& draft, const Summary& summary) {
  std::string records;
  for (const auto& [key, kept] : draft.records()) {
    // The text as a string, not as JSON: the digest is over its very bytes.
    records += json::write_json(Value::Object{{"source", key.first}, {"record", kept.text}}) + "\n";
  }
  const std::string manifest = json::write_json_pretty(
      Value::Object{{"schema", kName},
                    {"built", to_iso(summary.built)},
                    {"digest", summary.digest},
                    {"records", static_cast<std::int64_t>(draft.records().size())}});
  archive::TarWriter tar(static_cast<std::uint64_t>(summary.built.ms / kMsPerSecond));
  const auto first = tar.add(kManifest, manifest);
  const auto second = tar.add(kRecords, records);
  CG_ASSERT(first && second);  // both names are ours, and the size is bounded by the readers
  return archive::zstd_compress(std::move(tar).finish());
}

Result<Bundle, Error> read_bundle(std::string_view bytes, const std::string& label) {
  const auto unpacked = archive::unzstd(bytes, {.max_entry = 1ULL << 30U});
  if (!unpacked) return fail(broken(label, archive::describe(unpacked.error())));
  std::optional<std::string> manifest;
  std::optional<std::string_view> records;
  const auto read =
      archive::read_tar(*unpacked, {.max_entry = 1ULL << 30U}, [&](const archive::Entry& entry) {
        if (entry.name == kManifest) manifest = entry.content;
        if (entry.name == kRecords) records = entry.content;
        return archive::Next::more;
      });
  if (!read) return fail(broken(label, archive::describe(read.error())));
  if (!manifest || !records) return fail(broken(label, "not a bundle of an advisory index"));
  const auto head = json::parse_json(*manifest);
  if (!head || text_of(*head, "schema") != kName) {
    return fail(broken(label, "its manifest cannot be read"));
  }
  const auto built = parse_iso(text_of(*head, "built"));
  if (!built) return fail(broken(label, "its manifest has no build time"));
  Bundle bundle{{}, *built, text_of(*head, "digest")};
  std::size_t number = 0;
  for (std::string_view line : split(*records, '\n')) {
    if (line.empty()) continue;
    const std::string where = std::string(kRecords) + ":" + std::to_string(++number);
    CG_TRY(read_line(line, where, bundle.draft, label));
  }
  if ("blake3:" + to_hex(digest_of(bundle.draft)) != bundle.digest) {
    return fail(broken(label, "its records do not have the digest that its manifest names"));
  }
  return bundle;
}

}  // namespace cg::vulnindex
