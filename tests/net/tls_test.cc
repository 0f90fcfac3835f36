// The host proves who it is before it hears a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fetch/net/process_fetcher.h"
#include "support/loopback_server.h"

namespace cg::net {
namespace {

using test::Authority;
using test::LoopbackServer;
using test::Peer;
using test::response;
using testing::HasSubstr;

/// Counts the requests that got through.
struct Listening {
  std::atomic<int> requests = 0;
  LoopbackServer server;
  explicit Listening(const test::Identity& identity)
      : server(
            [this](Peer& peer) {
              while (peer.request()) {
                ++requests;
                peer.send(response("200 OK", "inside"));
              }
            },
            identity) {}
};

Result<FetchedText, Error> get_by_tls(const Listening& to, const std::string& authorities,
                                      const std::string& host) {
  const auto url = Url::parse(to.server.url("/x", host));
  EXPECT_TRUE(url.has_value());
  ProcessFetcher fetcher({CG_BROKER, CG_FETCH},
                         {{url->origin(), Access{.authorities = authorities}}});
  return get_text(fetcher, {.url = *url});
}

TEST(Tls, AnAuthorityOfOnesOwnIsAccepted) {
  const Authority authority;
  const Listening to(authority.issue("DNS:localhost,IP:127.0.0.1"));
  for (const char* host : {"localhost", "127.0.0.1"}) {
    SCOPED_TRACE(host);
    const auto got = get_by_tls(to, authority.pem(), host);
    ASSERT_TRUE(got.has_value()) << describe(got.error());
    EXPECT_EQ(got->text, "inside");
  }
}

TEST(Tls, ManyRequestsShareOneHandshake) {
  const Authority authority;
  const Listening to(authority.issue("DNS:localhost"));
  const auto url = Url::parse(to.server.url("/x", "localhost"));
  ProcessFetcher fetcher({CG_BROKER, CG_FETCH},
                         {{url->origin(), Access{.authorities = authority.pem()}}});
  for (int i = 0; i < 100; ++i) {
    const auto got = get_text(fetcher, {.url = *url});
    ASSERT_TRUE(got.has_value()) << describe(got.error());
  }
  EXPECT_EQ(to.server.connections(), 1);
}

TEST(Tls, Version12IsStillSpoken) {
  const Authority authority;
  test::Identity identity = authority.issue("DNS:localhost");
  identity.newest_tls = test::NewestTls::v12;
  const Listening to(identity);
  const auto got = get_by_tls(to, authority.pem(), "localhost");
  ASSERT_TRUE(got.has_value()) << describe(got.error());
}

TEST(Tls, WhoeverCannotProveItHearsNothing) {
  const Authority authority;
  const Authority stranger;
  const struct {
    std::string what;
    test::Identity identity;
    std::string host;
    std::string detail;
  } cases[] = {
      {"another name", authority.issue("DNS:other.example"), "localhost", "hostname mismatch"},
      {"a name for an address", authority.issue("DNS:127.0.0.1"), "127.0.0.1", "IP address"},
      {"half a wildcard", authority.issue("DNS:local*"), "localhost", "hostname mismatch"},
      {"signed by itself", Authority::self_signed("DNS:localhost"), "localhost", "self-signed"},
      {"signed by a stranger", stranger.issue("DNS:localhost"), "localhost", "signature"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const Listening to(c.identity);
    const auto got = get_by_tls(to, authority.pem(), c.host);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().kind, Error::Kind::tls) << describe(got.error());
    EXPECT_THAT(got.error().detail, HasSubstr(c.detail));
    EXPECT_EQ(to.requests, 0);
  }
}

TEST(Tls, TheSystemTrustsNobodyWeMadeUp) {
  const Authority authority;
  const Listening to(authority.issue("DNS:localhost"));
  const auto got = get_by_tls(to, "", "localhost");
  ASSERT_FALSE(got.has_value());
  // Without ca-certificates there is nobody to trust, and that is said instead.
  EXPECT_THAT(got.error().kind, testing::AnyOf(Error::Kind::tls, Error::Kind::setup));
  EXPECT_EQ(to.requests, 0);
}

TEST(Tls, AServerThatSpeaksPlainHttpIsRefused) {
  const Authority authority;
  const LoopbackServer plain([](Peer& peer) {
    peer.send(response("200 OK", "not inside anything"));
    peer.wait_until_closed();
  });
  const auto url = Url::parse("https://localhost:" + std::to_string(plain.port()) + "/");
  ProcessFetcher fetcher({CG_BROKER, CG_FETCH},
                         {{url->origin(), Access{.authorities = authority.pem()}}});
  const auto got = get_text(fetcher, {.url = *url});
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().kind, Error::Kind::tls) << describe(got.error());
}

TEST(Tls, AHandshakeThatNeverEndsRunsIntoTheDeadline) {
  const LoopbackServer silent([](Peer& peer) { peer.wait_until_closed(); });
  const Authority authority;
  const auto url = Url::parse("https://localhost:" + std::to_string(silent.port()) + "/");
  ProcessFetcher fetcher({CG_BROKER, CG_FETCH},
                         {{url->origin(), Access{.authorities = authority.pem()}}});
  const auto got = get_text(fetcher, {.url = *url, .limit = std::chrono::milliseconds(500)});
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().kind, Error::Kind::timeout);
}

TEST(Tls, AnAuthorityThatIsNoneIsASetupError) {
  const Authority authority;
  const Listening to(authority.issue("DNS:localhost"));
  const std::string half = authority.pem().substr(0, authority.pem().size() / 2);
  for (const std::string& pem : {std::string("nonsense"), half, authority.pem() + half}) {
    const auto got = get_by_tls(to, pem, "localhost");
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().kind, Error::Kind::setup) << describe(got.error());
  }
}

TEST(Tls, ABodyCutInsideTlsIsCut) {
  const Authority authority;
  const LoopbackServer server(
      [](Peer& peer) {
        if (peer.request()) peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
      },
      authority.issue("DNS:localhost"));
  const auto url = Url::parse(server.url("/", "localhost"));
  ProcessFetcher fetcher({CG_BROKER, CG_FETCH},
                         {{url->origin(), Access{.authorities = authority.pem()}}});
  const auto got = get_text(fetcher, {.url = *url});
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().kind, Error::Kind::protocol);
}

}  // namespace
}  // namespace cg::net
