#include "jail/microvm/elf.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>

#include "support/support.h"

namespace cg::microvm {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

/// The smallest file that says what it needs: two segments, a dynamic table, names.
struct Made {
  Elf64_Ehdr start{};
  Elf64_Phdr load{};
  Elf64_Phdr dynamic_segment{};
  std::array<Elf64_Dyn, 4> dynamic{};
  std::array<char, 32> names{};
};

Made made() {
  Made m;
  std::memcpy(m.start.e_ident, ELFMAG, SELFMAG);
  m.start.e_ident[EI_CLASS] = ELFCLASS64;
  m.start.e_ident[EI_DATA] = ELFDATA2LSB;
  m.start.e_machine = EM_AARCH64;
  m.start.e_phoff = offsetof(Made, load);
  m.start.e_phentsize = sizeof(Elf64_Phdr);
  m.start.e_phnum = 2;
  m.load = {PT_LOAD, PF_R, 0, 0x1000, 0x1000, sizeof(Made), sizeof(Made), 8};
  m.dynamic_segment.p_type = PT_DYNAMIC;
  m.dynamic_segment.p_offset = offsetof(Made, dynamic);
  m.dynamic_segment.p_filesz = sizeof m.dynamic;
  m.dynamic[0] = {DT_STRTAB, {0x1000 + offsetof(Made, names)}};
  m.dynamic[1] = {DT_NEEDED, {1}};
  m.dynamic[2] = {DT_RUNPATH, {9}};
  std::memcpy(m.names.data(), "\0libx.so\0$ORIGIN:/opt\0", 22);
  return m;
}

ByteView bytes_of(const Made& m) { return {reinterpret_cast<const Byte*>(&m), sizeof m}; }

TEST(Elf, SaysWhatIsNeededAndWhereToLook) {
  const auto elf = read_elf(bytes_of(made()));
  ASSERT_TRUE(elf.has_value()) << describe(elf.error());
  EXPECT_EQ(triplet(elf->architecture), "aarch64-linux-gnu");
  EXPECT_THAT(elf->needed, ElementsAre("libx.so"));
  EXPECT_THAT(elf->run_path, ElementsAre("$ORIGIN", "/opt"));
  EXPECT_EQ(elf->interpreter, "");
}

TEST(Elf, ReadsTheProgramsOfThisMachine) {
  const std::string self = test::read("/proc/self/exe");
  const auto elf = read_elf(as_bytes(self));
  ASSERT_TRUE(elf.has_value()) << describe(elf.error());
  EXPECT_THAT(elf->needed, Contains("libc.so.6"));
  EXPECT_EQ(elf->interpreter.front(), '/');
}

TEST(Elf, AScriptIsNone) {
  const auto elf = read_elf(as_bytes(std::string_view("#!/bin/sh\n")));
  ASSERT_FALSE(elf.has_value());
  EXPECT_EQ(elf.error().kind, ElfError::Kind::not_elf);
}

TEST(Elf, OtherMachinesAreSaidToBeOthers) {
  Made m = made();
  m.start.e_machine = EM_RISCV;
  EXPECT_EQ(read_elf(bytes_of(m)).error().kind, ElfError::Kind::unsupported);
  m = made();
  m.start.e_ident[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(read_elf(bytes_of(m)).error().kind, ElfError::Kind::unsupported);
}

TEST(Elf, OffsetsOutsideTheFileAreDamage) {
  const auto kind_after = [](auto change) {
    Made m = made();
    change(m);
    const auto elf = read_elf(bytes_of(m));
    return elf ? std::string("read") : describe(elf.error());
  };
  EXPECT_EQ(kind_after([](Made& m) { m.start.e_phoff = ~0ULL - 8; }), "damaged: table of segments");
  EXPECT_EQ(kind_after([](Made& m) { m.start.e_phnum = 0xffff; }), "damaged: number of segments");
  EXPECT_EQ(kind_after([](Made& m) { m.start.e_phentsize = 1; }), "damaged: table of segments");
  EXPECT_EQ(kind_after([](Made& m) { m.dynamic_segment.p_filesz = ~0ULL; }),
            "damaged: dynamic table");
  EXPECT_EQ(kind_after([](Made& m) { m.dynamic[3].d_tag = DT_DEBUG; }),
            "damaged: end of the dynamic table");
  EXPECT_EQ(kind_after([](Made& m) { m.dynamic[0].d_un.d_val = 7; }), "damaged: table of names");
  EXPECT_EQ(kind_after([](Made& m) { m.dynamic[1].d_un.d_val = ~0ULL; }),
            "damaged: name of a library");
  EXPECT_EQ(kind_after([](Made& m) { m.names.fill('x'); }), "damaged: name of a library");
  EXPECT_EQ(kind_after([](Made& m) { m.load.p_offset = ~0ULL; }), "damaged: table of names");
}

TEST(Elf, EveryCutAndEveryChangedByteIsReadOrRefused) {
  const Made whole = made();
  const std::string text(as_text(bytes_of(whole)));
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto elf = read_elf(as_bytes(std::string_view(text).substr(0, size)));
    EXPECT_TRUE(!elf.has_value() || size > offsetof(Made, names)) << size;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string changed = text;
      changed[at] = value;
      const auto elf = read_elf(as_bytes(changed));
      EXPECT_TRUE(!elf.has_value() || elf->needed.size() <= 2);
    }
  }
}

}  // namespace
}  // namespace cg::microvm
