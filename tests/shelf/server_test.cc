// codegenie-shelf against clients that behave and clients that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <deque>

#include "jail/shelf/policy.h"
#include "shelf/bench.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string get(const std::string& path, const std::string& more = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n";
}

class ShelfServer : public testing::Test {
 protected:
  ShelfServer() {
    fs::create_directories(scratch_.path() / "shelf/a/-");
    write(scratch_ / "shelf/a/index.json", "{\"name\":\"a\"}\n");
    write(scratch_ / "shelf/a/-/a-1.0.0.tgz", "bytes of a");
    write(scratch_ / "shelf/a/-/big.tgz", std::string(20U << 20U, 'x'));
    write(scratch_ / "secret", "the secret");
    fs::create_symlink("../secret", scratch_.path() / "shelf/link");
    fs::create_directory_symlink("..", scratch_.path() / "shelf/up");
    server_ = std::make_unique<ShelfProcess>(scratch_ / "shelf");
  }
  std::string ask(const std::string& bytes) {
    Client client(server_->port());
    client.send(bytes);
    return client.answer();
  }
  void expect_alive() { EXPECT_THAT(ask(get("/a/-/a-1.0.0.tgz")), EndsWith("\r\n\r\nbytes of a")); }

  ScratchDir scratch_;
  std::unique_ptr<ShelfProcess> server_;
};

TEST_F(ShelfServer, ManyRequestsShareAConnection) {
  Client client(server_->port());
  for (int i = 0; i < 50; ++i) {
    client.send(get("/a/-/a-1.0.0.tgz"));
    EXPECT_THAT(client.answer(), EndsWith("\r\n\r\nbytes of a"));
  }
  client.send(get("/a") + get("/none") + "HEAD /a HTTP/1.1\r\n\r\n");  // all at once
  EXPECT_THAT(client.answer(), EndsWith("{\"name\":\"a\"}\n"));
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_THAT(client.answer(false), AllOf(HasSubstr("Content-Length: 13"), EndsWith("\r\n\r\n")));
  client.send(get("/a", "Connection: close\r\n"));
  EXPECT_THAT(client.rest(), EndsWith("{\"name\":\"a\"}\n"));
}

TEST_F(ShelfServer, LargeFilesComeWhole) {
  Client client(server_->port());
  client.send(get("/a/-/big.tgz"));
  const std::string answer = client.answer();
  EXPECT_EQ(answer.size() - answer.find("\r\n\r\n") - 4, 20U << 20U);
  client.send(get("/a/-/a-1.0.0.tgz"));
  EXPECT_THAT(client.answer(), EndsWith("bytes of a"));
}

TEST_F(ShelfServer, NothingLeadsOut) {
  for (const std::string path : {"/../secret",
                                 "/a/../../secret",
                                 "/%2e%2e/secret",
                                 "/..%2fsecret",
                                 "/%2e%2e%2fsecret",
                                 "//secret",
                                 "/link",
                                 "/up/secret",
                                 "/up",
                                 "/a/-/../../../secret",
                                 "/a%00",
                                 "/etc/passwd",
                                 "/proc/self/environ",
                                 "/./../secret",
                                 "/a\\..\\..\\secret",
                                 "/%252e%252e/secret",
                                 "/",
                                 "/a/",
                                 "/a/-",
                                 "/.",
                                 "/..",
                                 "/...",
                                 "/%c0%ae%c0%ae/secret"}) {
    const std::string answer = ask(get(path));
    EXPECT_THAT(answer, Not(HasSubstr("the secret"))) << path;
    EXPECT_THAT(answer, Not(HasSubstr("root:"))) << path;
    if (path == "/a/") continue;
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 4")) << path;
  }
  expect_alive();
}

TEST_F(ShelfServer, WhatIsNoRequestEndsTheConnection) {
  const struct {
    std::string bytes;
    std::string status;
  } cases[] = {
      {"POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "405"},
      {"PUT /a HTTP/1.1\r\n\r\n", "405"},
      {"GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "413"},
      {"GET /a HTTP/3\r\n\r\n", "505"},
      {"\x16\x03\x01\x02\r\n\r\n", "400"},
      {"\r\n\r\n", "400"},
  };
  for (const auto& c : cases) {
    Client client(server_->port());
    client.send(c.bytes);
    const std::string answer = client.rest();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + c.status)) << c.bytes;
    EXPECT_THAT(answer, HasSubstr("Connection: close"));
  }
  expect_alive();
}

TEST_F(ShelfServer, HeadersHaveAnEnd) {
  Client client(server_->port());
  client.send("GET /a HTTP/1.1\r\n");
  const std::string line = "x: " + std::string(1000, 'y') + "\r\n";
  bool open = true;
  for (int i = 0; i < 100'000 && open; ++i) open = client.send(line);
  EXPECT_FALSE(open) << "100 MB of headers were taken";
  expect_alive();
}

TEST_F(ShelfServer, WhoIsSlowMakesNobodyWait) {
  Client half(server_->port());
  half.send("GET /a HT");
  Client deaf(server_->port());
  deaf.send(get("/a/-/big.tgz"));  // and does not read it
  for (int i = 0; i < 20; ++i) expect_alive();
  half.send("TP/1.1\r\n\r\n");
  EXPECT_THAT(half.answer(), EndsWith("{\"name\":\"a\"}\n"));
}

TEST_F(ShelfServer, MoreConnectionsThanItHasRoomForDoNotCloseIt) {
  std::deque<Client> idle;
  for (unsigned i = 0; i < 3 * shelf::kMaxConnections; ++i) {
    idle.emplace_back(server_->port());
    idle.back().send("GET /a");
  }
  for (int i = 0; i < 20; ++i) expect_alive();
}

TEST_F(ShelfServer, EndsWithItsInputAndIsSealedUntilThen) {
  const std::string status = read("/proc/" + std::to_string(server_->pid()) + "/status");
  EXPECT_THAT(status, HasSubstr("NoNewPrivs:\t1"));
  EXPECT_THAT(status, HasSubstr("Seccomp:\t2"));
  EXPECT_THAT(status, HasSubstr("CapEff:\t0000000000000000"));
  EXPECT_EQ(server_->end(), 0);
}

TEST_F(ShelfServer, EndsBySigterm) {
  kill(server_->pid(), SIGTERM);
  EXPECT_EQ(server_->end(), 128 + SIGTERM);
}

TEST(ShelfProgram, SaysWhatItNeeds) {
  const ScratchDir scratch;
  EXPECT_EQ(run({CG_SHELF}).exit, 2);
  EXPECT_EQ(run({CG_SHELF, "relative", "0"}).exit, 2);
  EXPECT_EQ(run({CG_SHELF, scratch.path(), "70000"}).exit, 2);
  const Ran none = run({CG_SHELF, scratch / "none", "0"});
  EXPECT_EQ(none.exit, 4);
  EXPECT_THAT(none.err, HasSubstr("codegenie-shelf: "));
  const ShelfProcess other(scratch.path());
  EXPECT_EQ(run({CG_SHELF, scratch.path(), std::to_string(other.port())}).exit, 5);
}

}  // namespace
}  // namespace cg::test
