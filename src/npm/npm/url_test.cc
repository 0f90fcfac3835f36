#include "npm/npm/url.h"

#include <gtest/gtest.h>

#include <string>

namespace cg::npm {
namespace {

TEST(LockUrl, LoopbackIsDecidedByTheWholeHost) {
  for (const std::string host :
       {"localhost", "LOCALHOST:4873", "a.localhost", "127.0.0.1", "127.255.255.255:1", "0.0.0.0",
        "[::1]", "[::1]:4873", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]"}) {
    for (const std::string scheme : {"http://", "https://", "HTTP://"}) {
      EXPECT_TRUE(is_loopback(scheme + host + "/a/-/a-1.0.0.tgz")) << host;
      EXPECT_TRUE(is_loopback(scheme + host)) << host;
    }
  }
  for (const std::string host : {"127.0.0.1.evil.example",
                                 "localhost.evil.example",
                                 "127.evil.example",
                                 "127.0.0.1@evil.example",
                                 "127.0.0.1:80@evil.example",
                                 "evil.example",
                                 "localhost.",
                                 "xlocalhost",
                                 "127.0.0.256",
                                 "127.0.0.01",
                                 "127.1",
                                 "0x7f.0.0.1",
                                 "128.0.0.1",
                                 "[::1].evil.example",
                                 "[::1]evil.example",
                                 "[::1]:80@evil.example",
                                 "[::ffff:127.0.0.1.evil.example]",
                                 "[::ffff:8.8.8.8]",
                                 "[::1",
                                 "127.0.0.1\\@evil.example",
                                 "127.0.0.1%2eevil.example",
                                 "evil\\x00.localhost",
                                 "evil.example\\.localhost",
                                 "127.0.0.1:evil.example",
                                 "127.0.0.1:",
                                 ""}) {
    EXPECT_FALSE(is_loopback("http://" + host + "/a/-/a-1.0.0.tgz")) << host;
  }
  EXPECT_FALSE(is_loopback("git://127.0.0.1/a"));
  EXPECT_FALSE(is_loopback("127.0.0.1"));
  EXPECT_FALSE(is_loopback(""));
}

TEST(LockUrl, HttpIsKnownInEverySpelling) {
  for (const std::string url : {"http://h.example", "HTTP://h.example", "hTTp:h.example",
                                " http:/h", "\thttp://h", "h\nt\ttp://h", "\x01http://h"}) {
    EXPECT_TRUE(is_http(url)) << url;
    EXPECT_TRUE(is_web(url)) << url;
  }
  for (const std::string url : {"https://h", "httpx://h", "git+http://h", "a@npm:1.0.0", ""}) {
    EXPECT_FALSE(is_http(url)) << url;
  }
  EXPECT_TRUE(is_web("HtTpS:h.example"));
  EXPECT_FALSE(is_web("a@npm:1.0.0"));
}

}  // namespace
}  // namespace cg::npm
