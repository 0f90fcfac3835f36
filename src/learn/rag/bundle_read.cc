// Reading what another store wrote. Nothing of it is believed until the key of its own log, the
// paths to the signed head and a signer whom we know agree on it; then all of it is taken or none.
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "learn/rag/bundle.h"
#include "trust/audit/layout.h"
#include "trust/hash/blake3.h"
#include "trust/hash/merkle.h"
#include "trust/record/entry.h"
#include "trust/record/event_codec.h"
#include "trust/sign/sshsig.h"

namespace cg::rag {

namespace {

constexpr std::size_t kMaxBundleNodes = 8'000'000;

/// The entries of one record's write, each proven, applied in order as the origin's log was.
class Replay {
 public:
  Replay(const record::TreeHead& head, const json::Value& record) : head_(head), record_(record) {}

  Result<Carried, std::string> run() {
    const json::Value* lines = record_.find("lines");
    const json::Value* paths = record_.find("paths");
    const json::Value* seq = record_.find("seq");
    const auto first = seq == nullptr ? std::nullopt : seq->as_int();
    if (lines == nullptr || paths == nullptr || !first || *first < 0 || !lines->is_array() ||
        !paths->is_array() || lines->as_array()->empty() ||
        lines->as_array()->size() != paths->as_array()->size()) {
      return fail(std::string("a record without its entries and their proofs"));
    }
    const auto from = static_cast<std::uint64_t>(*first);
    for (std::size_t i = 0; i < lines->as_array()->size(); ++i) {
      const std::string wrong = take((*lines->as_array())[i], (*paths->as_array())[i], from + i);
      if (!wrong.empty()) return fail(wrong);
    }
    const std::string id = record_.text("id");
    if (ledger_.entries().size() != 1 || ledger_.entries().front().id != id) {
      return fail("entry " + std::to_string(from) + " does not hold record " +
                  printable(cut(id, 40)));
    }
    const Entry& entry = ledger_.entries().front();
    return Carried{entry.id, entry.text, entry.example, entry.seq};
  }

 private:
  std::string take(const json::Value& line_value, const json::Value& path_value,
                   std::uint64_t seq) {
    const std::string at = "entry " + std::to_string(seq);
    const std::string* line = line_value.as_string();
    const json::Value::Array* steps = path_value.as_array();
    if (line == nullptr || steps == nullptr || steps->size() > 64) return at + " is no entry";
    std::vector<hash::Digest> path;
    for (const json::Value& step : *steps) {
      const std::string* text = step.as_string();
      const auto digest = text == nullptr ? std::nullopt : hash::parse_digest(*text);
      if (!digest) return at + " has a proof that is none";
      path.push_back(*digest);
    }
    if (!hash::proves_inclusion(hash::leaf_hash(as_bytes(*line)), seq, head_.size, path,
                                head_.root)) {
      return at + " is not in the log that was signed";
    }
    const auto entry = record::parse_entry(*line);
    const auto event =
        entry ? record::decode_body(entry->kind, entry->body)
              : Result<record::Event, record::EventError>(fail(record::EventError::bad_body));
    if (!event || entry->log != head_.log || entry->seq != seq ||
        event->as<record::SolvedExampleWritten>() == nullptr) {
      return at + " writes no example";
    }
    ledger_.apply(*event, seq, entry->prev);
    return "";
  }

  const record::TreeHead& head_;
  const json::Value& record_;
  Ledger ledger_;
};

}  // namespace

Result<Verified, std::string> read_bundle(std::string_view bytes,
                                          const sign::AllowedSigners& signers, Time now) {
  json::Limits limits;
  limits.max_bytes = kMaxBundle;
  limits.max_depth = 6;
  limits.max_nodes = kMaxBundleNodes;
  const auto value = json::parse_json(bytes, limits);
  if (!value) return fail(json::describe(value.error()));
  const json::Value* records = value->find("records");
  if (value->text("schema") != "codegenie/rag-bundle/v1" || records == nullptr ||
      !records->is_array()) {
    return fail(std::string("it is no export of this version"));
  }
  const std::string checkpoint = value->text("checkpoint");
  const auto key = sign::NoteKey::parse(value->text("key"));
  if (!key) return fail(std::string("it does not name the key of its log"));
  const auto head = record::open_checkpoint(checkpoint, *key);
  if (!head) return fail("its checkpoint " + record::describe(head.error()));
  if (head->log != value->text("log")) return fail(std::string("its checkpoint is of another log"));
  const auto signer =
      sign::ssh_verify(value->text("signature"), audit::kAnchorNamespace, checkpoint);
  if (!signer) return fail("the signature over its checkpoint: " + sign::describe(signer.error()));
  if (!sign::find_signer(signers, *signer, audit::kAnchorNamespace, now)) {
    return fail("nobody here trusts who signed it: " + sign::ssh_fingerprint(*signer));
  }
  Verified out{head->log,
               hash::blake3(as_bytes(checkpoint)),
               hash::blake3(as_bytes(bytes)),
               sign::ssh_fingerprint(*signer),
               {}};
  std::set<std::string> ids;
  for (const json::Value& record : *records->as_array()) {
    CG_TRY_ASSIGN(Carried carried, Replay(*head, record).run());
    if (!ids.insert(carried.id).second) return fail("record " + carried.id + " stands twice");
    out.records.push_back(std::move(carried));
  }
  return out;
}

}  // namespace cg::rag
