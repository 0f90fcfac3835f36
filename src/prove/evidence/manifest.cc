#include "prove/evidence/manifest.h"

#include "base/archive/tar.h"
#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "base/json/json.h"
#include "trust/hash/blake3.h"
#include "trust/hash/sha256.h"
#include "trust/hash/tree_digest.h"
#include "trust/record/checkpoint.h"
#include "trust/record/proof.h"

namespace cg::evidence {

namespace {

using json::Value;

/// What the checkpoint in the proof claims; judged by verify_bundle().
Value chain_head(const Files& files) {
  const auto found = files.find(kProof);
  if (found == files.end()) return {};
  const auto proof = record::parse_proof(found->second);
  if (!proof) return {};
  const auto note = sign::parse_note(proof->checkpoint);
  if (!note) return {};
  const auto head = record::parse_tree_head(note->text);
  return head ? Value("blake3:" + to_hex(head->head)) : Value();
}

bool is_content(std::string_view path) {
  return path != kManifest && path != kSignature && path != kEvents && !path.starts_with("proof/");
}

}  // namespace

std::string manifest_text(const Files& files, const std::string& workflow,
                          const std::string& tool) {
  Value::Array rows;
  for (const auto& [path, bytes] : files) {
    if (path == kManifest || path == kSignature) continue;
    rows.push_back(Value::Object{{"path", path},
                                 {"bytes", static_cast<std::int64_t>(bytes.size())},
                                 {"sha256", to_hex(hash::sha256(as_bytes(bytes)))},
                                 {"blake3", to_hex(hash::blake3(as_bytes(bytes)))}});
  }
  return json::write_json_pretty(Value::Object{{"schema", "codegenie/evidence/v1"},
                                               {"workflow", workflow},
                                               {"tool", tool},
                                               {"chain_head", chain_head(files)},
                                               {"files", rows}});
}

hash::Digest content_digest(const Files& files) {
  std::vector<hash::TreeEntry> entries;
  for (const auto& [path, bytes] : files) {
    if (!is_content(path)) continue;
    entries.push_back({path, hash::TreeEntry::Kind::file, hash::blake3(as_bytes(bytes))});
  }
  return hash::tree_digest(std::move(entries));
}

std::string branch_folder(std::size_t index, std::size_t count) {
  return count == 1 ? "" : "branches/" + std::to_string(index + 1) + "/";
}

std::string tar_of(const Files& files, const std::string& workflow) {
  archive::TarWriter tar(0);
  for (const auto& [path, bytes] : files) {
    const auto added = tar.add(workflow + "/" + path, bytes);
    CG_ASSERT(added.has_value());  // names are ours, sizes bounded
  }
  return std::move(tar).finish();
}

}  // namespace cg::evidence
