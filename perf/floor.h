// The floor beneath audit::verify(): the same files, the same bytes, the hashes that
// the format defines over them, and nothing else. Nothing is parsed or compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/os/dir.h"
#include "trust/hash/digest.h"

namespace cg::perf {

/// The files of a log by what has to be done with them, sorted. Paths beneath the
/// folder of events.
struct LogFiles {
  std::vector<std::string> sealed;  // segments of the spanning stream
  std::string open;                 // its open file
  std::vector<std::string> workflows;
  std::vector<std::string> plain;  // tiles, checkpoint, derived state: read, no more
};
[[nodiscard]] LogFiles files_of(const os::Dir& events);

/// What the hashing gave, to compare with what the verifier found.
struct Hashed {
  hash::Digest head{};  // of the chain of the spanning stream
  hash::Digest root{};  // of the tree over it
  std::uint64_t entries = 0;
};

/// The floor of row 15: read, decompress, cut at newlines, one chain step and one
/// leaf hash a line, one node hash for every two.
[[nodiscard]] Hashed hash_lines(const os::Dir& events, const LogFiles& files);

/// A harsher floor that is not the bar, because it is not the format: read,
/// decompress, one BLAKE3 over all of it.
[[nodiscard]] hash::Digest hash_in_bulk(const os::Dir& events, const LogFiles& files);

/// The lines of the sealed segments, one after the other.
[[nodiscard]] std::string sealed_lines(const os::Dir& events, const LogFiles& files);

}  // namespace cg::perf
