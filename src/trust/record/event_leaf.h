// Events of asking a model; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct LeafKeyLoaded {
  static constexpr std::string_view kKind = "leaf_key_loaded";
  static constexpr std::string_view kSays = "The process that asks got its key, and from where";
  static constexpr Home kHome = Home::workflow;
  std::string memory;  // memfd_secret or locked
  std::string source;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("memory", self.memory, 32);
    f("source", self.source, 32);
  }
  friend bool operator==(const LeafKeyLoaded&, const LeafKeyLoaded&) = default;
};

struct LeafInvoked {
  static constexpr std::string_view kKind = "leaf_invoked";
  static constexpr std::string_view kSays = "A model was asked";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t attempt = 0;  // from 1
  std::uint64_t call = 0;
  hash::Digest digest{};  // BLAKE3 of the prompt
  std::string group;
  std::uint64_t max_tokens = 0;
  std::string model;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("call", self.call, 0);
    f("digest", self.digest, 64);
    f("group", self.group, 64);
    f("max_tokens", self.max_tokens, 0);
    f("model", self.model, 64);
  }
  friend bool operator==(const LeafInvoked&, const LeafInvoked&) = default;
};

struct LeafReturned {
  static constexpr std::string_view kKind = "leaf_returned";
  static constexpr std::string_view kSays = "A model answered";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t attempt = 0;  // from 1
  std::uint64_t call = 0;
  hash::Digest digest{};    // BLAKE3 of the answer as it came
  std::uint64_t input = 0;  // tokens
  std::string isolation;    // what held the process
  std::string model;        // as it calls itself
  std::string outcome;      // plan, to be judged, or violation of the protocol
  std::uint64_t output = 0;
  hash::Digest request{};     // BLAKE3 of what was sent
  std::uint64_t retries = 0;  // that it took
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, Added{});
    f("call", self.call, 0);
    f("digest", self.digest, 64);
    f("input", self.input, 0);
    f("isolation", self.isolation, 256);
    f("model", self.model, 64);
    f("outcome", self.outcome, 32);
    f("output", self.output, 0);
    f("request", self.request, 64);
    f("retries", self.retries, 0);
  }
  friend bool operator==(const LeafReturned&, const LeafReturned&) = default;
};

struct LeafFailed {
  static constexpr std::string_view kKind = "leaf_failed";
  static constexpr std::string_view kSays = "A model could not be asked, or gave no answer";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  std::uint64_t attempt = 0;  // from 1
  std::uint64_t call = 0;
  std::string detail;
  std::string kind;
  std::uint64_t retries = 0;
  std::uint64_t status = 0;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, Added{});
    f("call", self.call, 0);
    f("detail", self.detail, 512);
    f("kind", self.kind, 32);
    f("retries", self.retries, 0);
    f("status", self.status, 0);
  }
  friend bool operator==(const LeafFailed&, const LeafFailed&) = default;
};

struct EgressCertPinFailed {
  static constexpr std::string_view kKind = "egress_cert_pin_failed";
  static constexpr std::string_view kSays =
      "The server had a trusted certificate and not the pinned key: nothing was sent";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::block;
  std::string detail;
  std::string host;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("detail", self.detail, 256);
    f("host", self.host, 253);
  }
  friend bool operator==(const EgressCertPinFailed&, const EgressCertPinFailed&) = default;
};

}  // namespace cg::record
