// Events of the store of solved examples: what a run looked at, and what counts no longer; a part
// of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"
#include "trust/record/event_learn.h"

namespace cg::record {

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
