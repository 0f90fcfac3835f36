// A record as a file: the example with what proves that the log has it.
//
//   {"example":{…},"head":…,"log":…,"seq":…,"schema":"codegenie/rag-record/v1"}
//
// `seq` is the entry of the log in which its write begins and `head` the head before that entry.
// One that came from another log names it too. The file follows from the log byte for byte, so
// what is in it is never believed: it is compared. parse() only tells what a deviating one claims.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "trust/hash/digest.h"

namespace cg::rag {

/// Where an imported record was written first.
struct Origin {
  hash::Digest anchor{};  // BLAKE3 of the checkpoint that was signed
  hash::Digest bundle{};  // BLAKE3 of the file it came in
  std::string log;
  std::uint64_t seq = 0;  // there
  std::string signer;     // fingerprint
  friend bool operator==(const Origin&, const Origin&) = default;
};

struct RecordFile {
  std::string example;  // canonical JSON
  hash::Digest head{};
  std::string log;
  std::optional<Origin> origin;
  std::uint64_t seq = 0;
  friend bool operator==(const RecordFile&, const RecordFile&) = default;
};

inline constexpr std::size_t kMaxRecordFile = 256U << 10U;

[[nodiscard]] std::string write_record(const RecordFile& record);
/// Takes exactly what write_record() writes. What is wrong otherwise, for a person; whether the
/// example in it is one is for example::parse() to say.
[[nodiscard]] Result<RecordFile, std::string> parse_record(std::string_view bytes);

/// "rec-" and 24 hexadecimal digits: becomes part of a path.
[[nodiscard]] bool is_record_id(std::string_view text);
/// "rec-….json"
[[nodiscard]] std::string record_name(std::string_view id);

}  // namespace cg::rag
