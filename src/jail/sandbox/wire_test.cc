// Frames read back as they were written, and nothing else reads.
#include "jail/sandbox/wire.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "jail/sandbox/link.h"

namespace cg::sandbox {
namespace {

Step sample_step() {
  Step step;
  step.name = "install";
  step.argv = {"/usr/bin/npm", "ci", ""};
  step.env = {"PATH=/usr/bin", "HOME=/tmp"};
  step.limits.processes = 7;
  step.shelf = Shelf::open;
  step.collect = {"/tree/a", "/tmp/b"};
  return step;
}

std::vector<Message> samples() {
  Furnish furnish;
  furnish.scene = {"/tree", "/shelf", {"/opt/x"}, 77, {"/dev/kvm"}, {{"a", "b"}}, "main"};
  furnish.programs = "/usr/libexec";
  furnish.filter = std::string("\0\1\2", 3);
  Ran ran;
  ran.ending = Capped{Cap::memory};
  ran.out = {"out\xff", 9, {}};
  ran.err.digest[31] = 9;
  ran.trace = {{{"", "/bin/a"}, {"/bin/a", "/bin/b"}},
               {"exit 1"},
               {"/bin/a -x"},
               {"tcp 127.0.0.1:1"},
               true,
               false};
  ran.collected = {{"/tree/a", "1"}, {"/tree/b", ""}};
  ran.no_git = "no git";
  ran.wall = std::chrono::milliseconds(5);
  InForce in_force{Isolation::namespaces, {{"seccomp", true, true, ""}, {"x", false, false, "y"}}};
  return {furnish,       sample_step(),
          in_force,      Error{Error::Kind::setup, "user namespace"},
          Told{"hello"}, ran};
}

std::optional<Message> read_whole(std::string_view bytes) {
  if (bytes.size() < kFrameHeader) return std::nullopt;
  const auto header = read_header(bytes.substr(0, kFrameHeader));
  if (!header || header->size != bytes.size() - kFrameHeader) return std::nullopt;
  return read_fields(header->kind, bytes.substr(kFrameHeader));
}

TEST(Wire, ReadsBackWhatWasWritten) {
  for (const Message& message : samples()) {
    const auto bytes = write_frame(message);
    ASSERT_TRUE(bytes.has_value());
    const auto back = read_whole(*bytes);
    ASSERT_TRUE(back.has_value()) << message.index();
    EXPECT_EQ(back->index(), message.index());
    EXPECT_EQ(write_frame(*back), bytes);
  }
}

TEST(Wire, RefusesEveryCutAndEveryAddition) {
  for (const Message& message : samples()) {
    const std::string bytes = write_frame(message).value();
    for (std::size_t cut = kFrameHeader; cut < bytes.size(); ++cut) {
      EXPECT_FALSE(read_fields(message.index(), std::string_view(bytes).substr(5, cut - 5)));
    }
    EXPECT_FALSE(read_fields(message.index(), bytes.substr(5) + "x"));
  }
}

TEST(Wire, ADamagedByteIsRefusedOrMeansSomethingElse) {
  for (const Message& message : samples()) {
    const std::string bytes = write_frame(message).value();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x81);
      const auto back = read_whole(damaged);
      if (!back) continue;
      EXPECT_EQ(write_frame(*back), damaged);
    }
  }
}

TEST(Wire, ChecksTheLengthBeforeAnythingIsAllocated) {
  EXPECT_FALSE(read_header(std::string("\xff\xff\xff\xff\5", 5)));
  EXPECT_FALSE(read_header(std::string("\0\1\0\0\4", 5)));  // Told of 64 KiB
  EXPECT_FALSE(read_header(std::string("\0\0\0\0\4", 5)));
  EXPECT_FALSE(read_header(std::string("\0\0\0\1\6", 5)));
  EXPECT_FALSE(read_header("\0\0\0\1"));
  EXPECT_TRUE(read_header(std::string("\0\0\0\1\4", 5)));
}

TEST(Wire, AStepSaysWhatCanBeExecuted) {
  const auto reads = [](const Step& step) {
    const auto bytes = write_frame(step);
    return bytes && read_whole(*bytes).has_value();
  };
  EXPECT_TRUE(reads(sample_step()));
  Step step = sample_step();
  step.argv[0] = "npm";
  EXPECT_FALSE(reads(step));
  step.argv.clear();
  EXPECT_FALSE(reads(step));
  step = sample_step();
  step.env[0] += '\0';
  EXPECT_FALSE(reads(step));
  step = sample_step();
  step.folder = "work";
  EXPECT_FALSE(reads(step));
  step = sample_step();
  step.argv.assign(10'000, "/x");
  EXPECT_FALSE(write_frame(step));
}

TEST(Wire, AListOfTheTraceIsSortedWithoutRepetition) {
  Ran ran;
  ran.trace.started = {{"", "/b"}, {"", "/a"}};
  EXPECT_FALSE(read_whole(write_frame(ran).value()));
  ran.trace.started = {{"", "/a"}, {"", "/a"}};
  EXPECT_FALSE(read_whole(write_frame(ran).value()));
}

TEST(Link, CarriesFramesAndTellsAClosedEndFromGarbage) {
  std::array<int, 2> fds{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds.data()), 0);
  Link one{os::Fd(fds[0])};
  {
    Link other{os::Fd(fds[1])};
    ASSERT_TRUE(other.send(Told{"a"}));
    ASSERT_EQ(write(other.fd(), "garbage", 7), 7);
  }
  const auto first = one.receive();
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(std::get<Told>(*first).bytes, "a");
  EXPECT_EQ(one.receive().error(), LinkError::broken);
  EXPECT_EQ(one.receive().error(), LinkError::closed);
  EXPECT_EQ(one.send(Told{"a"}).error(), LinkError::closed);  // and no signal
  EXPECT_EQ(one.send(Told{std::string(kMaxTold + 1, 'x')}).error(), LinkError::broken);
}

}  // namespace
}  // namespace cg::sandbox
