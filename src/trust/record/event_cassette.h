// Events of recorded exchanges; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct CassetteLoaded {
  static constexpr std::string_view kKind = "cassette_loaded";
  static constexpr std::string_view kSays = "Recorded exchanges stand in for a model";
  static constexpr Home kHome = Home::workflow;
  hash::Digest digest{};  // BLAKE3 of the file
  std::uint64_t exchanges = 0;
  std::string file;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("exchanges", self.exchanges, 0);
    f("file", self.file, 512);
  }
  friend bool operator==(const CassetteLoaded&, const CassetteLoaded&) = default;
};

struct CassetteMissed {
  static constexpr std::string_view kKind = "cassette_missed";
  static constexpr std::string_view kSays = "What would be asked was never recorded";
  static constexpr Home kHome = Home::workflow;
  static constexpr Severity kSeverity = Severity::warning;
  hash::Digest digest{};  // BLAKE3 of the prompt
  std::string file;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("file", self.file, 512);
  }
  friend bool operator==(const CassetteMissed&, const CassetteMissed&) = default;
};

struct CassetteRecorded {
  static constexpr std::string_view kKind = "cassette_recorded";
  static constexpr std::string_view kSays = "Exchanges with a model were kept, cleaned of secrets";
  static constexpr Home kHome = Home::workflow;
  hash::Digest digest{};
  std::uint64_t exchanges = 0;
  std::string file;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("exchanges", self.exchanges, 0);
    f("file", self.file, 512);
  }
  friend bool operator==(const CassetteRecorded&, const CassetteRecorded&) = default;
};

}  // namespace cg::record
