#include "jail/microvm/elf.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/base/text.h"

namespace cg::microvm {

std::optional<ByteView> part(ByteView bytes, std::uint64_t offset, std::uint64_t count) {
  if (offset > bytes.size() || count > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

namespace {

constexpr std::size_t kMaxHeaders = 256;
constexpr std::size_t kMaxDynamic = 65'536;
constexpr std::size_t kMaxNames = 512;
constexpr std::size_t kMaxText = 4096;

Failure<ElfError> damaged(std::string what) {
  return fail(ElfError{ElfError::Kind::damaged, std::move(what)});
}

/// A record at `offset`, copied: files keep no alignment.
template <class T>
std::optional<T> record(ByteView bytes, std::uint64_t offset) {
  const auto found = part(bytes, offset, sizeof(T));
  if (!found) return std::nullopt;
  T out;
  std::memcpy(&out, found->data(), sizeof out);
  return out;
}

/// The text at `offset` up to its end, which must come soon.
std::optional<std::string> text_at(ByteView bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return std::nullopt;
  const ByteView rest = bytes.subspan(static_cast<std::size_t>(offset));
  const ByteView window = rest.first(std::min(rest.size(), kMaxText));
  const auto end = std::find(window.begin(), window.end(), Byte{0});
  if (end == window.end()) return std::nullopt;
  return std::string(as_text(window.first(static_cast<std::size_t>(end - window.begin()))));
}

struct Reader {
  ByteView bytes;
  std::vector<Elf64_Phdr> headers;
  std::vector<Elf64_Dyn> dynamic;

  Result<Architecture, ElfError> read_start(Elf64_Ehdr& start) const {
    if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
      return fail(ElfError{ElfError::Kind::not_elf, ""});
    }
    const auto found = record<Elf64_Ehdr>(bytes, 0);
    if (!found) return damaged("header");
    start = *found;
    if (start.e_ident[EI_CLASS] != ELFCLASS64 || start.e_ident[EI_DATA] != ELFDATA2LSB) {
      return fail(ElfError{ElfError::Kind::unsupported, "not 64 bits, little-endian"});
    }
    if (start.e_machine == EM_X86_64) return Architecture::x86_64;
    if (start.e_machine == EM_AARCH64) return Architecture::aarch64;
    return fail(ElfError{ElfError::Kind::unsupported, "machine " + grouped(start.e_machine)});
  }

  Result<Done, ElfError> read_headers(const Elf64_Ehdr& start) {
    if (start.e_phnum > kMaxHeaders) return damaged("number of segments");
    for (unsigned i = 0; i < start.e_phnum; ++i) {
      // The offset may be anything: an overflow must not lead back into the file.
      const std::uint64_t step = std::uint64_t{i} * sizeof(Elf64_Phdr);
      if (start.e_phoff > bytes.size() || start.e_phentsize != sizeof(Elf64_Phdr)) {
        return damaged("table of segments");
      }
      const auto header = record<Elf64_Phdr>(bytes, start.e_phoff + step);
      if (!header) return damaged("table of segments");
      headers.push_back(*header);
    }
    return Done{};
  }

  Result<Done, ElfError> read_dynamic() {
    const auto at = std::find_if(headers.begin(), headers.end(),
                                 [](const Elf64_Phdr& h) { return h.p_type == PT_DYNAMIC; });
    if (at == headers.end()) return Done{};
    const auto table = part(bytes, at->p_offset, at->p_filesz);
    if (!table || table->size() > kMaxDynamic * sizeof(Elf64_Dyn)) return damaged("dynamic table");
    for (std::uint64_t offset = 0;; offset += sizeof(Elf64_Dyn)) {
      const auto entry = record<Elf64_Dyn>(*table, offset);
      if (!entry) return damaged("end of the dynamic table");
      if (entry->d_tag == DT_NULL) return Done{};
      dynamic.push_back(*entry);
    }
  }

  [[nodiscard]] std::optional<std::uint64_t> value(std::int64_t tag) const {
    for (const Elf64_Dyn& entry : dynamic) {
      if (entry.d_tag == tag) return entry.d_un.d_val;
    }
    return std::nullopt;
  }

  /// The bytes that will be loaded to `address`, to the end of their segment.
  [[nodiscard]] std::optional<ByteView> loaded(std::uint64_t address) const {
    for (const Elf64_Phdr& h : headers) {
      if (h.p_type != PT_LOAD || address < h.p_vaddr || address - h.p_vaddr >= h.p_filesz) continue;
      const std::uint64_t inside = address - h.p_vaddr;
      const auto segment = part(bytes, h.p_offset, h.p_filesz);
      return segment ? part(*segment, inside, h.p_filesz - inside) : std::nullopt;
    }
    return std::nullopt;
  }

  Result<Done, ElfError> read_names(Elf& elf) const {
    const auto table_at = value(DT_STRTAB);
    if (!table_at) return dynamic.empty() ? Result<Done, ElfError>(Done{}) : damaged("no names");
    const auto table = loaded(*table_at);
    if (!table) return damaged("table of names");
    for (const Elf64_Dyn& entry : dynamic) {
      const bool is_path = entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH;
      if (entry.d_tag != DT_NEEDED && !is_path) continue;
      const auto name = text_at(*table, entry.d_un.d_val);
      if (!name || elf.needed.size() >= kMaxNames) return damaged("name of a library");
      if (is_path) {
        for (const std::string_view folder : split(*name, ':')) elf.run_path.emplace_back(folder);
      } else {
        elf.needed.push_back(*name);
      }
    }
    return Done{};
  }

  Result<Done, ElfError> read_interpreter(Elf& elf) const {
    for (const Elf64_Phdr& header : headers) {
      if (header.p_type != PT_INTERP) continue;
      const auto found = part(bytes, header.p_offset, header.p_filesz);
      const auto name = found ? text_at(*found, 0) : std::nullopt;
      if (!name || name->empty() || name->front() != '/') return damaged("interpreter");
      elf.interpreter = *name;
      return Done{};
    }
    return Done{};
  }
};

}  // namespace

std::string_view triplet(Architecture architecture) {
  return architecture == Architecture::x86_64 ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
}

Result<Elf, ElfError> read_elf(ByteView bytes) {
  Reader reader{bytes, {}, {}};
  Elf elf;
  Elf64_Ehdr start{};
  CG_TRY_ASSIGN(elf.architecture, reader.read_start(start));
  CG_TRY(reader.read_headers(start));
  CG_TRY(reader.read_dynamic());
  CG_TRY(reader.read_interpreter(elf));
  CG_TRY(reader.read_names(elf));
  return elf;
}

std::string describe(const ElfError& error) {
  switch (error.kind) {
    case ElfError::Kind::not_elf:
      return "no program or library";
    case ElfError::Kind::unsupported:
      return "for another kind of machine: " + error.what;
    case ElfError::Kind::damaged:
      return "damaged: " + error.what;
  }
  return {};
}

}  // namespace cg::microvm
