// Events that somebody should be woken for, whatever was being done; a part of event.h.
#pragma once

#include <string>
#include <string_view>

#include "trust/record/event_data.h"

namespace cg::record {

struct EgressViolation {
  static constexpr std::string_view kKind = "egress_violation";
  static constexpr std::string_view kSays =
      "The program tried to open a connection, which it must not and could not";
  static constexpr Home kHome = Home::spanning;
  static constexpr Severity kSeverity = Severity::block;
  std::string call;    // the system call
  std::string detail;  // what it asked for
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("call", self.call, 32);
    f("detail", self.detail, 128);
  }
  friend bool operator==(const EgressViolation&, const EgressViolation&) = default;
};

struct PluginRejected {
  static constexpr std::string_view kKind = "plugin_rejected";
  static constexpr std::string_view kSays =
      "Plugins are not as they are pinned, or cannot be read: nothing was planned with them";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::block;
  std::string code;  // of the problem that it ended with
  std::string reason;
  std::string where;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("code", self.code, 32);
    f("reason", self.reason, 512);
    f("where", self.where, 512);
  }
  friend bool operator==(const PluginRejected&, const PluginRejected&) = default;
};

struct FilesystemRaceDetected {
  static constexpr std::string_view kKind = "filesystem_race_detected";
  static constexpr std::string_view kSays =
      "A file was not what it had been when it was read before: somebody changed it meanwhile";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::block;
  std::string path;
  std::string what;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("path", self.path, 512);
    f("what", self.what, 256);
  }
  friend bool operator==(const FilesystemRaceDetected&, const FilesystemRaceDetected&) = default;
};

}  // namespace cg::record
