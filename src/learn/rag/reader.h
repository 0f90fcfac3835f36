// Reader: the store as somebody who plans a fix sees it. Changes nothing; any number at a time,
// beside a writer.
//
// Each record is judged against the log. A writer is waited for, so that files, index and log are
// read as they belong together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "learn/example/example.h"
#include "learn/rag/ledger.h"
#include "trust/record/event.h"
#include "trust/sign/allowed_signers.h"

namespace cg::rag {

/// Whether a record may be shown to anybody: only one that is verified.
enum class Provenance : std::uint8_t {
  verified,
  orphan,       // the log has no such write
  edited,       // other bytes than the log's, of the record or of its vectors
  foreign,      // of another log, and not imported with what proves it
  stale_model,  // has vectors, of another embedder alone
  quarantined,
};
/// "stale_model"
[[nodiscard]] std::string_view name(Provenance status);

struct Record {
  /// As its file is called, where the log does not know it; "file:" before one that is not called
  /// as records are, so that it is no other record's.
  std::string id;
  example::Example
      example;  // as the log has it, else as the file says; blank if that is no example
  Provenance status = Provenance::orphan;
  std::string why;             // one printable line; empty if it is verified
  std::vector<float> vectors;  // of the model that was asked for; empty: none are kept
  /// Of those that the log has, digest_of(), where none are kept: others than these are not its
  /// own.
  std::optional<hash::Digest> lost = {};
  std::uint64_t seq = 0;  // of the log, where its write begins
  std::optional<Origin> origin;
  hash::Digest digest{};  // BLAKE3 of its file; zeros: there is none
  std::string file = {};  // its name in records/, where the log does not know it

  [[nodiscard]] bool may_count() const { return status == Provenance::verified; }
};

class Reader {
 public:
  /// `model` is the embedder whose vectors are wanted; of an empty one none are, and none is stale.
  [[nodiscard]] static Result<Reader, Problem> open(const os::Dir& home,
                                                    const std::string& model = "");

  /// In the order of the log; what the log does not know comes last, by name.
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  /// Those of a partition, and those of which nobody can tell: they are to be told of too.
  [[nodiscard]] std::vector<const Record*> all(const example::Partition& partition) const;
  [[nodiscard]] const Record* find(std::string_view id) const;

  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  /// What of manifest and index is not as the log says, one line each. Records are judged without
  /// them, so they harm nobody; whoever writes next makes them anew.
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
  [[nodiscard]] const std::string& manifest_fault() const { return manifest_fault_; }

 private:
  friend class Writer;  // reads with its own lock held
  [[nodiscard]] static Result<Reader, Problem> read(const os::Dir& home, const std::string& model);
  explicit Reader(Ledger ledger) : ledger_(std::move(ledger)) {}
  Ledger ledger_;
  std::vector<Record> records_;
  std::vector<std::string> faults_;
  std::string manifest_fault_;
};

/// What the log has of a record's vectors.
[[nodiscard]] hash::Digest digest_of(std::span<const float> vectors);

/// The events of those among `records` that may not count, for the stream of a run.
[[nodiscard]] record::Events excluded(const std::vector<const Record*>& records,
                                      const std::string& advisory, std::uint64_t attempt);

/// What a run has of each record that it looked at.
struct Seen {
  std::string id;
  double similarity = 0;
  Provenance status = Provenance::verified;
};
/// Made one event, the nearest first, as many as there is room for.
[[nodiscard]] record::RagQuery query_event(std::vector<Seen> seen, const std::string& advisory,
                                           std::uint64_t attempt, const std::string& model);

/// What a manifest is, compared with what the log says: "as the log says", "missing", "unreadable",
/// "of another log", "behind", "ahead", "another".
[[nodiscard]] std::string compare_manifest(const os::Dir& rag, const Ledger& ledger);

}  // namespace cg::rag
