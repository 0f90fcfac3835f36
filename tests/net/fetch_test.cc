// One GET after the other, against servers that behave and servers that do not.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/base/bytes.h"
#include "fetch/net/process_fetcher.h"
#include "support/loopback_server.h"
#include "support/support.h"
#include "trust/hash/sha256.h"

namespace cg::net {
namespace {

using test::LoopbackServer;
using test::Peer;
using test::response;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Programs programs() { return {CG_BROKER, CG_FETCH}; }

Url url(const std::string& text) {
  auto parsed = Url::parse(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return *std::move(parsed);
}

/// Answers every request with the same bytes.
LoopbackServer::Script always(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer) {
    while (peer.request()) peer.send(bytes);
  };
}

/// Sends bytes once and hangs up.
LoopbackServer::Script once(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer) {
    if (peer.request()) peer.send(bytes);
  };
}

Result<FetchedText, Error> get(const LoopbackServer& server, std::uint64_t max_bytes = 1 << 20) {
  ProcessFetcher fetcher(programs());
  return get_text(fetcher, {.url = url(server.url("/x")), .max_bytes = max_bytes});
}

Error::Kind kind(const Result<FetchedText, Error>& result) {
  EXPECT_FALSE(result.has_value());
  EXPECT_FALSE(describe(result.error()).empty());
  return result.error().kind;
}

TEST(Fetch, BringsTheBodyAndWhatTheServerSaysOfIt) {
  const LoopbackServer server(always(response("200 OK", "hello",
                                              "ETag: \"1\"\r\nLast-Modified: yesterday\r\n"
                                              "Content-Type: application/json\r\n")));
  const auto got = get(server);
  ASSERT_TRUE(got.has_value()) << describe(got.error());
  EXPECT_EQ(got->text, "hello");
  const auto& fetched = std::get<Fetched>(got->answer);
  EXPECT_EQ(fetched.etag, "\"1\"");
  EXPECT_EQ(fetched.last_modified, "yesterday");
  EXPECT_EQ(fetched.content_type, "application/json");
  EXPECT_EQ(fetched.size, 5U);
  EXPECT_EQ(fetched.sha256, hash::sha256(as_bytes("hello")));
}

TEST(Fetch, SendsWhatWasAskedForAndNoMore) {
  std::string seen;
  const LoopbackServer server([&](Peer& peer) {
    seen = peer.request().value_or("");
    peer.send(response("200 OK", ""));
  });
  const Url where = url(server.url("/@scope%2fname?write=true"));
  ProcessFetcher fetcher(programs(), {{where.origin(), Access{.authorization = "Bearer secret"}}});
  ASSERT_TRUE(get_text(fetcher, {.url = where, .accept = "application/json"}).has_value());
  EXPECT_EQ(seen, "GET /@scope%2fname?write=true HTTP/1.1\r\nHost: 127.0.0.1:" +
                      std::to_string(server.port()) +
                      "\r\nUser-Agent: codegenie\r\nAccept: application/json\r\n"
                      "Accept-Encoding: identity\r\nAuthorization: Bearer secret\r\n\r\n");
}

TEST(Fetch, KeepsOneConnectionForManyRequests) {
  const LoopbackServer server([](Peer& peer) {
    while (const auto request = peer.request()) {
      peer.send(response("200 OK", request->substr(4, request->find(' ', 4) - 4)));
    }
  });
  ProcessFetcher fetcher(programs());
  for (int i = 0; i < 100; ++i) {
    const std::string target = "/package-" + std::to_string(i);
    const auto got = get_text(fetcher, {.url = url(server.url(target))});
    ASSERT_TRUE(got.has_value()) << i << " " << describe(got.error());
    ASSERT_EQ(got->text, target);
  }
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(fetcher.live().size(), 1U);
}

TEST(Fetch, DialsAgainWhereTheServerClosesAfterEachAnswer) {
  const LoopbackServer polite(always(response("200 OK", "a", "Connection: close\r\n")));
  const LoopbackServer rude(once(response("200 OK", "b")));
  ProcessFetcher fetcher(programs());
  for (const LoopbackServer* server : {&polite, &rude}) {
    for (int i = 0; i < 5; ++i) {
      const auto got = get_text(fetcher, {.url = url(server->url("/"))});
      ASSERT_TRUE(got.has_value()) << describe(got.error());
    }
    EXPECT_EQ(server->connections(), 5);
  }
}

TEST(Fetch, ValidatorsSaveTheBody) {
  std::string seen;
  const LoopbackServer server([&](Peer& peer) {
    while (const auto request = peer.request()) {
      seen = *request;
      const bool same = request->find("If-None-Match: \"7\"\r\n") != std::string::npos;
      peer.send(same ? std::string("HTTP/1.1 304 Not Modified\r\nETag: \"7\"\r\n\r\n")
                     : response("200 OK", "new", "ETag: \"8\"\r\n"));
    }
  });
  ProcessFetcher fetcher(programs());
  const Url where = url(server.url("/feed"));
  const auto same =
      get_text(fetcher, {.url = where, .if_none_match = "\"7\"", .if_modified_since = "yesterday"});
  ASSERT_TRUE(same.has_value()) << describe(same.error());
  EXPECT_EQ(std::get<NotModified>(same->answer).etag, "\"7\"");
  EXPECT_THAT(seen, HasSubstr("If-Modified-Since: yesterday\r\n"));
  const auto other = get_text(fetcher, {.url = where, .if_none_match = "\"6\""});
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->text, "new");
  EXPECT_EQ(server.connections(), 1);
}

TEST(Fetch, NotModifiedWithoutAValidatorIsAnError) {
  const LoopbackServer server(always("HTTP/1.1 304 Not Modified\r\n\r\n"));
  const auto got = get(server);
  EXPECT_EQ(kind(got), Error::Kind::http_status);
  EXPECT_EQ(got.error().status, 304);
}

TEST(Fetch, OtherStatusesAreErrorsAndKeepTheConnection) {
  const LoopbackServer server(always(response("404 Not Found", "no such package")));
  ProcessFetcher fetcher(programs());
  for (int i = 0; i < 3; ++i) {
    const auto got = get_text(fetcher, {.url = url(server.url("/x"))});
    ASSERT_EQ(kind(got), Error::Kind::http_status);
    EXPECT_EQ(got.error().status, 404);
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(Fetch, SaysWhenToComeBack) {
  const LoopbackServer server(always(response("429 Slow", "", "Retry-After: 30\r\n")));
  const auto got = get(server);
  EXPECT_EQ(kind(got), Error::Kind::http_status);
  EXPECT_EQ(got.error().retry_after, "30");
}

TEST(Fetch, AnErrorPageOfAnyLengthIsJustAStatus) {
  const LoopbackServer server(always(response("500 Broken", std::string(1 << 20, 'x'))));
  const auto got = get(server);
  EXPECT_EQ(kind(got), Error::Kind::http_status);
  EXPECT_EQ(got.error().status, 500);
}

TEST(Fetch, RedirectsAreReportedAndNotFollowed) {
  const LoopbackServer elsewhere(always(response("200 OK", "")));
  for (const char* status : {"301 A", "302 B", "303 C", "307 D", "308 E"}) {
    const LoopbackServer server(
        always(response(status, "", "Location: " + elsewhere.url("/secret") + "\r\n")));
    const auto got = get(server);
    EXPECT_EQ(kind(got), Error::Kind::redirect);
    EXPECT_EQ(got.error().location, elsewhere.url("/secret"));
  }
  EXPECT_EQ(elsewhere.connections(), 0);
}

TEST(Fetch, ReadsChunks) {
  const LoopbackServer server(
      always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
             "5\r\nhello\r\n6;name=value\r\n world\r\n0\r\nTrailer: ignored\r\n\r\n"));
  ProcessFetcher fetcher(programs());
  for (int i = 0; i < 3; ++i) {
    const auto got = get_text(fetcher, {.url = url(server.url("/x"))});
    ASSERT_TRUE(got.has_value()) << describe(got.error());
    EXPECT_EQ(got->text, "hello world");
  }
  EXPECT_EQ(server.connections(), 1);
}

std::string gzipped(const std::string& text) { return test::run({"gzip", "-nc"}, {}, text).out; }

TEST(Fetch, UnpacksGzipWhereItWasAskedFor) {
  std::string body;
  for (int i = 0; i < 30'000; ++i) body += "{\"version\":" + std::to_string(i) + "}\n";
  std::string seen;
  const LoopbackServer server([&](Peer& peer) {
    while (const auto request = peer.request()) {
      seen = *request;
      peer.send(response("200 OK", gzipped(body), "Content-Encoding: gzip\r\n"));
    }
  });
  ProcessFetcher fetcher(programs());
  for (int i = 0; i < 3; ++i) {
    const auto got = get_text(fetcher, {.url = url(server.url("/x")), .encoding = Encoding::gzip});
    ASSERT_TRUE(got.has_value()) << describe(got.error());
    EXPECT_EQ(got->text, body);
    EXPECT_EQ(std::get<Fetched>(got->answer).sha256, hash::sha256(as_bytes(body)));
  }
  EXPECT_THAT(seen, HasSubstr("Accept-Encoding: gzip\r\n"));
  EXPECT_EQ(server.connections(), 1);
}

TEST(Fetch, GzipThatIsABombOrBrokenIsAnError) {
  std::string broken = gzipped("some text");
  broken[broken.size() - 6] ^= 1;  // in the checksum
  const struct {
    std::string what;
    std::string packed;
    Error::Kind kind;
  } cases[] = {
      {"a bomb", gzipped(std::string(8 << 20, '\0')), Error::Kind::too_large},
      {"more than asked for", gzipped(std::string(100'001, 'x')), Error::Kind::too_large},
      {"a wrong checksum", broken, Error::Kind::protocol},
      {"cut", gzipped("some text").substr(0, 15), Error::Kind::protocol},
      {"no gzip", "some text", Error::Kind::protocol},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const LoopbackServer server(always(response("200 OK", c.packed, "Content-Encoding: gzip\r\n")));
    ProcessFetcher fetcher(programs());
    const auto got = get_text(
        fetcher, {.url = url(server.url("/x")), .max_bytes = 100'000, .encoding = Encoding::gzip});
    EXPECT_EQ(kind(got), c.kind);
  }
}

TEST(Fetch, BadAnswersAreErrorsAndNeverABody) {
  using enum Error::Kind;
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const struct {
    std::string what;
    std::string bytes;
    Error::Kind kind;
  } cases[] = {
      {"cut in the body", ok + "Content-Length: 10\r\n\r\nhello", protocol},
      {"cut in a chunk", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel", protocol},
      {"cut before the last chunk", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", protocol},
      {"cut in the headers", ok + "Content-Len", protocol},
      {"no answer at all", "", unreachable},
      {"no length", ok + "\r\nhello", protocol},
      {"two lengths", ok + "Content-Length: 1\r\nContent-Length: 5\r\n\r\nhello", protocol},
      {"a length that is none", ok + "Content-Length: -1\r\n\r\n", protocol},
      {"length and chunks", ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       protocol},
      {"a bad chunk", ok + "Transfer-Encoding: chunked\r\n\r\nx\r\n", protocol},
      {"not HTTP", "SSH-2.0-OpenSSH_9.2\r\n", protocol},
      {"garbage", std::string("\x16\x03\x01\0\n\xff\xfe", 7), protocol},
      {"a later version", "HTTP/2 200 OK\r\n\r\n", protocol},
      {"unasked gzip", ok + "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx", protocol},
      {"a folded header", ok + "A: b\r\n c\r\nContent-Length: 0\r\n\r\n", protocol},
      {"header bomb", ok + "A: " + std::string(1 << 20, 'a'), protocol},
      {"many headers", ok + std::string([] {
                         std::string lines;
                         for (int i = 0; i < 10'000; ++i) lines += "A: b\r\n";
                         return lines;
                       }()),
       protocol},
      {"said to be too large", ok + "Content-Length: 1048577\r\n\r\n", too_large},
      {"an absurd length", ok + "Content-Length: 99999999999999999999\r\n\r\n", protocol},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const LoopbackServer server(once(c.bytes));
    EXPECT_EQ(kind(get(server)), c.kind);
  }
}

TEST(Fetch, ChunksBeyondTheLimitAreTooLarge) {
  const LoopbackServer server([](Peer& peer) {
    if (!peer.request()) return;
    peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 100; ++i) peer.send("400\r\n" + std::string(0x400, 'x') + "\r\n");
  });
  EXPECT_EQ(kind(get(server, 50'000)), Error::Kind::too_large);
}

TEST(Fetch, ExactlyTheLimitIsNotTooLarge) {
  const LoopbackServer server(always(response("200 OK", std::string(50'000, 'x'))));
  EXPECT_TRUE(get(server, 50'000).has_value());
  EXPECT_EQ(kind(get(server, 49'999)), Error::Kind::too_large);
}

TEST(Fetch, BytesPastTheLengthAreNotPartOfAnything) {
  const LoopbackServer server(always(response("200 OK", "ab") + "surplus"));
  ProcessFetcher fetcher(programs());
  for (int i = 0; i < 3; ++i) {
    const auto got = get_text(fetcher, {.url = url(server.url("/x"))});
    ASSERT_TRUE(got.has_value()) << describe(got.error());
    EXPECT_EQ(got->text, "ab");
  }
}

TEST(Fetch, ASilentServerRunsIntoTheDeadlineAndTheNextRequestWorks) {
  const LoopbackServer server([](Peer& peer) {
    while (const auto request = peer.request()) {
      if (request->starts_with("GET /slow")) return peer.wait_until_closed();
      peer.send(response("200 OK", "quick"));
    }
  });
  ProcessFetcher fetcher(programs());
  const auto slow =
      get_text(fetcher, {.url = url(server.url("/slow")), .limit = std::chrono::milliseconds(300)});
  EXPECT_EQ(kind(slow), Error::Kind::timeout);
  const auto quick = get_text(fetcher, {.url = url(server.url("/quick"))});
  ASSERT_TRUE(quick.has_value()) << describe(quick.error());
  EXPECT_EQ(server.connections(), 2);
}

TEST(Fetch, ABodyThatStopsRunsIntoTheDeadline) {
  const LoopbackServer server([](Peer& peer) {
    if (!peer.request()) return;
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
    peer.wait_until_closed();
  });
  ProcessFetcher fetcher(programs());
  const auto got =
      get_text(fetcher, {.url = url(server.url("/slow")), .limit = std::chrono::milliseconds(300)});
  EXPECT_EQ(kind(got), Error::Kind::timeout);
}

TEST(Fetch, NobodyListeningIsUnreachable) {
  const int held = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);  // bound, never listening
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ASSERT_EQ(bind(held, reinterpret_cast<sockaddr*>(&at), size), 0);
  ASSERT_EQ(getsockname(held, reinterpret_cast<sockaddr*>(&at), &size), 0);
  ProcessFetcher fetcher(programs());
  const std::string port = std::to_string(ntohs(at.sin_port));
  const auto got = get_text(fetcher, {.url = url("http://localhost:" + port + "/")});
  EXPECT_EQ(kind(got), Error::Kind::unreachable);
}

TEST(Fetch, AddressesThatMayNotBeDialledAreNot) {
  ProcessFetcher fetcher(programs());
  for (const char* host : {"10.0.0.1", "169.254.169.254", "[fe80::1]", "0.0.0.0", "192.0.2.1",
                           "[::ffff:169.254.169.254]"}) {
    SCOPED_TRACE(host);
    const auto got = get_text(fetcher, {.url = url("https://" + std::string(host) + "/")});
    EXPECT_EQ(kind(got), Error::Kind::unresolved);
  }
}

TEST(Fetch, ANameThatIsNobodysIsUnresolved) {
  ProcessFetcher fetcher(programs());
  const auto got = get_text(fetcher, {.url = url("https://registry.invalid/x")});
  // A machine without a name server cannot tell; the wait for one has an end as well.
  EXPECT_THAT(kind(got), testing::AnyOf(Error::Kind::unresolved, Error::Kind::timeout));
}

TEST(Fetch, ATextThatIsNoHeaderIsNotSent) {
  const LoopbackServer server(always(response("200 OK", "")));
  ProcessFetcher fetcher(programs());
  const auto got =
      get_text(fetcher, {.url = url(server.url("/")), .if_none_match = "\"x\"\r\nX-Evil: 1"});
  EXPECT_EQ(kind(got), Error::Kind::request);
  EXPECT_EQ(server.connections(), 0);
}

TEST(Fetch, KeepsAtMostFourPairs) {
  std::vector<std::unique_ptr<LoopbackServer>> servers;
  ProcessFetcher fetcher(programs());
  for (int i = 0; i < 6; ++i) {
    servers.push_back(std::make_unique<LoopbackServer>(always(response("200 OK", ""))));
    ASSERT_TRUE(get_text(fetcher, {.url = url(servers.back()->url("/"))}).has_value());
  }
  EXPECT_EQ(fetcher.live().size(), 4U);
  EXPECT_EQ(fetcher.live().front().origin.port(), servers.back()->port());
}

TEST(Fetch, ProgramsThatAreNotThereAreASetupError) {
  ProcessFetcher fetcher({"/no/such/broker", "/no/such/fetch"});
  const auto got = get_text(fetcher, {.url = url("http://localhost/")});
  EXPECT_EQ(kind(got), Error::Kind::setup);
  EXPECT_THAT(describe(got.error()), HasSubstr("/no/such/broker"));
}

}  // namespace
}  // namespace cg::net
