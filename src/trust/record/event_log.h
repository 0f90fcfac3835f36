// Events of the log itself and of every workflow; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct LogCreated {
  static constexpr std::string_view kKind = "log_created";
  static constexpr std::string_view kSays = "A log begins; the key that signs its checkpoints";
  static constexpr Home kHome = Home::spanning;
  std::string key;   // a signed-note verifier key
  std::string tool;  // program and version
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("key", self.key, 256);
    f("tool", self.tool, 64);
  }
  friend bool operator==(const LogCreated&, const LogCreated&) = default;
};

struct TailRepaired {
  static constexpr std::string_view kKind = "tail_repaired";
  static constexpr std::string_view kSays =
      "A write that never finished was cut off; nothing acknowledged was lost";
  static constexpr Home kHome = Home::spanning;
  static constexpr Severity kSeverity = Severity::warning;
  hash::Digest digest{};  // BLAKE3 of the dropped bytes
  std::uint64_t dropped = 0;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("dropped", self.dropped, 0);
  }
  friend bool operator==(const TailRepaired&, const TailRepaired&) = default;
};

struct OperatorNoted {
  static constexpr std::string_view kKind = "operator_noted";
  static constexpr std::string_view kSays = "An operator left a remark";
  static constexpr Home kHome = Home::spanning;
  std::string text;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("text", self.text, 2048);
  }
  friend bool operator==(const OperatorNoted&, const OperatorNoted&) = default;
};

struct AnchorPublished {
  static constexpr std::string_view kKind = "anchor_published";
  static constexpr std::string_view kSays = "A checkpoint was handed out, signed by the operator";
  static constexpr Home kHome = Home::spanning;
  std::string file;
  std::string method;  // ssh, gpg or unsigned
  hash::Digest root{};
  std::string signer;  // fingerprint of the key
  std::uint64_t size = 0;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("file", self.file, 64);
    f("method", self.method, 16);
    f("root", self.root, 64);
    f("signer", self.signer, 128);
    f("size", self.size, 0);
  }
  friend bool operator==(const AnchorPublished&, const AnchorPublished&) = default;
};

struct WorkflowStarted {
  static constexpr std::string_view kKind = "workflow_started";
  static constexpr std::string_view kSays = "A workflow begins, with a stream of its own";
  static constexpr Home kHome = Home::spanning;
  std::string task;
  std::string workflow;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("task", self.task, 64);
    f("workflow", self.workflow, 26);
  }
  friend bool operator==(const WorkflowStarted&, const WorkflowStarted&) = default;
};

struct WorkflowEnded {
  static constexpr std::string_view kKind = "workflow_ended";
  static constexpr std::string_view kSays =
      "A workflow is over; how many entries its stream holds and their head";
  static constexpr Home kHome = Home::spanning;
  std::uint64_t count = 0;
  hash::Digest head{};
  std::string outcome;
  std::string workflow;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("count", self.count, 0);
    f("head", self.head, 64);
    f("outcome", self.outcome, 64);
    f("workflow", self.workflow, 26);
  }
  friend bool operator==(const WorkflowEnded&, const WorkflowEnded&) = default;
};

struct CheckRan {
  static constexpr std::string_view kKind = "check_ran";
  static constexpr std::string_view kSays = "One check of the machine and what it found";
  static constexpr Home kHome = Home::workflow;
  std::string check;
  std::string detail;
  std::string status;  // ok, warn or fail
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("check", self.check, 64);
    f("detail", self.detail, 512);
    f("status", self.status, 8);
  }
  friend bool operator==(const CheckRan&, const CheckRan&) = default;
};

}  // namespace cg::record
