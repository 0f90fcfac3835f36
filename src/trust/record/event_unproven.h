// Events of what cannot be proven; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/record/event_data.h"

namespace cg::record {

struct BaseUnprovable {
  static constexpr std::string_view kKind = "base_unprovable";
  static constexpr std::string_view kSays =
      "The repository cannot be run as it is, so no fix of this lockfile can be proven; why";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t attempt = 0;  // from 1
  std::string cause;
  std::string group;  // which copies: see attempt_ended
  std::string lockfile;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("attempt", self.attempt, 0);
    f("cause", self.cause, 1024);
    f("group", self.group, 64);
    f("lockfile", self.lockfile, 512);
  }
  friend bool operator==(const BaseUnprovable&, const BaseUnprovable&) = default;
};

struct UnprovenWritten {
  static constexpr std::string_view kKind = "unproven_written";
  static constexpr std::string_view kSays =
      "A branch of the local repository holds a change that nothing was shown of, as was asked for";
  static constexpr Home kHome = Home::workflow;
  std::string branch;
  std::string commit;
  std::string state;  // as of branch_written
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("branch", self.branch, 256);
    f("commit", self.commit, 64);
    f("state", self.state, 16);
  }
  friend bool operator==(const UnprovenWritten&, const UnprovenWritten&) = default;
};

}  // namespace cg::record
