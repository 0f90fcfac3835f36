#include "learn/rag/bundle.h"

#include "base/base/text.h"
#include "base/json/json.h"
#include "learn/rag/problems.h"
#include "trust/audit/layout.h"
#include "trust/hash/blake3.h"
#include "trust/hash/merkle.h"
#include "trust/sign/sshsig.h"

namespace cg::rag {

namespace {

using json::Value;

constexpr std::string_view kBundleSchema = "codegenie/rag-bundle/v1";

/// The lines of a write and their paths; nothing if they are not all beneath the head.
std::optional<Value> proven_record(const Ledger& ledger, const Entry& entry,
                                   std::span<const hash::Digest> leaves) {
  const auto first =
      std::lower_bound(ledger.line_numbers.begin(), ledger.line_numbers.end(), entry.seq);
  const auto at = static_cast<std::size_t>(first - ledger.line_numbers.begin());
  Value::Array lines;
  Value::Array paths;
  for (std::uint64_t i = 0; i < entry.lines; ++i) {
    if (entry.seq + i >= leaves.size() || at + i >= ledger.lines.size()) return std::nullopt;
    lines.emplace_back(ledger.lines[at + i]);
    Value::Array path;
    for (const hash::Digest& step : hash::inclusion_path(leaves, entry.seq + i)) {
      path.emplace_back(to_hex(step));
    }
    paths.emplace_back(std::move(path));
  }
  return Value::Object{{"id", entry.id},
                       {"lines", std::move(lines)},
                       {"paths", std::move(paths)},
                       {"seq", static_cast<std::int64_t>(entry.seq)}};
}

}  // namespace

Result<Exported, Problem> export_bundle(const Ledger& ledger, const SignedHead& head) {
  const auto signed_head = record::open_checkpoint(head.checkpoint, *ledger.key);
  if (!signed_head || signed_head->size > ledger.leaves.size()) {
    return fail(bad_bundle("the signed head is not one of this log"));
  }
  const std::span<const hash::Digest> leaves =
      std::span(ledger.leaves).first(static_cast<std::size_t>(signed_head->size));
  if (hash::tree_root(leaves) != signed_head->root) {
    return fail(bad_bundle("the signed head is not one of this log"));
  }
  Exported out;
  Value::Array records;
  for (const Entry& entry : ledger.entries()) {
    const bool ours = !entry.origin && entry.quarantined.empty();
    auto proven = ours ? proven_record(ledger, entry, leaves) : std::nullopt;
    if (!proven) {
      ++out.left_out;
      continue;
    }
    records.push_back(*std::move(proven));
    ++out.records;
  }
  out.bytes = json::write_json(Value::Object{{"checkpoint", head.checkpoint},
                                             {"key", ledger.key->str()},
                                             {"log", ledger.log},
                                             {"records", std::move(records)},
                                             {"schema", kBundleSchema},
                                             {"signature", head.signature}}) +
              "\n";
  if (out.bytes.size() > kMaxBundle) return fail(bad_bundle("more records than one file takes"));
  return out;
}

std::string OriginJudge::judge(const Origin& origin) const {
  const std::string path = std::string(kOrigins) + "/" + to_hex(origin.bundle) + ".json";
  const auto bytes = rag_ == nullptr ? Result<std::string, os::Error>(fail(os::Error{}))
                                     : rag_->read(path, kMaxBundle);
  if (!bytes) return "what it was imported with cannot be read";
  if (hash::blake3(as_bytes(*bytes)) != origin.bundle)
    return "what it was imported with was changed";
  for (const sign::AllowedSigner& signer : signers_->signers) {
    if (sign::ssh_fingerprint(signer.key) == origin.signer) return "";
  }
  return "nobody trusts any longer who signed its log";
}

std::string OriginJudge::why_not(const Entry& entry) {
  if (!entry.origin) return "";
  const auto known = known_.find(entry.origin->bundle);
  if (known != known_.end()) return known->second;
  return known_.emplace(entry.origin->bundle, judge(*entry.origin)).first->second;
}

}  // namespace cg::rag
