// The catalog against registries that behave and registries that do not, through the
// programs that really fetch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fetch/catalog/catalog.h"
#include "fetch/net/process_fetcher.h"
#include "support/loopback_server.h"
#include "support/support.h"

namespace cg::catalog {
namespace {

using test::LoopbackServer;
using test::Peer;
using test::response;
using testing::HasSubstr;

std::string packument(const std::string& name, const std::string& more = "") {
  return R"({"name":")" + name +
         R"(","versions":{"1.0.0":{"dist":{"tarball":)"
         R"("https://registry.example/x.tgz","shasum":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}})" +
         more + "}}";
}

/// Answers with what `answer` makes of a request, for as long as the client stays.
LoopbackServer::Script answering(std::function<std::string(const std::string&)> answer) {
  return [answer = std::move(answer)](Peer& peer) {
    while (const auto request = peer.request()) peer.send(answer(*request));
  };
}

class RegistryBench {
 public:
  std::unique_ptr<Catalog> open(const LoopbackServer& server, const std::string& npmrc = "",
                                const std::string& authorities = "",
                                std::chrono::milliseconds limit = std::chrono::seconds(60)) {
    registry::Layers layers;
    layers.flag = server.url("/npm/", authorities.empty() ? "127.0.0.1" : "localhost");
    layers.user = *registry::parse_npmrc(npmrc, {});
    registry::Config config = *registry::Config::merge(layers);
    MakeFetcher make =
        [config, authorities](
            const registry::Choice& choice) -> Result<std::unique_ptr<net::Fetcher>, Problem> {
      const net::Url url = *net::Url::parse(choice.url.str());
      net::Access access;
      access.authorities = authorities;
      access.authorization = config.authorization(choice.url);
      return std::unique_ptr<net::Fetcher>(std::make_unique<net::ProcessFetcher>(
          net::Programs{CG_BROKER, CG_FETCH},
          std::map<net::Origin, net::Access>{{url.origin(), std::move(access)}}));
    };
    Options options;
    options.limit = limit;
    options.max_age = std::chrono::milliseconds(-1);  // always ask
    return std::make_unique<Catalog>(Cache(home_), std::move(config), std::move(make), options,
                                     clock_);
  }

  std::string lack(const LoopbackServer::Script& script,
                   std::chrono::milliseconds limit = std::chrono::seconds(60)) {
    const LoopbackServer server(script);
    const auto catalog = open(server, "", "", limit);
    if (catalog->get("a") != nullptr) return "got it";
    EXPECT_FALSE(catalog->lacks().at("a").what.empty());
    return std::string(name(catalog->lacks().at("a").kind));
  }

 private:
  test::ScratchDir scratch_;
  os::Dir home_ = *os::Dir::open(scratch_.path());
  os::SystemClock clock_;
};

TEST(Registry, IsAskedForTheRightPathWithTheRightToken) {
  RegistryBench bench;
  std::string seen;
  const LoopbackServer server(answering([&](const std::string& request) {
    seen = request;
    return response("200 OK", packument("@s/a"));
  }));
  const std::string host = "//127.0.0.1:" + std::to_string(server.port());
  const auto catalog =
      bench.open(server, host + "/npm/:_authToken=T0K\n" + host + "/:_authToken=no\n");
  ASSERT_NE(catalog->get("@s/a"), nullptr);
  EXPECT_THAT(seen, HasSubstr("GET /npm/@s%2fa HTTP/1.1\r\n"));
  EXPECT_THAT(seen, HasSubstr("Authorization: Bearer T0K\r\n"));
  EXPECT_THAT(seen, HasSubstr("application/json"));
}

TEST(Registry, WithACertificateOfItsOwnIsTrustedWhenNpmIsToldTo) {
  RegistryBench bench;
  const test::Authority authority;
  const LoopbackServer server(
      answering([](const std::string&) { return response("200 OK", packument("a")); }),
      authority.issue("DNS:localhost"));
  EXPECT_NE(bench.open(server, "", authority.pem())->get("a"), nullptr);
  RegistryBench other;
  const auto distrusting = other.open(server, "", test::Authority().pem());
  EXPECT_EQ(distrusting->get("a"), nullptr);
  EXPECT_EQ(distrusting->lacks().at("a").kind, Lack::Kind::unreachable);
}

TEST(Registry, ConfirmsWhatItSentBefore) {
  RegistryBench bench;
  int confirmed = 0;
  const LoopbackServer server(answering([&](const std::string& request) {
    if (request.find("If-None-Match: \"v1\"") == std::string::npos) {
      return response("200 OK", packument("a"), "ETag: \"v1\"\r\n");
    }
    ++confirmed;
    return std::string("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n");
  }));
  EXPECT_NE(bench.open(server)->get("a"), nullptr);
  const auto again = bench.open(server);
  EXPECT_NE(again->get("a"), nullptr);
  EXPECT_EQ(again->counts().confirmed, 1U);
  EXPECT_EQ(confirmed, 1);
}

TEST(Registry, ThatMisbehavesIsAReasonAndNeverMore) {
  RegistryBench bench;
  const auto sends = [](const std::string& bytes) {
    return [bytes](Peer& peer) {
      if (peer.request()) peer.send(bytes);
    };
  };
  const std::string whole = response("200 OK", packument("a"));
  EXPECT_EQ(bench.lack(sends(response("404 Not Found", R"({"error":"not_found"})"))), "not_found");
  EXPECT_EQ(bench.lack(sends(response("401 Unauthorized", "{}"))), "refused");
  EXPECT_EQ(bench.lack(sends(response("503 Unavailable", "{}"))), "unreachable");
  EXPECT_EQ(bench.lack(sends(response("200 OK", "<html>sign in</html>"))), "rubbish");
  EXPECT_EQ(bench.lack(sends(response("200 OK", R"({"ok":true})"))), "rubbish");
  EXPECT_EQ(bench.lack(sends("rubbish\r\n\r\n")), "rubbish");
  EXPECT_EQ(bench.lack(sends(whole.substr(0, whole.size() - 10))), "rubbish");
  EXPECT_EQ(bench.lack(sends(response("200 OK", packument("b")))), "name_mismatch");
  EXPECT_EQ(
      bench.lack(sends(response("302 Found", "", "Location: https://elsewhere.example/\r\n"))),
      "redirect");
  EXPECT_EQ(bench.lack(sends("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n{")),
            "too_large");
  EXPECT_EQ(bench.lack(sends(response("200 OK", R"({"name":"a","time":{"unpublished":{}}})"))),
            "unpublished");
  EXPECT_EQ(bench.lack(sends("")), "unreachable");
  EXPECT_EQ(bench.lack(
                [](Peer& peer) {
                  if (peer.request()) peer.wait_until_closed();
                },
                std::chrono::milliseconds(1500)),
            "timeout");
}

TEST(Registry, AVersionThatWasUnpublishedIsGoneFromTheNextAnswer) {
  RegistryBench bench;
  bool gone = false;
  const LoopbackServer server(answering([&](const std::string&) {
    const std::string second = R"(,"1.0.1":{"dist":{"tarball":"https://registry.example/y.tgz",)"
                               R"("shasum":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}})";
    return response("200 OK", packument("a", gone ? "" : second));
  }));
  EXPECT_EQ(bench.open(server)->get("a")->size(), 2U);
  gone = true;
  EXPECT_EQ(bench.open(server)->get("a")->size(), 1U);
}

TEST(Registry, ManyAreFetchedByAFewProgramsAtOnce) {
  RegistryBench bench;
  const LoopbackServer server(answering([](const std::string& request) {
    const std::size_t start = request.find("/npm/") + 5;
    return response("200 OK", packument(request.substr(start, request.find(' ', start) - start)));
  }));
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i) names.push_back("p" + std::to_string(i));
  const auto catalog = bench.open(server);
  std::size_t told = 0;
  catalog->prefetch(names, [&](std::size_t, std::size_t) { ++told; });
  EXPECT_EQ(told, 60U);
  EXPECT_EQ(catalog->counts().fetched, 60U);
  EXPECT_TRUE(catalog->lacks().empty());
  EXPECT_LE(server.connections(), 4);
}

}  // namespace
}  // namespace cg::catalog
