#include "jail/microvm/vmlinux.h"

#include <elf.h>

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

/// One block: literals and copies of what was unpacked of this block before.
class Block {
 public:
  Block(ByteView in, std::string& out, std::size_t max)
      : in_(in), out_(out), start_(out.size()), max_(max) {}

  [[nodiscard]] bool unpack() {
    while (at_ < in_.size()) {
      const unsigned token = in_[at_++];
      if (!literals(token >> 4U)) return false;
      if (at_ == in_.size()) return true;  // the last has no copy
      if (!copy(token & 0xfU)) return false;
    }
    return false;
  }

 private:
  /// A length of 15 goes on in bytes, up to one that is not 255.
  [[nodiscard]] bool lengthen(std::size_t& length) {
    if (length != 15) return true;
    for (unsigned more = 255; more == 255;) {
      if (at_ == in_.size() || length > kMaxBlock) return false;
      more = in_[at_++];
      length += more;
    }
    return true;
  }
  [[nodiscard]] bool fits(std::size_t length) const {
    return length <= kMaxBlock - std::min(kMaxBlock, out_.size() - start_) &&
           length <= max_ - std::min(max_, out_.size());
  }
  [[nodiscard]] bool literals(std::size_t length) {
    if (!lengthen(length) || length > in_.size() - at_ || !fits(length)) return false;
    out_ += as_text(in_.subspan(at_, length));
    at_ += length;
    return true;
  }
  [[nodiscard]] bool copy(std::size_t length) {
    constexpr std::size_t kShortest = 4;
    if (in_.size() - at_ < 2) return false;
    const std::size_t back = in_[at_] | std::size_t{in_[at_ + 1]} << 8U;
    at_ += 2;
    if (!lengthen(length)) return false;
    length += kShortest;
    if (back == 0 || back > out_.size() - start_ || !fits(length)) return false;
    // May overlap what it writes: a run is a copy of its own start.
    for (std::size_t i = 0; i < length; ++i) out_ += out_[out_.size() - back];
    return true;
  }

  ByteView in_;
  std::string& out_;
  std::size_t start_;
  std::size_t max_;
  std::size_t at_ = 0;
};

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
    if (!block || !Block(*block, out, max).unpack()) return std::nullopt;
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
