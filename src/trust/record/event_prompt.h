// Events of making a prompt out of what others wrote; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct FenceCreated {
  static constexpr std::string_view kKind = "fence_created";
  static constexpr std::string_view kSays =
      "A text that others wrote stands in a prompt, between delimiters";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t bytes = 0;  // of the content
  hash::Digest digest{};    // BLAKE3 of the content
  std::uint64_t given = 0;  // bytes before
  std::string kind;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("bytes", self.bytes, 0);
    f("digest", self.digest, 64);
    f("given", self.given, 0);
    f("kind", self.kind, 32);
  }
  friend bool operator==(const FenceCreated&, const FenceCreated&) = default;
};

struct CanaryCollision {
  static constexpr std::string_view kKind = "canary_collision";
  static constexpr std::string_view kSays =
      "A text gives orders to its reader; what does was taken out";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::uint64_t bytes = 0;  // taken out
  std::string form;         // the normal form in which it was seen
  std::uint64_t hits = 0;
  std::string kind;
  hash::Digest list{};       // of the patterns
  std::uint64_t offset = 0;  // of the first
  std::string pattern;       // of the first
  std::string whole;         // yes: the segment was taken out
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("bytes", self.bytes, 0);
    f("form", self.form, 32);
    f("hits", self.hits, 0);
    f("kind", self.kind, 32);
    f("list", self.list, 64);
    f("offset", self.offset, 0);
    f("pattern", self.pattern, 64);
    f("whole", self.whole, 3);
  }
  friend bool operator==(const CanaryCollision&, const CanaryCollision&) = default;
};

struct SecretsRedacted {
  static constexpr std::string_view kKind = "secrets_redacted";
  static constexpr std::string_view kSays =
      "What looks like a token, key or password was taken out of a text for a prompt";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::uint64_t bytes = 0;  // taken out
  std::uint64_t found = 0;
  std::string kind;
  std::string rules;  // that found them
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("bytes", self.bytes, 0);
    f("found", self.found, 0);
    f("kind", self.kind, 32);
    f("rules", self.rules, 256);
  }
  friend bool operator==(const SecretsRedacted&, const SecretsRedacted&) = default;
};

struct PayloadTruncated {
  static constexpr std::string_view kKind = "payload_truncated";
  static constexpr std::string_view kSays = "A text was longer than its kind may be, and was cut";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t bytes = 0;  // left
  std::uint64_t given = 0;
  std::string kind;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("bytes", self.bytes, 0);
    f("given", self.given, 0);
    f("kind", self.kind, 32);
  }
  friend bool operator==(const PayloadTruncated&, const PayloadTruncated&) = default;
};

struct SegmentDropped {
  static constexpr std::string_view kKind = "segment_dropped";
  static constexpr std::string_view kSays =
      "A text was left out of a prompt: there was no room for it, or too many of its kind";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t given = 0;  // bytes
  std::string kind;
  std::string label;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("given", self.given, 0);
    f("kind", self.kind, 32);
    f("label", self.label, 512);
  }
  friend bool operator==(const SegmentDropped&, const SegmentDropped&) = default;
};

}  // namespace cg::record
