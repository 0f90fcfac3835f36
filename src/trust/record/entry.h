// Entry: one line of the log, as the exact bytes that are stored and hashed.
//
// {"v":1,"log":…,"stream":…,"seq":…,"t":…,"kind":…,"body":…,"prev":…}
// See doc/format/audit-log.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/domain/ids.h"
#include "trust/hash/blake3.h"
#include "trust/hash/digest.h"
#include "trust/record/event.h"

namespace cg::record {

constexpr std::size_t kMaxLine = 64 * 1024;  // bytes, without the newline
constexpr std::string_view kSpanning = "spanning";

/// What stands around an event: where in which log it is.
struct Place {
  std::string log;
  std::string stream;  // "spanning" or a workflow id
  std::uint64_t seq = 0;
  Time t;
  hash::Digest prev{};  // the head before this line
};

/// A line taken apart. The views point into it.
struct Entry {
  std::string_view log;
  std::string_view stream;
  std::uint64_t seq = 0;
  Time t;
  std::string_view kind;
  std::string_view body;
  hash::Digest prev{};
};

enum class EntryError { too_long, malformed };

/// Without the newline.
[[nodiscard]] std::string encode_entry(const Place& place, const Event& event);
/// Accepts exactly the envelope that encode_entry() writes. The body is not looked
/// into: decode_body() does that.
[[nodiscard]] Result<Entry, EntryError> parse_entry(std::string_view line);

/// The head of the chain before the first entry.
inline constexpr hash::Digest kGenesis{};

/// The head after `line`, given the head before it. Made once, used for every line.
class Chain {
 public:
  Chain() : step_("codegenie 2026 event chain v1") {}
  [[nodiscard]] hash::Digest next(const hash::Digest& head, std::string_view line) const {
    return step_.next(head, as_bytes(line));
  }

 private:
  hash::ChainHash step_;
};

}  // namespace cg::record
