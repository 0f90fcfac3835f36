// Ledger: what the log says of the store.
//
// Read in one pass over the spanning stream, which hashes every line: the root over them has to be
// the one that the checkpoint is signed over, so each record in the ledger is proven to lie beneath
// the signed head, all by the same few hashes. What lies above the checkpoint does not count yet.
// Everything that the store holds follows from a ledger; nothing in the store adds to it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "learn/example/example.h"
#include "learn/rag/manifest.h"
#include "learn/rag/record_file.h"
#include "trust/hash/digest.h"
#include "trust/record/checkpoint.h"
#include "trust/record/event.h"
#include "trust/sign/note.h"

namespace cg::rag {

/// A record as the log has it.
struct Entry {
  std::string id;
  std::string text;  // canonical JSON
  example::Example example;
  std::uint64_t seq = 0;    // of the line in which its write begins
  std::uint64_t lines = 1;  // that the write takes
  hash::Digest head{};      // before that line
  std::optional<Origin> origin;
  std::string quarantined;                                   // why; empty: it is not
  std::map<std::string, hash::Digest, std::less<>> vectors;  // by model, of their bytes

  [[nodiscard]] RecordFile file(const std::string& log) const;
};

struct Workflow {
  bool ended = false;
  std::uint64_t entries = 0;  // of its stream, at its end
  hash::Digest head{};
};

class Ledger {
 public:
  /// One more entry of the spanning stream: its event, its number, the head before it.
  void apply(const record::Event& event, std::uint64_t seq, const hash::Digest& before);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] const Entry* find(std::string_view id) const;
  /// The record that says the same: the same case with the same answer, whoever found it and
  /// whatever run proved it.
  [[nodiscard]] const Entry* same_as(const example::Example& example) const;
  [[nodiscard]] const Workflow* workflow(std::string_view id) const;
  [[nodiscard]] bool used(const hash::Digest& statement) const { return used_.contains(statement); }
  /// Of the log, up to the last that says something of the store.
  [[nodiscard]] std::uint64_t counted() const { return counted_; }
  [[nodiscard]] Manifest manifest() const;

  std::string log;
  std::optional<sign::NoteKey> key;  // of the log
  std::string checkpoint;            // as it is on disk
  record::TreeHead signed_head;
  std::vector<hash::Digest> leaves;  // of the lines beneath it
  std::vector<std::string> lines;    // of writes of ours, where read_ledger() was asked for them
  std::vector<std::uint64_t> line_numbers;

 private:
  /// A record whose parts are not all there yet.
  struct Open {
    Entry entry;
    hash::Digest digest{};
    std::uint64_t next = 1;
    std::uint64_t parts = 0;
  };
  template <class E>
  void take_part(const E& event, std::uint64_t seq, const hash::Digest& before);
  void close(std::uint64_t seq);
  Entry* find_mutable(std::string_view id);

  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> by_id_;
  std::map<std::string, std::size_t, std::less<>> by_lesson_;
  std::map<std::string, Workflow, std::less<>> workflows_;
  std::set<hash::Digest> used_;
  std::optional<Open> open_;
  std::uint64_t counted_ = 0;
};

enum class Lines { forget, keep };

/// Stops at the first thing of the log that does not hold. Waits for a writer that is at it.
[[nodiscard]] Result<Ledger, Problem> read_ledger(const os::Dir& home, Lines lines = Lines::forget);

}  // namespace cg::rag
