#include "learn/rag/manifest.h"

#include "base/yaml/yaml.h"
#include "learn/rag/record_file.h"
#include "trust/hash/blake3.h"

namespace cg::rag {

namespace {

constexpr std::string_view kManifestSchema = "codegenie/rag-manifest/v1";
constexpr std::size_t kMaxRows = 200'000;

std::string word_of(const Manifest::Row& row) {
  return to_hex(row.digest) + (row.quarantined ? " quarantined" : "");
}

std::optional<Manifest::Row> parse_row(const std::string& id, const json::Value& value) {
  const std::string* word = value.as_string();
  if (word == nullptr || !is_record_id(id)) return std::nullopt;
  const auto digest = hash::parse_digest(std::string_view(*word).substr(0, 64));
  if (!digest) return std::nullopt;
  return Manifest::Row{id, *digest, word->size() > 64};
}

}  // namespace

hash::Digest head_of(const Manifest& manifest) {
  static const hash::ChainHash kStep("codegenie 2026 rag manifest v1");
  hash::Digest head{};
  for (const Manifest::Row& row : manifest.rows) {
    head = kStep.next(head, as_bytes(row.id + " " + word_of(row)));
  }
  return head;
}

std::string write_manifest(const Manifest& manifest) {
  std::string out = "schema: " + std::string(kManifestSchema) + "\nlog: \"" + manifest.log +
                    "\"\nentries: " + std::to_string(manifest.entries) +
                    "\nhead: " + hash::blake3_name(head_of(manifest)) + "\nrecords:";
  if (manifest.rows.empty()) return out + " {}\n";
  out += '\n';
  for (const Manifest::Row& row : manifest.rows) {
    out += "  " + row.id + ": \"" + word_of(row) + "\"\n";
  }
  return out;
}

Result<Manifest, std::string> parse_manifest(std::string_view yaml) {
  json::Limits limits;
  limits.max_bytes = kMaxManifest;
  limits.max_depth = 4;
  limits.max_nodes = kMaxRows + 16;
  const auto value = yaml::parse_yaml(yaml, limits);
  if (!value) return fail(json::describe(value.error()));
  const json::Value* entries = value->find("entries");
  const json::Value* records = value->find("records");
  const std::int64_t count = entries == nullptr ? -1 : entries->as_int().value_or(-1);
  if (value->text("schema") != kManifestSchema || count < 0 || records == nullptr ||
      !records->is_object()) {
    return fail(std::string("it is no manifest of this version"));
  }
  Manifest out{value->text("log"), static_cast<std::uint64_t>(count), {}};
  for (const auto& [id, word] : *records->as_object()) {
    const auto row = parse_row(id, word);
    if (!row) return fail(std::string("a record of it is not laid out as one is"));
    out.rows.push_back(*row);
  }
  // One spelling, so a head that does not follow from the rows is found here too.
  if (write_manifest(out) != yaml) return fail(std::string("its head is not that of its records"));
  return out;
}

}  // namespace cg::rag
