// The programs end when they should: with their parent, and at the first message that
// does not belong.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <future>

#include "fetch/net/process_fetcher.h"
#include "support/loopback_server.h"
#include "support/support.h"

namespace cg::net {
namespace {

using test::LoopbackServer;
using test::Peer;
using testing::HasSubstr;

int code_of(const Process::End& end) {
  const auto* exited = std::get_if<os::Exited>(&end);
  return exited != nullptr ? exited->code : -std::get<os::Signalled>(end).signal;
}

/// A program and the two sockets it was born with.
struct OneProgram {
  Pair parent = *socket_pair();
  Pair link = *socket_pair();
  Process process;

  explicit OneProgram(const char* program)
      : process(*Process::start(program, parent.theirs, link.theirs)) {
    parent.theirs = os::Fd();
    link.theirs = os::Fd();
  }
  void say(const std::string& bytes) const {
    ASSERT_EQ(send(parent.ours.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  /// The parent's end as a channel; it must be told where the conversation stands.
  [[nodiscard]] Channel channel(std::span<const Move> order) {
    return {std::move(parent.ours), Order(order), Speaker::asker};
  }
};

Setup plain_setup() { return {Scheme::http, "localhost", 80, "", ""}; }
Get plain_get() { return {"/", "", "", "", 1000, 60'000}; }
Start local_start() { return {"localhost", 80, Addresses::global, 60'000}; }

std::string frame(const Message& message) { return write_frame(message); }

TEST(Lifetime, ChildrenEndWithAKilledParent) {
  std::promise<void> asked;
  const LoopbackServer server([&](Peer& peer) {
    if (!peer.request()) return;
    asked.set_value();
    peer.wait_until_closed();
  });
  // Orphans of the parent become ours, so that their end can be waited for.
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
  const std::string where = server.url("/");
  const pid_t parent = fork();
  if (parent == 0) {
    ProcessFetcher fetcher({CG_BROKER, CG_FETCH});
    _exit(get_text(fetcher, {.url = *Url::parse(where)}).has_value() ? 1 : 2);
  }
  asked.get_future().wait();  // both programs are sealed and in the middle of something
  ASSERT_EQ(kill(parent, SIGKILL), 0);
  int reaped = 0;
  for (;;) {
    int status = 0;
    const pid_t who = waitpid(-1, &status, 0);
    if (who < 0 && errno == ECHILD) break;
    ASSERT_GT(who, 0);
    ++reaped;
    if (who == parent) continue;
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), kEndDone);
  }
  EXPECT_EQ(reaped, 3);
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
}

TEST(Lifetime, AProgramNobodyTalksToEndsWithItsSockets) {
  for (const char* program : {CG_BROKER, CG_FETCH}) {
    OneProgram bench(program);
    bench.parent.ours = os::Fd();
    EXPECT_EQ(code_of(bench.process.wait()), kEndDone);
  }
}

TEST(Lifetime, AFrameCutShortIsAnEnd) {
  for (const char* program : {CG_BROKER, CG_FETCH}) {
    OneProgram bench(program);
    bench.say(frame(plain_setup()).substr(0, 3));
    bench.parent.ours = os::Fd();
    EXPECT_EQ(code_of(bench.process.wait()), kEndDone);
  }
}

TEST(Lifetime, AnUnexpectedFirstMessageEndsTheProgram) {
  const struct {
    const char* what;
    const char* program;
    std::string bytes;
  } cases[] = {
      {"a request before the setup", CG_FETCH, frame(plain_get())},
      {"the other program's message", CG_FETCH, frame(local_start())},
      {"a message only it may send", CG_FETCH, frame(Ready{})},
      {"no such kind", CG_FETCH, std::string("\0\0\0\1\x63", 5)},
      {"kind zero", CG_FETCH, std::string("\0\0\0\1\0", 5)},
      {"an empty frame", CG_FETCH, std::string("\0\0\0\0\4", 5)},
      {"longer than its kind can be", CG_FETCH, std::string("\xff\xff\xff\xff\4", 5)},
      {"fields that do not add up", CG_FETCH, std::string("\0\0\0\2\4\0", 6)},
      {"a setup", CG_BROKER, frame(plain_setup())},
      {"a dial on the wrong channel", CG_BROKER, frame(Dial{1})},
      {"longer than its kind can be", CG_BROKER, std::string("\0\x10\0\0\1", 5)},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    OneProgram bench(c.program);
    bench.say(c.bytes);
    EXPECT_EQ(code_of(bench.process.wait()), kEndUnexpected);
  }
}

TEST(Lifetime, ASecondSetupEndsFetch) {
  OneProgram bench(CG_FETCH);
  bench.say(frame(plain_setup()) + frame(plain_setup()));
  EXPECT_EQ(code_of(bench.process.wait()), kEndUnexpected);
}

TEST(Lifetime, ARequestInTheMiddleOfAnotherEndsFetch) {
  OneProgram bench(CG_FETCH);
  Channel broker(std::move(bench.link.ours), Order(kLinkOrder), Speaker::helper);
  bench.say(frame(plain_setup()) + frame(plain_get()));
  ASSERT_TRUE(broker.receive(kNever).has_value());
  const Pair connection = *socket_pair();  // a server that says nothing
  ASSERT_TRUE(broker.send_with(Dialled{}, connection.theirs, kNever).has_value());
  char first = 0;
  while (read(connection.ours.get(), &first, 1) != 1) {
  }
  bench.say(frame(plain_get()));
  EXPECT_EQ(code_of(bench.process.wait()), kEndUnexpected);
}

TEST(Lifetime, ARequestThatIsNoRequestEndsFetch) {
  for (const char* target : {"no-slash", "/with space", "/a\r\nX-Evil: 1", "/%zz"}) {
    OneProgram bench(CG_FETCH);
    Get get = plain_get();
    get.target = target;
    bench.say(frame(plain_setup()) + frame(get));
    EXPECT_EQ(code_of(bench.process.wait()), kEndUnexpected) << target;
  }
}

TEST(Lifetime, ABrokerThatAnswersWithoutAConnectionEndsFetch) {
  OneProgram bench(CG_FETCH);
  Channel broker(std::move(bench.link.ours), Order(kLinkOrder), Speaker::helper);
  bench.say(frame(plain_setup()) + frame(plain_get()));
  ASSERT_TRUE(broker.receive(kNever).has_value());
  ASSERT_TRUE(broker.send(Dialled{}, kNever).has_value());
  EXPECT_EQ(code_of(bench.process.wait()), kEndUnexpected);
}

TEST(Lifetime, FetchEndsWithItsBroker) {
  OneProgram bench(CG_FETCH);
  bench.say(frame(plain_setup()));
  Channel parent = bench.channel(kFetchOrder);
  bench.link.ours = os::Fd();
  EXPECT_EQ(code_of(bench.process.wait()), kEndDone);
}

TEST(Lifetime, ASecondStartEndsTheBroker) {
  OneProgram bench(CG_BROKER);
  bench.say(frame(local_start()) + frame(local_start()));
  EXPECT_EQ(code_of(bench.process.wait()), kEndUnexpected);
}

TEST(Lifetime, TheBrokerDialsABoundedNumberOfTimes) {
  const os::Fd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  ASSERT_EQ(bind(listener.get(), address, size), 0);
  ASSERT_EQ(listen(listener.get(), 8), 0);
  ASSERT_EQ(getsockname(listener.get(), address, &size), 0);

  OneProgram bench(CG_BROKER);
  bench.say(frame(Start{"127.0.0.1", ntohs(at.sin_port), Addresses::global, 60'000}));
  Channel fetch(std::move(bench.link.ours), Order(kLinkOrder), Speaker::asker);
  const auto dial = [&] {
    EXPECT_TRUE(fetch.send(Dial{60'000}, kNever).has_value());
    return fetch.receive_with(kNever, -1);
  };
  for (int i = 0; i < 4096; ++i) {
    const auto answer = dial();
    ASSERT_TRUE(answer.has_value());
    ASSERT_TRUE(answer->fd.is_open()) << i;
    const os::Fd accepted(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  }
  const auto answer = dial();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(std::get<Failed>(answer->message).kind, FailureKind::exhausted);
}

TEST(Lifetime, WhatFetchPassesOnIsCheckedAgain) {
  // A fetch that was taken over: it answers as the order allows, with what it must not.
  const struct {
    const char* what;
    Head head;
    std::size_t body;
  } cases[] = {
      {"a header in a header", {200, "\"1\"\r\nX: y", "", "", "", ""}, 0},
      {"no such status", {7, "", "", "", "", ""}, 0},
      {"a body that was not asked for", {404, "", "", "", "", ""}, 1},
      {"more than was asked for", {200, "", "", "", "", ""}, 1001},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const test::ScratchDir dir;
    std::string frames = frame(Ready{}) + frame(c.head);
    if (c.body > 0) frames += frame(Piece{std::string(c.body, 'x')});
    test::write(dir / "frames", frames + frame(End{}));
    // It answers without listening, and stays until its parent is done with it.
    test::write(dir / "fetch", "#!/bin/sh\ncat " + (dir / "frames") + " >&0\nkill -STOP $$\n");
    std::filesystem::permissions(dir / "fetch", std::filesystem::perms::owner_all);
    ProcessFetcher fetcher({CG_BROKER, dir / "fetch"});
    const auto got =
        get_text(fetcher, {.url = *Url::parse("http://localhost:1/"), .max_bytes = 1000});
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().kind, Error::Kind::violation) << describe(got.error());
    EXPECT_TRUE(fetcher.live().empty());
  }
}

TEST(Lifetime, AProgramThatItsFilterEndsIsAViolation) {
  const test::ScratchDir dir;
  test::write(dir / "fetch", "#!/bin/sh\nkill -SYS $$\n");
  std::filesystem::permissions(dir / "fetch", std::filesystem::perms::owner_all);
  ProcessFetcher fetcher({CG_BROKER, dir / "fetch"});
  const auto got = get_text(fetcher, {.url = *Url::parse("http://localhost:1/")});
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().kind, Error::Kind::violation);
  EXPECT_THAT(got.error().detail, HasSubstr("system call"));
}

TEST(Lifetime, TheBrokerEndsWithFetch) {
  OneProgram bench(CG_BROKER);
  bench.say(frame(local_start()));
  bench.link.ours = os::Fd();
  EXPECT_EQ(code_of(bench.process.wait()), kEndDone);
}

TEST(Lifetime, ASetupThatCannotBeUsedIsSaid) {
  const struct {
    const char* what;
    net::Setup setup;
  } cases[] = {
      {"plain http elsewhere", {Scheme::http, "registry.example", 80, "", ""}},
      {"no host", {Scheme::https, "", 443, "", ""}},
      {"a header in the token", {Scheme::http, "localhost", 80, "", "a\r\nb: c"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    OneProgram bench(CG_FETCH);
    Channel parent = bench.channel(kFetchOrder);
    ASSERT_TRUE(parent.send(c.setup, kNever).has_value());
    const auto answer = parent.receive(kNever);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(std::get<Failed>(*answer).kind, FailureKind::setup);
    EXPECT_EQ(code_of(bench.process.wait()), kEndUnsealed);
  }
}

TEST(Lifetime, WhatThePairReportsIsWhatTheKernelSays) {
  const LoopbackServer server([](Peer& peer) {
    while (peer.request()) peer.send(test::response("200 OK", ""));
  });
  ProcessFetcher fetcher({CG_BROKER, CG_FETCH});
  ASSERT_TRUE(get_text(fetcher, {.url = *Url::parse(server.url("/"))}).has_value());
  ASSERT_EQ(fetcher.live().size(), 1U);
  const ProcessFetcher::Live live = fetcher.live().front();
  for (const pid_t pid : {live.broker, live.fetch}) {
    const std::string status = test::read("/proc/" + std::to_string(pid) + "/status");
    EXPECT_THAT(status, HasSubstr("\nSeccomp:\t2\n"));
    EXPECT_THAT(status, HasSubstr("\nNoNewPrivs:\t1\n"));
    EXPECT_THAT(status, HasSubstr("\nCapEff:\t0000000000000000\n"));
  }
  for (const seal::Applied& applied : {live.isolation.broker, live.isolation.fetch}) {
    EXPECT_TRUE(applied.filter && applied.undumpable && applied.no_capabilities);
    EXPECT_EQ(applied.landlock.abi, seal::landlock_abi());
  }
}

TEST(Lifetime, PairsEndWithTheFetcher) {
  const LoopbackServer server([](Peer& peer) {
    while (peer.request()) peer.send(test::response("200 OK", ""));
  });
  {
    ProcessFetcher fetcher({CG_BROKER, CG_FETCH});
    ASSERT_TRUE(get_text(fetcher, {.url = *Url::parse(server.url("/"))}).has_value());
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace cg::net
