#include "learn/tensor/safetensors.h"

#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::tensor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string file(std::string_view header, std::string_view numbers) {
  const auto size = to_le64(header.size());
  return std::string(as_text(size)) + std::string(header) + std::string(numbers);
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

constexpr std::string_view kTwo =
    R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
    R"("a":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]}} )";
std::string two() { return bytes_of<float>({1, 2, 3, -4}); }

std::string error_of(const std::string& bytes) {
  const auto read = Safetensors::parse(bytes);
  return read ? "" : read.error().what;
}

TEST(Safetensors, FindsTensorsByNameAndShape) {
  const std::string bytes = file(kTwo, two());
  const auto read = Safetensors::parse(bytes);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->all().size(), 2U);
  const auto a = read->need("a", std::array<std::uint64_t, 2>{1, 2});
  ASSERT_TRUE(a) << a.error().what;
  std::vector<float> out(2);
  ASSERT_TRUE(widen_all(**a, out));
  EXPECT_THAT(out, ElementsAre(3, -4));
  EXPECT_THAT(read->need("a", std::array<std::uint64_t, 1>{2}).error().what,
              HasSubstr("has the shape [1, 2], not [2]"));
  EXPECT_THAT(read->need("c", {}).error().what, HasSubstr("there is no tensor `c`"));
}

TEST(Safetensors, EveryCutAndEveryLongerFileIsRefused) {
  const std::string whole = file(kTwo, two());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(error_of(whole.substr(0, size)), "") << size;
  }
  EXPECT_THAT(error_of(whole + "x"), HasSubstr("belong to no tensor"));
}

TEST(Safetensors, HeadersThatLieAreRefused) {
  const auto with = [](std::string_view what, std::string_view by) {
    CG_ASSERT(kTwo.find(what) != std::string_view::npos);
    return error_of(file(replaced(kTwo, what, by), two()));
  };
  std::string huge = file(kTwo, two());
  huge.replace(0, 8, as_text(to_le64(~0ULL)));
  EXPECT_THAT(error_of(huge), HasSubstr("larger than 16 MiB"));
  huge.replace(0, 8, as_text(to_le64(huge.size())));
  EXPECT_THAT(error_of(huge), HasSubstr("larger than the file"));
  EXPECT_THAT(with("[8,16]", "[4,12]"), HasSubstr("overlaps another"));
  EXPECT_THAT(with("[8,16]", "[0,8]"), HasSubstr("overlaps another"));
  EXPECT_THAT(with("[8,16]", "[16,24]"), HasSubstr("past the end"));
  EXPECT_THAT(with("[8,16]", "[16,8]"), HasSubstr("data_offsets"));
  EXPECT_THAT(with("[8,16]", "[8,-16]"), HasSubstr("data_offsets"));
  EXPECT_THAT(with("[8,16]", "[8]"), HasSubstr("data_offsets"));
  EXPECT_THAT(with("[1,2]", "[1,3]"), HasSubstr("takes 12 bytes, and it has 8"));
  EXPECT_THAT(with("[1,2]", "[1,-2]"), HasSubstr("no list of at most 8 sizes"));
  EXPECT_THAT(with("[1,2]", "[4294967296,4294967296,4294967296]"), HasSubstr("too large"));
  EXPECT_THAT(with("[1,2]", "[1,1,1,1,1,1,1,1,2]"), HasSubstr("no list of at most 8"));
  EXPECT_THAT(with(R"("a":{"dtype":"F32")", R"("a":{"dtype":"F33")"), HasSubstr("dtype"));
  EXPECT_THAT(with(R"("a":{"dtype":"F32",)", R"("a":{)"), HasSubstr("dtype"));
  EXPECT_THAT(with(R"("a":)", R"("b":)"), HasSubstr("duplicate key"));
  EXPECT_THAT(with("{\"__metadata__\"", "[{\"__metadata__\""), HasSubstr("header"));
  EXPECT_THAT(
      error_of(file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "12345678")),
      HasSubstr("bytes before"));
  EXPECT_THAT(error_of(file("[]", "")), HasSubstr("no object"));
  EXPECT_EQ(error_of(file("{}", "")), "");
}

TEST(Safetensors, ATensorOfWholeNumbersIsNoWeight) {
  const std::string bytes =
      file(R"({"n":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", "12345678");
  const auto read = Safetensors::parse(bytes);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_THAT(read->need("n", std::array<std::uint64_t, 1>{1}).error().what,
              HasSubstr("is I64, not F32, F16 or BF16"));
}

Tensor tensor(Kind kind, std::string_view bytes, std::size_t count) {
  return {"t", kind, "", {count}, bytes};
}

TEST(Safetensors, SmallFloatsAreWidenedExactly) {
  const std::string halves =
      bytes_of<std::uint16_t>({0x0000, 0x8000, 0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x83FF});
  std::vector<float> out(8);
  ASSERT_TRUE(widen_all(tensor(Kind::f16, halves, 8), out));
  EXPECT_THAT(out, ElementsAre(0, 0, 1, -2, 65504, 0x1p-14F, 0x1p-24F, -0x3FFp-24F));
  EXPECT_TRUE(std::signbit(out[1]));
  const std::string brains = bytes_of<std::uint16_t>({0x3F80, 0xC000, 0x7F7F, 0x0001});
  out.resize(4);
  ASSERT_TRUE(widen_all(tensor(Kind::bf16, brains, 4), out));
  EXPECT_THAT(out, ElementsAre(1, -2, std::bit_cast<float>(0x7F7F0000U),
                               std::bit_cast<float>(0x00010000U)));
  widen(tensor(Kind::bf16, brains, 4), 1, std::span(out).first(2));
  EXPECT_EQ(out[0], -2);
}

TEST(Safetensors, WhatIsInfiniteOrNoNumberIsRefused) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
        std::numeric_limits<float>::quiet_NaN()}) {
    const std::string bytes = bytes_of<float>({1, 2, 3, bad});
    EXPECT_THAT(check_finite(tensor(Kind::f32, bytes, 4)).error().what, HasSubstr("`t`"));
  }
  for (const std::uint16_t bad : std::array<std::uint16_t, 4>{0x7C00, 0xFC00, 0x7C01, 0xFFFF}) {
    EXPECT_FALSE(check_finite(tensor(Kind::f16, bytes_of<std::uint16_t>({0x3C00, bad}), 2)));
  }
  for (const std::uint16_t bad : std::array<std::uint16_t, 3>{0x7F80, 0xFF80, 0x7FC0}) {
    EXPECT_FALSE(check_finite(tensor(Kind::bf16, bytes_of<std::uint16_t>({bad, 0}), 2)));
  }
}

}  // namespace
}  // namespace cg::tensor
