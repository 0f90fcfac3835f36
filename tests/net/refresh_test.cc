// `codegenie vuln-index refresh` from the network, as the user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/loopback_server.h"
#include "support/support.h"

namespace cg::test {
namespace {

using testing::HasSubstr;

const std::string kFeed =
    R"({"id":"GHSA-1","modified":"2026-01-02T03:04:05Z","affected":[{"package":{"ecosystem":"npm","name":"a"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.0.1"}]}]}]})";

class RefreshBench {
 public:
  RefreshBench() { EXPECT_EQ(codegenie("", {"init"}).exit, 0); }
  Ran codegenie(const std::string& feed, std::vector<std::string> words) const {
    words.insert(words.begin(), CG_BINARY);
    std::vector<std::string> environment{"HOME=" + scratch_.path().string(), "CODEGENIE_HOME",
                                         "XDG_STATE_HOME"};
    if (!feed.empty()) environment.push_back("CODEGENIE_FEEDS_OSV=" + feed);
    return run(words, environment);
  }
  Ran refresh(const LoopbackServer& server) const {
    return codegenie(server.url("/feed"), {"vuln-index", "refresh"});
  }

 private:
  ScratchDir scratch_;
};

LoopbackServer::Script answers(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer) {
    if (peer.request()) peer.send(bytes);
  };
}

std::string with_length(const std::string& body, std::size_t length) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n" + body;
}

TEST(Refresh, PutsAFetchedFeedInPlaceAndTheLogSaysSo) {
  const RefreshBench bench;
  const LoopbackServer server(answers(with_length(kFeed, kFeed.size())));
  const Ran ran = bench.refresh(server);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 advisory for 1 package"));
  EXPECT_THAT(bench.codegenie("", {"audit", "log"}).out, HasSubstr("advisory_index_replaced"));
  EXPECT_EQ(bench.codegenie("", {"vuln-index", "verify"}).exit, 0);
}

TEST(Refresh, KeepsTheIndexWhenTheFeedCannotBeHad) {
  const RefreshBench bench;
  const LoopbackServer good(answers(with_length(kFeed, kFeed.size())));
  ASSERT_EQ(bench.refresh(good).exit, 0);
  const std::string before = bench.codegenie("", {"vuln-index", "status", "--json"}).out;
  const std::string bad[] = {"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
                             "HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/\r\n"
                             "Content-Length: 0\r\n\r\n",
                             with_length(kFeed, kFeed.size() + 10), "rubbish\r\n\r\n", ""};
  for (const std::string& bytes : bad) {
    const LoopbackServer server(answers(bytes));
    const Ran ran = bench.refresh(server);
    EXPECT_EQ(ran.exit, 10) << bytes << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("the index is as it was"));
  }
  const LoopbackServer empty(answers(with_length("{}", 2)));
  EXPECT_EQ(bench.refresh(empty).exit, 2) << "an answer, but no advisory in it";
  EXPECT_EQ(bench.codegenie("", {"vuln-index", "status", "--json"}).out, before);
}

}  // namespace
}  // namespace cg::test
