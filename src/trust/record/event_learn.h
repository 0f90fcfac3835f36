// Events of solved examples that are written; a part of event.h.
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

struct PersonsFixRead {
  static constexpr std::string_view kKind = "persons_fix_read";
  static constexpr std::string_view kSays =
      "A person's own fix is to be proven and remembered: the commit, and whose signature it has";
  static constexpr Home kHome = Home::workflow;
  std::string base;  // the commit that it is compared with
  std::string commit;
  std::string signer;  // fingerprint
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("base", self.base, 64);
    f("commit", self.commit, 64);
    f("signer", self.signer, 128);
  }
  friend bool operator==(const PersonsFixRead&, const PersonsFixRead&) = default;
};

}  // namespace cg::record
