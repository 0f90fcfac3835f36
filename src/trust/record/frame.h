// How lines lie in a file: stored frames while a stream is open, one compressed
// frame once a piece of it is sealed. Both are ordinary zstd, readable by zstdcat.
//
// A stored frame is a zstd frame with one uncompressed block: twelve foreseeable
// bytes, then whole lines. A sealed segment is a skippable frame that says what
// follows, then one compressed frame. Nothing in either is free to vary unseen:
// every byte is either predicted or under a digest (doc/format/audit-log.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "trust/hash/digest.h"

namespace cg::record {

constexpr std::size_t kMaxFrameContent = 128 * 1024 - 1;
constexpr std::size_t kStoredHeader = 12;
constexpr std::size_t kSealAtBytes = 1024 * 1024;  // lines are sealed from this size on
constexpr std::size_t kMaxSegmentContent = 64 * 1024 * 1024;
constexpr std::size_t kMaxSegmentFile = 72 * 1024 * 1024;

/// `content` is at most kMaxFrameContent bytes of whole lines.
[[nodiscard]] std::string stored_frame(std::string_view content);

enum class FrameError {
  torn,     // the bytes stop before the frame does
  damaged,  // the bytes are not a stored frame of whole lines
};

struct StoredFrame {
  std::string_view content;
  std::size_t size;  // of the frame, header included
};

/// The frame at the start of `bytes`.
[[nodiscard]] Result<StoredFrame, FrameError> parse_stored_frame(std::string_view bytes);

/// What a sealed segment says of itself. `head` is the chain after its last line.
struct SegmentHeader {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  hash::Digest prev{};
  hash::Digest head{};
  friend bool operator==(const SegmentHeader&, const SegmentHeader&) = default;
};

constexpr std::size_t kSegmentHeaderBytes = 144;

[[nodiscard]] std::string seal_segment(const SegmentHeader& header, std::string_view content);

/// The header alone, for a writer that needs only to know where a stream stands.
[[nodiscard]] Result<SegmentHeader, FrameError> parse_segment_header(std::string_view bytes);

struct Segment {
  SegmentHeader header;
  std::string content;
};

/// The whole file: header, digest and decompressed lines.
[[nodiscard]] Result<Segment, FrameError> open_segment(std::string_view file);

/// "sealed-000000000000.jsonl.zst": the file that begins with entry `first`.
[[nodiscard]] std::string segment_name(std::uint64_t first);
/// True for the name of a segment of any number.
[[nodiscard]] bool is_segment_name(std::string_view name);

}  // namespace cg::record
