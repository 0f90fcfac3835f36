#include "jail/microvm/vmlinux.h"

#include <elf.h>
#include <lz4.h>

#include <algorithm>
#include <cstring>

#include "base/wire/number.h"
#include "jail/microvm/elf.h"
#include "jail/microvm/kernel.h"

namespace cg::microvm {

namespace {

constexpr std::size_t kMaxBlock = 8U << 20U;
constexpr std::size_t kMaxSegments = 64;
constexpr std::size_t kMaxNotes = 64U << 10U;
constexpr std::uint32_t kLz4Legacy = 0x184c2102;
constexpr std::uint32_t kPvhEntry = 18;  // XEN_ELFNOTE_PHYS32_ENTRY

// The boot header of x86: where the packed part is.
constexpr std::size_t kSetupSectors = 0x1f1;
constexpr std::size_t kPayloadOffset = 0x248;
constexpr std::size_t kPayloadLength = 0x24c;
constexpr std::size_t kSector = 512;

std::optional<std::uint32_t> le32(ByteView bytes, std::uint64_t offset) {
  const auto four = part(bytes, offset, 4);
  if (!four) return std::nullopt;
  return static_cast<std::uint32_t>(wire::little_endian(as_text(*four)));
}

/// A block, appended to `out`. Blocks do not look back into those before them.
bool unpack_block(ByteView block, std::string& out, std::size_t max) {
  if (block.size() > LZ4_COMPRESSBOUND(kMaxBlock)) return false;
  const std::size_t start = out.size();
  const std::size_t room = std::min(kMaxBlock, max - std::min(max, start));
  out.resize(start + room);
  const int size = LZ4_decompress_safe(as_text(block).data(), out.data() + start,
                                       static_cast<int>(block.size()), static_cast<int>(room));
  if (size < 0) return false;
  out.resize(start + static_cast<std::size_t>(size));
  return true;
}

/// True if one of the notes is a "Xen" one of the kind that names the entry.
bool notes_have_entry(ByteView notes) {
  constexpr std::size_t kNoteAlign = 4;
  const auto padded = [](std::uint64_t size) {
    return (size + kNoteAlign - 1) / kNoteAlign * kNoteAlign;
  };
  for (std::uint64_t at = 0; at < notes.size();) {
    const auto name_size = le32(notes, at);
    const auto size = le32(notes, at + 4);
    const auto kind = le32(notes, at + 8);
    if (!name_size || !size || !kind) return false;
    const auto name = part(notes, at + 12, *name_size);
    if (!name) return false;
    if (as_text(*name) == std::string_view("Xen\0", 4) && *kind == kPvhEntry) return true;
    at += 12 + padded(*name_size) + padded(*size);
  }
  return false;
}

bool has_pvh_entry(ByteView elf) {
  const auto start = part(elf, 0, sizeof(Elf64_Ehdr));
  if (!start || std::memcmp(start->data(), ELFMAG, SELFMAG) != 0) return false;
  Elf64_Ehdr header;
  std::memcpy(&header, start->data(), sizeof header);
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > elf.size()) return false;
  for (std::size_t i = 0; i < std::min<std::size_t>(header.e_phnum, kMaxSegments); ++i) {
    const auto found = part(elf, header.e_phoff + i * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr));
    if (!found) return false;
    Elf64_Phdr segment;
    std::memcpy(&segment, found->data(), sizeof segment);
    if (segment.p_type != PT_NOTE || segment.p_filesz > kMaxNotes) continue;
    const auto notes = part(elf, segment.p_offset, segment.p_filesz);
    if (notes && notes_have_entry(*notes)) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> unpack_lz4_legacy(ByteView packed, std::size_t max) {
  if (le32(packed, 0) != kLz4Legacy) return std::nullopt;
  std::string out;
  for (std::uint64_t at = 4; packed.size() - at >= 4;) {
    const std::uint32_t size = *le32(packed, at);
    const auto block = part(packed, at + 4, size);
    // Behind the last block the kernel's build writes the unpacked size.
    if (!block && packed.size() - at == 4 && size == out.size()) return out;
    if (!block || !unpack_block(*block, out, max)) return std::nullopt;
    at += 4 + std::uint64_t{size};
  }
  return out;
}

std::optional<std::string> unpack_kernel(ByteView packed) {
  const auto magic = part(packed, kHeaderMagic, 4);
  const auto offset = le32(packed, kPayloadOffset);
  const auto length = le32(packed, kPayloadLength);
  if (!magic || as_text(*magic) != "HdrS" || !offset || !length) return std::nullopt;
  const std::size_t sectors = packed[kSetupSectors] == 0 ? 4 : packed[kSetupSectors];
  const auto payload = part(packed, (sectors + 1) * kSector + *offset, *length);
  if (!payload) return std::nullopt;
  auto kernel = unpack_lz4_legacy(*payload, kMaxKernel);
  if (!kernel || !has_pvh_entry(as_bytes(*kernel))) return std::nullopt;
  return kernel;
}

}  // namespace cg::microvm
