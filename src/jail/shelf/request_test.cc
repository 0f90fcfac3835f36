#include "jail/shelf/request.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/os/dir.h"
#include "jail/shelf/answer.h"
#include "jail/shelf/policy.h"
#include "support/support.h"

namespace cg::shelf {
namespace {

std::string outcome(const std::string& head) {
  const auto request = parse_request(head);
  if (!request) return std::to_string(static_cast<int>(request.error()));
  return std::string(request->method == Method::get ? "get " : "head ") + request->path +
         (request->keep_alive ? "" : " close");
}

TEST(ShelfRequest, WhatInstallersAskForIsRead) {
  const struct {
    std::string head;
    std::string outcome;
  } cases[] = {
      {"GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "get a"},
      {"GET /a?write=true HTTP/1.1\r\n\r\n", "get a"},
      {"HEAD /a/-/a-1.0.0.tgz HTTP/1.1\r\n\r\n", "head a/-/a-1.0.0.tgz"},
      {"GET /@s%2fa HTTP/1.1\r\nConnection: keep-alive\r\n\r\n", "get @s/a"},
      {"GET /@s%2Fa HTTP/1.1\r\nconnection: Close\r\n\r\n", "get @s/a close"},
      {"GET /%40s/a/ HTTP/1.1\r\ncontent-length: 0\r\n\r\n", "get @s/a"},
      {"GET / HTTP/1.0\r\n\r\n", "get  close"},
      {"GET /a HTTP/1.1\r\nAccept: application/json; q=1.0, */*\r\n\r\n", "get a"},
  };
  for (const auto& c : cases) EXPECT_EQ(outcome(c.head), c.outcome) << c.head;
}

TEST(ShelfRequest, WhatLeadsOutOrCanBeReadTwiceIsRefused) {
  const struct {
    std::string head;
    std::string outcome;
  } cases[] = {
      {"GET /../etc/passwd HTTP/1.1\r\n\r\n", "400"},
      {"GET /a/../../b HTTP/1.1\r\n\r\n", "400"},
      {"GET /%2e%2e/b HTTP/1.1\r\n\r\n", "400"},
      {"GET /a%2f..%2f..%2fb HTTP/1.1\r\n\r\n", "400"},
      {"GET //etc/passwd HTTP/1.1\r\n\r\n", "400"},
      {"GET /%2fetc/passwd HTTP/1.1\r\n\r\n", "400"},
      {"GET /a//b HTTP/1.1\r\n\r\n", "400"},
      {"GET /a%00b HTTP/1.1\r\n\r\n", "400"},
      {"GET /a%0d%0ab HTTP/1.1\r\n\r\n", "400"},
      {"GET /a\\..\\b HTTP/1.1\r\n\r\n", "400"},
      {"GET /./a HTTP/1.1\r\n\r\n", "400"},
      {"GET /a% HTTP/1.1\r\n\r\n", "400"},
      {"GET /a%2 HTTP/1.1\r\n\r\n", "400"},
      {"GET /a%zz HTTP/1.1\r\n\r\n", "400"},
      {"GET http://127.0.0.1/a HTTP/1.1\r\n\r\n", "400"},
      {"GET a HTTP/1.1\r\n\r\n", "400"},
      {"GET  /a HTTP/1.1\r\n\r\n", "400"},
      {"GET /a HTTP/1.1\r\nfolded: x\r\n y\r\n\r\n", "400"},
      {"GET /a HTTP/1.1\r\nno colon\r\n\r\n", "400"},
      {"GET /a HTTP/1.1\r\nname : x\r\n\r\n", "400"},
      {"GET /a HTTP/1.1\r\nx: a\nb: c\r\n\r\n", "400"},
      {"GET /a HTTP/1.1\n\n", "400"},
      {"GET /a HTTP/2\r\n\r\n", "505"},
      {"POST /-/npm/v1/security HTTP/1.1\r\n\r\n", "405"},
      {"CONNECT registry.example:443 HTTP/1.1\r\n\r\n", "405"},
      {"GET /a HTTP/1.1\r\nContent-Length: 5\r\n\r\n", "413"},
      {"GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "413"},
      {"GET /" + std::string(kMaxPath, 'a') + " HTTP/1.1\r\n\r\n", "400"},
      {"", "400"},
      {"\r\n\r\n", "400"},
  };
  for (const auto& c : cases) EXPECT_EQ(outcome(c.head), c.outcome) << c.head;
  std::string many = "GET /a HTTP/1.1\r\n";
  for (std::size_t i = 0; i <= kMaxHeaderLines; ++i) many += "x: y\r\n";
  EXPECT_EQ(outcome(many + "\r\n"), "431");
}

TEST(ShelfRequest, AHeadEndsWithItsEmptyLineAndIsBounded) {
  EXPECT_EQ(head_size("GET / HTTP/1.1\r\n\r\nmore"), 18U);
  EXPECT_FALSE(head_size("GET / HTTP/1.1\r\n\r").has_value());
  std::string endless(kMaxHead, 'a');
  endless += "\r\n\r\n";
  EXPECT_FALSE(head_size(endless).has_value());
}

std::string body_of(const Answer& answer) {
  if (!answer.file.is_open()) return "";
  return *os::read_from(answer.file, 0, 1 << 20, "");
}

TEST(ShelfAnswer, FilesAndDocumentsAndNothingElse) {
  namespace fs = std::filesystem;
  const test::ScratchDir scratch;
  fs::create_directories(scratch.path() / "shelf/@s/a/-");
  test::write(scratch / "shelf/@s/a/-/a-1.0.0.tgz", "bytes");
  test::write(scratch / "shelf/@s/a/index.json", "{}");
  test::write(scratch / "secret", "secret");
  fs::create_symlink("../secret", scratch.path() / "shelf/link");
  fs::create_directory_symlink("..", scratch.path() / "shelf/up");
  ASSERT_EQ(mkfifo((scratch / "shelf/pipe").c_str(), 0600), 0);
  const os::Dir folder = *os::Dir::open(scratch / "shelf");
  const Answer file = answer_to(Request{Method::get, "@s/a/-/a-1.0.0.tgz", true}, folder);
  EXPECT_TRUE(file.head.starts_with("HTTP/1.1 200 OK\r\n")) << file.head;
  EXPECT_NE(file.head.find("Content-Length: 5\r\n"), std::string::npos);
  EXPECT_EQ(body_of(file), "bytes");
  EXPECT_EQ(body_of(answer_to(Request{Method::get, "@s/a", true}, folder)), "{}");
  const Answer head = answer_to(Request{Method::head, "@s/a", true}, folder);
  EXPECT_FALSE(head.file.is_open());
  EXPECT_NE(head.head.find("Content-Length: 2\r\n"), std::string::npos);
  for (const std::string path : {"", "@s", "none", "link", "up/secret", "pipe", "@s/a/-"}) {
    const Answer none = answer_to(Request{Method::get, path, true}, folder);
    EXPECT_TRUE(none.head.starts_with("HTTP/1.1 404 ")) << path;
    EXPECT_FALSE(none.file.is_open()) << path;
  }
}

TEST(ShelfPolicy, NoWayOut) {
  const auto policy = shelf_policy("/srv/shelf");
  ASSERT_TRUE(policy.has_value());
  using seal::Reaction;
  for (const char* name :
       {"socket",   "connect",  "bind",    "listen", "execve",  "execveat",       "fork",
        "clone",    "clone3",   "openat",  "open",   "sendmsg", "io_uring_setup", "ptrace",
        "unlinkat", "pwrite64", "mkdirat", "kill",   "fcntl",   "dup2",           "setsockopt"}) {
    EXPECT_TRUE(policy->filter.evaluate({name, {}}) == Reaction::kill) << name;
  }
  EXPECT_TRUE(policy->filter.evaluate({"mmap", {0, 4096, PROT_READ | PROT_EXEC}}) ==
              Reaction::kill);
  EXPECT_TRUE(policy->filter.evaluate({"sendto", {5, 1, 1, 0x4040, 1, 16}}) == Reaction::kill);
  EXPECT_TRUE(policy->filter.evaluate({"openat2", {}}) == Reaction::allow);
}

}  // namespace
}  // namespace cg::shelf
