// Frames read back as they were written, damaged ones do not, and order is kept.
#include "fetch/net/frame.h"

#include <gtest/gtest.h>

#include <cstring>

#include "fetch/net/channel.h"
#include "fetch/net/order.h"
#include "fetch/net/process.h"

namespace cg::net {
namespace {

std::vector<Message> samples() {
  seal::Applied applied;
  applied.filter = true;
  applied.landlock = {7, true, true, false};
  const Exchange exchange{{}, {}, "model", {1, 2, 3, 4}, "kernel", KeyMemory::secret};
  return {
      Start{"registry.example", 443, Addresses::any, 1000},
      Ready{applied},
      Failed{FailureKind::tls, "certificate"},
      Setup{Scheme::http, "localhost", 4873, "pem", "Bearer x"},
      Dial{77},
      Dialled{},
      Get{"/x", "application/json", "\"1\"", "yesterday", 1ULL << 40U, 30'000, Encoding::gzip},
      Head{200, "\"1\"", "b", "c", "d", "e"},
      Piece{std::string(kMaxPiece, 'x')},
      End{},
      LeafSetup{Adapter::anthropic, Wire::chat, 8080, {{{}, 20'000}, {{}, 7}}, true},
      Ask{"model", std::string(kMaxSystem, 's'), "body", 4096, 30'000},
      Play{429, "application/json", "7", "{}"},
      Recorded{"{}", 200, "application/json", "", std::string(kMaxExchanged, ' ')},
      Told{"{}", exchange},
      Violated{3, "content", exchange},
      Unanswered{FailureKind::status, "", 429, true, 12, true},
  };
}

Result<Message, FrameError> read_back(const std::string& frame) {
  std::array<char, kFrameHeader> header{};
  std::memcpy(header.data(), frame.data(), header.size());
  CG_TRY_ASSIGN(const FrameHeader parsed, parse_header(header));
  const std::string fields = frame.substr(kFrameHeader);
  EXPECT_EQ(parsed.size, fields.size());
  return parse_fields(parsed.kind, fields);
}

TEST(Frame, EveryKindReadsBackAsItself) {
  ASSERT_EQ(samples().size(), std::variant_size_v<Message>);
  for (const Message& message : samples()) {
    const std::string frame = write_frame(message);
    const auto back = read_back(frame);
    ASSERT_TRUE(back.has_value()) << message.index();
    EXPECT_EQ(back->index(), message.index());
    EXPECT_EQ(write_frame(*back), frame);
  }
}

TEST(Frame, MoreOrFewerBytesAreMalformed) {
  for (const Message& message : samples()) {
    const std::string fields = write_frame(message).substr(kFrameHeader);
    const Kind kind = kind_of(message);
    EXPECT_FALSE(parse_fields(kind, fields + "x").has_value());
    for (std::size_t cut = 0; cut < std::min<std::size_t>(fields.size(), 200); ++cut) {
      EXPECT_FALSE(parse_fields(kind, fields.substr(0, cut)).has_value());
    }
  }
}

TEST(Frame, ALengthBeyondItsKindIsRefusedBeforeAnythingElse) {
  for (const Message& message : samples()) {
    std::array<char, kFrameHeader> header{0, 0x40, 0, 0, static_cast<char>(kind_of(message))};
    const auto parsed = parse_header(header);
    ASSERT_FALSE(parsed.has_value());
    EXPECT_EQ(parsed.error(), FrameError::too_long);
  }
  const std::array<char, kFrameHeader> largest{0, 1, 0, 5, static_cast<char>(Kind::piece)};
  EXPECT_TRUE(parse_header(largest).has_value());
  const std::array<char, kFrameHeader> larger{0, 1, 0, 6, static_cast<char>(Kind::piece)};
  EXPECT_FALSE(parse_header(larger).has_value());
}

TEST(Frame, ValuesOutsideTheirRangeAreMalformed) {
  std::string failed = write_frame(Failed{FailureKind::setup, ""}).substr(kFrameHeader);
  failed[0] = static_cast<char>(kLastFailureKind) + 1;
  EXPECT_FALSE(parse_fields(Kind::failed, failed).has_value());
  std::string ready = write_frame(Ready{}).substr(kFrameHeader);
  ready[0] = 2;
  EXPECT_FALSE(parse_fields(Kind::ready, ready).has_value());
  // A text over its own cap within a frame that is under its cap.
  std::string head = write_frame(Head{200, "", "", "", "", ""}).substr(kFrameHeader);
  head =
      head.substr(0, 2) + std::string("\0\0\x08\x01", 4) + std::string(2049, 'a') + head.substr(6);
  EXPECT_FALSE(parse_fields(Kind::head, head).has_value());
}

TEST(Order, OnlyTheTableIsAllowed) {
  Order order{std::span<const Move>(kFetchOrder)};
  EXPECT_FALSE(order.take(Speaker::asker, Kind::get));
  EXPECT_FALSE(order.take(Speaker::helper, Kind::setup));
  EXPECT_TRUE(order.take(Speaker::asker, Kind::setup));
  EXPECT_FALSE(order.take(Speaker::asker, Kind::setup));
  EXPECT_TRUE(order.take(Speaker::helper, Kind::ready));
  EXPECT_TRUE(order.take(Speaker::asker, Kind::get));
  EXPECT_FALSE(order.take(Speaker::helper, Kind::piece));
  EXPECT_FALSE(order.take(Speaker::asker, Kind::get));
  EXPECT_TRUE(order.take(Speaker::helper, Kind::head));
  EXPECT_FALSE(order.take(Speaker::helper, Kind::head));
  EXPECT_TRUE(order.take(Speaker::helper, Kind::piece));
  EXPECT_TRUE(order.take(Speaker::helper, Kind::end));
  EXPECT_EQ(order.stage(), Stage::idle);
}

TEST(Channel, CarriesMessagesBothWays) {
  Pair pair = *socket_pair();
  Channel asker(std::move(pair.ours), Order(kBrokerOrder), Speaker::asker);
  Channel helper(std::move(pair.theirs), Order(kBrokerOrder), Speaker::helper);
  ASSERT_TRUE(asker.send(samples()[0], kNever).has_value());
  const auto start = helper.receive(kNever);
  ASSERT_TRUE(start.has_value());
  EXPECT_EQ(std::get<Start>(*start).host, "registry.example");
  ASSERT_TRUE(helper.send(samples()[1], kNever).has_value());
  ASSERT_TRUE(asker.receive(kNever).has_value());
}

TEST(Channel, ADeadlineThatHasPassedIsATimeout) {
  Pair pair = *socket_pair();
  Channel helper(std::move(pair.theirs), Order(kBrokerOrder), Speaker::helper);
  const auto got = helper.receive(deadline_in(std::chrono::milliseconds(0)));
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error(), ChannelError::timeout);
}

TEST(Channel, AClosedPeerIsClosedForReaderAndWriter) {
  Pair pair = *socket_pair();
  Channel asker(std::move(pair.ours), Order(kBrokerOrder), Speaker::asker);
  EXPECT_FALSE(is_hung_up(asker.fd()));
  pair.theirs = os::Fd();
  EXPECT_TRUE(is_hung_up(asker.fd()));
  const auto sent = asker.send(samples()[0], kNever);
  ASSERT_FALSE(sent.has_value());
  EXPECT_EQ(sent.error(), ChannelError::closed);
  EXPECT_FALSE(asker.receive(kNever).has_value());
}

TEST(Channel, AMessageOutOfOrderBreaksIt) {
  Pair pair = *socket_pair();
  Channel fetch(std::move(pair.ours), Order(kFetchOrder), Speaker::asker);
  Channel broker(std::move(pair.theirs), Order(kBrokerOrder), Speaker::helper);
  ASSERT_TRUE(fetch.send(samples()[3], kNever).has_value());
  const auto got = broker.receive(kNever);
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error(), ChannelError::broken);
}

}  // namespace
}  // namespace cg::net
