// What a program or library says it needs, read from its bytes.
//
// An image is made of files of this machine, which are not hostile, but damaged ones must
// not do more than fail: every offset and count is checked, nothing is followed twice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/base/bytes.h"
#include "base/base/result.h"

namespace cg::microvm {

/// `count` bytes at `offset`, if they are there.
[[nodiscard]] std::optional<ByteView> part(ByteView bytes, std::uint64_t offset,
                                           std::uint64_t count);

enum class Architecture { x86_64, aarch64 };
/// "x86_64-linux-gnu": the folder of its libraries.
[[nodiscard]] std::string_view triplet(Architecture architecture);

/// Views of what is needed to load an ELF file of 64 bits, little-endian.
struct Elf {
  Architecture architecture = Architecture::x86_64;
  std::string interpreter;            // "/lib64/ld-linux-x86-64.so.2"; empty: none
  std::vector<std::string> needed;    // names of libraries
  std::vector<std::string> run_path;  // folders to look in first; may start with $ORIGIN
};

struct ElfError {
  enum class Kind {
    not_elf,      // a script, say
    unsupported,  // 32 bits, big-endian, another machine
    damaged,
  };
  Kind kind;
  std::string what;  // which part
};
[[nodiscard]] std::string describe(const ElfError& error);

[[nodiscard]] Result<Elf, ElfError> read_elf(ByteView bytes);

}  // namespace cg::microvm
