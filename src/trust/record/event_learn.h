// Events of the store of solved examples; a part of event.h.
//
// What makes the store is in the spanning stream, so that the store can be made again from it and
// each record be proven to lie beneath the signed head. What a run looked at is in the stream of
// the run. A text field holds kMaxPart bytes of a record at most: in whatever way they have to be
// escaped, they fit into a line. A longer record takes several lines, written at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

inline constexpr std::size_t kMaxPart = 10'000;

struct SolvedExampleWritten {
  static constexpr std::string_view kKind = "solved_example_written";
  static constexpr std::string_view kSays =
      "A solved example, whole: the parts of one record follow each other";
  static constexpr Home kHome = Home::spanning;
  hash::Digest digest{};    // BLAKE3 of the whole record
  std::uint64_t part = 0;   // from 1
  std::uint64_t parts = 0;  // of the record
  std::string record;
  std::string text;      // canonical JSON
  std::string workflow;  // that proved it
  std::uint64_t workflow_entries = 0;
  hash::Digest workflow_head{};  // of its stream after so many entries
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("part", self.part, 0);
    f("parts", self.parts, 0);
    f("record", self.record, 64);
    f("text", self.text, kMaxPart);
    f("workflow", self.workflow, 64);
    f("workflow_entries", self.workflow_entries, 0);
    f("workflow_head", self.workflow_head, 64);
  }
  friend bool operator==(const SolvedExampleWritten&, const SolvedExampleWritten&) = default;
};

struct SolvedExampleImported {
  static constexpr std::string_view kKind = "solved_example_imported";
  static constexpr std::string_view kSays =
      "A solved example that another log has, whole: with the head of that log and who signed it";
  static constexpr Home kHome = Home::spanning;
  hash::Digest anchor{};  // BLAKE3 of the origin's checkpoint that was signed
  hash::Digest bundle{};  // BLAKE3 of the file, kept as rag/origins/<it>.json
  hash::Digest digest{};
  std::string log;  // the origin's
  std::uint64_t part = 0;
  std::uint64_t parts = 0;
  std::string record;
  std::uint64_t seq = 0;  // of its write in the origin
  std::string signer;     // fingerprint
  std::string text;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("anchor", self.anchor, 64);
    f("bundle", self.bundle, 64);
    f("digest", self.digest, 64);
    f("log", self.log, 64);
    f("part", self.part, 0);
    f("parts", self.parts, 0);
    f("record", self.record, 64);
    f("seq", self.seq, 0);
    f("signer", self.signer, 128);
    f("text", self.text, kMaxPart);
  }
  friend bool operator==(const SolvedExampleImported&, const SolvedExampleImported&) = default;
};

struct SolvedExampleSkipped {
  static constexpr std::string_view kKind = "solved_example_skipped";
  static constexpr std::string_view kSays = "What was solved is no new example, or must not be one";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t attempt = 0;  // from 1
  std::string reason;
  std::string record;  // that says the same already; empty: none
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("reason", self.reason, 512);
    f("record", self.record, 64);
  }
  friend bool operator==(const SolvedExampleSkipped&, const SolvedExampleSkipped&) = default;
};

struct RagEmbedded {
  static constexpr std::string_view kKind = "rag_embedded";
  static constexpr std::string_view kSays =
      "A record has vectors of a model; the index keeps them, the log their digest";
  static constexpr Home kHome = Home::spanning;
  hash::Digest digest{};  // BLAKE3 of their bytes
  std::string model;      // id of the embedder
  std::string record;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("model", self.model, 256);
    f("record", self.record, 64);
  }
  friend bool operator==(const RagEmbedded&, const RagEmbedded&) = default;
};

struct RagQuery {
  static constexpr std::string_view kKind = "rag_query";
  static constexpr std::string_view kSays =
      "Which records were compared with a case, how near each is, and whether it may count";
  static constexpr Home kHome = Home::workflow;
  std::string advisory;
  std::uint64_t attempt = 0;   // from 1
  std::uint64_t compared = 0;  // records
  std::uint64_t left_out = 0;  // of `similarity`, for want of room: the ones farthest away
  std::string model;           // id of the embedder
  std::string similarity;      // "rec-… 0.873 verified", a line each, the nearest first
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("advisory", self.advisory, 64);
    f("attempt", self.attempt, 0);
    f("compared", self.compared, 0);
    f("left_out", self.left_out, 0);
    f("model", self.model, 256);
    f("similarity", self.similarity, kMaxPart);
  }
  friend bool operator==(const RagQuery&, const RagQuery&) = default;
};

struct RagRecordChainOrphan {
  static constexpr std::string_view kKind = "rag_record_chain_orphan";
  static constexpr std::string_view kSays =
      "A record that the log does not vouch for was there, and was not used";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::string advisory;
  std::uint64_t attempt = 0;  // from 1
  std::string reason;
  std::string record;
  std::string status;  // orphan, edited, foreign, stale_model, quarantined
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("advisory", self.advisory, 64);
    f("attempt", self.attempt, 0);
    f("reason", self.reason, 512);
    f("record", self.record, 64);
    f("status", self.status, 16);
  }
  friend bool operator==(const RagRecordChainOrphan&, const RagRecordChainOrphan&) = default;
};

struct RagQuarantined {
  static constexpr std::string_view kKind = "rag_quarantined";
  static constexpr std::string_view kSays =
      "A record counts no longer until somebody releases it; its file is kept";
  static constexpr Home kHome = Home::spanning;
  static constexpr Severity kSeverity = Severity::warning;
  hash::Digest digest{};  // BLAKE3 of its file; zeros: there was none
  std::string pattern;    // of the canary, that it matches; empty: none
  std::string reason;
  std::string record;
  std::string status;  // what it was
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("pattern", self.pattern, 64);
    f("reason", self.reason, 512);
    f("record", self.record, 64);
    f("status", self.status, 16);
  }
  friend bool operator==(const RagQuarantined&, const RagQuarantined&) = default;
};

struct RagReleased {
  static constexpr std::string_view kKind = "rag_released";
  static constexpr std::string_view kSays =
      "An operator signed that a record may count again; its file is made anew from the log";
  static constexpr Home kHome = Home::spanning;
  std::string reason;
  std::string record;
  std::string signer;        // fingerprint
  hash::Digest statement{};  // SHA-256 of what was signed; it is used up
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("reason", self.reason, 512);
    f("record", self.record, 64);
    f("signer", self.signer, 128);
    f("statement", self.statement, 64);
  }
  friend bool operator==(const RagReleased&, const RagReleased&) = default;
};

struct RagRepaired {
  static constexpr std::string_view kKind = "rag_repaired";
  static constexpr std::string_view kSays =
      "The store was behind the log, after a crash or because somebody put older files there";
  static constexpr Home kHome = Home::spanning;
  static constexpr Severity kSeverity = Severity::warning;
  std::uint64_t made = 0;   // files of records, from the log
  std::string manifest;     // what it was: "as the log says", "missing", "behind", "another", …
  std::uint64_t moved = 0;  // files that were not where they belong
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("made", self.made, 0);
    f("manifest", self.manifest, 64);
    f("moved", self.moved, 0);
  }
  friend bool operator==(const RagRepaired&, const RagRepaired&) = default;
};

}  // namespace cg::record
