#include "trust/record/frame.h"

#include <zstd.h>

#include <algorithm>
#include <memory>

#include "base/base/assert.h"
#include "base/wire/number.h"
#include "trust/hash/blake3.h"

namespace cg::record {

namespace {

// RFC 8878: magic, then a descriptor that says: content size in four bytes, single
// segment, no checksum, no dictionary.
constexpr std::string_view kStoredStart{"\x28\xb5\x2f\xfd\xa0", 5};
// RFC 8878 reserves 0x184D2A50 to 5F for frames that decoders skip.
constexpr std::string_view kSkippable{"\x5c\x2a\x4d\x18", 4};
constexpr std::string_view kSealMagic{"cgseal1\0", 8};
constexpr int kLevel = 6;
constexpr std::size_t kNameDigits = 12;
constexpr std::string_view kNameStart = "sealed-";
constexpr std::string_view kNameEnd = ".jsonl.zst";

/// The twelve bytes before `size` bytes of content: they depend on nothing else.
std::string stored_header(std::size_t size) {
  std::string out(kStoredStart);
  wire::put_little_endian(out, size, 4);
  wire::put_little_endian(out, size << 3U | 1U, 3);  // last block, raw
  return out;
}

/// The header of a sealed segment without its last field, the digest of the frame.
std::string header_bytes(const SegmentHeader& header, std::size_t raw, std::size_t packed) {
  std::string out(kSkippable);
  wire::put_little_endian(out, kSegmentHeaderBytes - 8, 4);
  out += kSealMagic;
  for (const std::uint64_t n : {header.first, header.count, raw, packed})
    wire::put_little_endian(out, n, 8);
  out += as_text(header.prev);
  out += as_text(header.head);
  return out;
}

hash::Digest digest_at(std::string_view bytes, std::size_t at) {
  hash::Digest out{};
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
  return out;
}

}  // namespace

std::string stored_frame(std::string_view content) {
  CG_ASSERT(!content.empty() && content.size() <= kMaxFrameContent && content.ends_with('\n'));
  return stored_header(content.size()) + std::string(content);
}

Result<StoredFrame, FrameError> parse_stored_frame(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, kStoredStart.size());
  if (!kStoredStart.starts_with(start)) return fail(FrameError::damaged);
  if (bytes.size() < kStoredHeader) return fail(FrameError::torn);
  const std::uint64_t size = wire::little_endian(bytes.substr(5, 4));
  if (size == 0 || size > kMaxFrameContent ||
      bytes.substr(0, kStoredHeader) != stored_header(size)) {
    return fail(FrameError::damaged);
  }
  if (bytes.size() < kStoredHeader + size) return fail(FrameError::torn);
  const std::string_view content = bytes.substr(kStoredHeader, size);
  if (!content.ends_with('\n')) return fail(FrameError::damaged);
  return StoredFrame{content, kStoredHeader + size};
}

std::string seal_segment(const SegmentHeader& header, std::string_view content) {
  CG_ASSERT(!content.empty() && content.size() <= kMaxSegmentContent);
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), kLevel);
  CG_ASSERT(ZSTD_isError(size) == 0);
  packed.resize(size);
  std::string out = header_bytes(header, content.size(), packed.size());
  out += as_text(hash::blake3(as_bytes(packed)));
  CG_ASSERT(out.size() == kSegmentHeaderBytes);
  return out + packed;
}

Result<SegmentHeader, FrameError> parse_segment_header(std::string_view bytes) {
  if (bytes.size() < kSegmentHeaderBytes) return fail(FrameError::torn);
  SegmentHeader header{wire::little_endian(bytes.substr(16, 8)),
                       wire::little_endian(bytes.substr(24, 8)), digest_at(bytes, 48),
                       digest_at(bytes, 80)};
  const std::string again = header_bytes(header, wire::little_endian(bytes.substr(32, 8)),
                                         wire::little_endian(bytes.substr(40, 8)));
  if (!bytes.starts_with(again)) return fail(FrameError::damaged);
  return header;
}

Result<Segment, FrameError> open_segment(std::string_view file) {
  CG_TRY_ASSIGN(const SegmentHeader header, parse_segment_header(file));
  const std::uint64_t raw = wire::little_endian(file.substr(32, 8));
  const std::uint64_t packed = wire::little_endian(file.substr(40, 8));
  const std::string_view frame = file.substr(kSegmentHeaderBytes);
  if (raw > kMaxSegmentContent || frame.size() > packed) return fail(FrameError::damaged);
  if (frame.size() < packed) return fail(FrameError::torn);
  if (hash::blake3(as_bytes(frame)) != digest_at(file, kSegmentHeaderBytes - 32)) {
    return fail(FrameError::damaged);
  }
  Segment segment{header, {}};
  // A context kept between segments: making one costs as much as a small segment.
  thread_local const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(
      ZSTD_createDCtx(), ZSTD_freeDCtx);
  segment.content.resize_and_overwrite(raw, [&](char* buffer, std::size_t room) {
    const std::size_t size =
        ZSTD_decompressDCtx(context.get(), buffer, room, frame.data(), frame.size());
    return ZSTD_isError(size) != 0 ? 0 : size;
  });
  if (segment.content.size() != raw || !segment.content.ends_with('\n')) {
    return fail(FrameError::damaged);
  }
  return segment;
}

std::string segment_name(std::uint64_t first) {
  std::string digits = std::to_string(first);
  if (digits.size() < kNameDigits) digits.insert(0, kNameDigits - digits.size(), '0');
  return std::string(kNameStart) + digits + std::string(kNameEnd);
}

bool is_segment_name(std::string_view name) {
  if (!name.starts_with(kNameStart) || !name.ends_with(kNameEnd)) return false;
  name.remove_prefix(kNameStart.size());
  name.remove_suffix(std::min(name.size(), kNameEnd.size()));
  return name.size() >= kNameDigits &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace cg::record
