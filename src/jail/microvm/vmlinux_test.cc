#include "jail/microvm/vmlinux.h"

#include <gmock/gmock.h>

#include "support/support.h"

namespace cg::microvm {
namespace {

constexpr std::size_t kEnough = 1U << 20U;

std::string le32(std::size_t value) {
  std::string out;
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xffU);
  return out;
}
std::string packed(const std::string& block) {
  return "\x02\x21\x4c\x18" + le32(block.size()) + block;
}

std::optional<std::string> unpacked(const std::string& bytes, std::size_t max = kEnough) {
  return unpack_lz4_legacy(as_bytes(bytes), max);
}

// "ab", then from two back, then the five literals that end a block at least.
std::string run_of(const std::string& copied) {
  return std::string(
             "\x2f"
             "ab\x02\x00",
             5) +
         copied + "\x50" + "01234";
}

TEST(Lz4, LiteralsAndRunsComeOut) {
  EXPECT_EQ(unpacked(packed("\x30"
                            "abc")),
            "abc");
  EXPECT_EQ(unpacked(packed(run_of("\x03"))), "abababababababababababab01234");
  EXPECT_EQ(unpacked(packed("\xf0\x05" + std::string(20, 'x'))), std::string(20, 'x'));
}

TEST(Lz4, TheSizeBehindTheLastBlockIsNoBlock) {
  EXPECT_EQ(unpacked(packed("\x30"
                            "abc") +
                     le32(3)),
            "abc");
  EXPECT_EQ(unpacked(packed("\x30"
                            "abc") +
                     le32(77)),
            std::nullopt);
}

TEST(Lz4, DamageIsRefused) {
  EXPECT_EQ(unpacked(""), std::nullopt);
  EXPECT_EQ(unpacked("\x02\x21\x4c\x19"), std::nullopt);
  EXPECT_EQ(unpacked(packed("\x40"
                            "abc")),
            std::nullopt);  // too few literals
  std::string before = run_of("\x03");
  before[3] = '\x03';
  EXPECT_EQ(unpacked(packed(before)), std::nullopt);          // before the start
  EXPECT_EQ(unpacked(packed("\xf0\xff\xff")), std::nullopt);  // a length without end
  EXPECT_EQ(unpacked(packed("\x30"
                            "abc"),
                     2),
            std::nullopt);  // over the cap
  EXPECT_EQ(unpacked(packed(run_of(std::string(9, '\xff') + "\x01")), 100),
            std::nullopt);  // a bomb
}

TEST(Lz4, AnotherPackerAgrees) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "line " + std::to_string(i * i % 977) + "\n";
  const auto ran = test::run({"lz4", "-l", "-9", "-c"}, {}, text);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(unpacked(ran.out), text);
  for (std::size_t at = 0; at < ran.out.size(); at += 7) {
    std::string changed = ran.out;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    const auto result = unpacked(changed);
    EXPECT_TRUE(!result || result->size() <= kEnough);
  }
}

TEST(Vmlinux, WhatIsNoPackedKernelIsLeftAlone) {
  EXPECT_EQ(unpack_kernel(as_bytes(std::string_view("MZ"))), std::nullopt);
  std::string kernel(0x1000, '\0');
  kernel.replace(0x202, 4, "HdrS");
  EXPECT_EQ(unpack_kernel(as_bytes(kernel)), std::nullopt);
  kernel.replace(0x24c, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(unpack_kernel(as_bytes(kernel)), std::nullopt);
}

}  // namespace
}  // namespace cg::microvm
