#include <gtest/gtest.h>

#include "base/wire/message.h"
#include "base/wire/reader.h"
#include "base/wire/writer.h"

namespace cg::wire {
namespace {

enum class Colour { red, green, blue };

struct Item {
  std::uint16_t size = 0;
  bool fresh = false;
  friend bool operator==(const Item&, const Item&) = default;
};

struct Order {
  std::string name;
  std::int32_t change = 0;
  Colour colour = Colour::red;
  std::uint8_t percent = 0;
  std::array<Byte, 3> mark{};
  std::vector<Item> items;
  friend bool operator==(const Order&, const Order&) = default;
};

void fields(auto& f, Is<Order> auto& m) {
  f.text(m.name, 8);
  f.number(m.change);
  f.choice(m.colour, Colour::blue);
  f.wide(m.percent, 100);
  f.exactly(m.mark);
  f.list(m.items, 3, [&](auto& item) {
    f.number(item.size);
    f.flag(item.fresh);
  });
  f.require(m.name != "no");
}

using In = Reader<std::uint32_t, std::uint8_t>;

std::optional<std::string> written(const Order& order) {
  Writer<std::uint32_t, std::uint8_t> writer;
  fields(writer, order);
  return writer.take();
}

std::optional<Order> read(std::string_view bytes) {
  In reader(bytes);
  Order order;
  fields(reader, order);
  if (!reader.is_done()) return std::nullopt;
  return order;
}

const Order kOrder{"lamps", -2, Colour::green, 77, {9, 8, 7}, {{258, true}, {3, false}}};

TEST(Wire, BytesAreTheseAndReadBack) {
  const auto bytes = written(kOrder);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(*bytes, std::string("\0\0\0\5lamps"
                                "\xff\xff\xff\xfe"
                                "\1"
                                "\0\0\0\0\0\0\0\x4d"
                                "\x09\x08\x07"
                                "\2"
                                "\1\2\1"
                                "\0\3\0",
                                32));
  EXPECT_EQ(read(*bytes), kOrder);
}

TEST(Wire, WidthsAreTheProtocols) {
  Writer<std::uint8_t, std::uint16_t, std::uint32_t> writer;
  writer.text("ab", 2);
  writer.list(std::vector<int>{7}, 1, [&](int item) { writer.number(item); });
  writer.flag(true);
  EXPECT_EQ(writer.take(), std::string("\2ab\0\1\0\0\0\7\0\0\0\1", 13));
}

TEST(Wire, WhatIsOverItsCapIsNotWritten) {
  Order order = kOrder;
  order.name = "more than eight";
  EXPECT_EQ(written(order), std::nullopt);
  order = kOrder;
  order.items.resize(4);
  EXPECT_EQ(written(order), std::nullopt);
  order = kOrder;
  order.colour = static_cast<Colour>(3);
  EXPECT_EQ(written(order), std::nullopt);
}

TEST(Wire, WhatMustHoldBeyondFieldsIsTheReadersToRefuse) {
  Order order = kOrder;
  order.name = "no";
  EXPECT_EQ(read(*written(order)), std::nullopt);
  order = kOrder;
  order.percent = 101;
  EXPECT_EQ(read(*written(order)), std::nullopt);
}

// Whatever happens to the bytes: refused, or they are the one encoding of what was read.
TEST(Wire, DamageIsRefusedOrSaysSomethingElse) {
  const std::string bytes = *written(kOrder);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(read(bytes.substr(0, i)), std::nullopt) << i;
    std::string longer = bytes;
    longer.insert(i, 1, '\x7f');
    const auto moved = read(longer);
    EXPECT_TRUE(!moved || written(*moved) == longer) << i;
    for (int value = 0; value < 256; ++value) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(value);
      const auto order = read(damaged);
      EXPECT_TRUE(!order || written(*order) == damaged) << i << " " << value;
    }
  }
  EXPECT_EQ(read(bytes + '\0'), std::nullopt);
}

TEST(Wire, ASizeThatLiesAllocatesNothing) {
  Reader<std::uint64_t, std::uint64_t> text(
      std::string_view("\x7f\xff\xff\xff\xff\xff\xff\xff", 8));
  EXPECT_TRUE(text.view(~std::size_t{0}).empty());
  EXPECT_FALSE(text.good());
  Reader<std::uint64_t, std::uint64_t> list(std::string_view("\0\0\0\0\x7f\xff\xff\xff.", 9));
  std::vector<std::string> items;
  list.list(items, ~std::size_t{0}, [](std::string&) {});
  EXPECT_TRUE(items.empty());
  EXPECT_FALSE(list.good());
}

TEST(Wire, AlternativesAndLengths) {
  using Either = std::variant<int, std::string>;
  EXPECT_EQ(blank<Either>(1), Either(std::string()));
  EXPECT_EQ(blank<Either>(2), std::nullopt);
  EXPECT_EQ(with_length<std::uint16_t>("abc"), std::string("\0\3abc", 5));
}

TEST(Wire, NumbersInBothOrders) {
  std::string bytes;
  put_big_endian(bytes, 0x010203, 3);
  put_little_endian(bytes, 0x010203, 3);
  EXPECT_EQ(bytes, "\1\2\3\3\2\1");
  EXPECT_EQ(big_endian("\1\2\3"), 0x010203U);
  EXPECT_EQ(little_endian("\3\2\1"), 0x010203U);
}

}  // namespace
}  // namespace cg::wire
