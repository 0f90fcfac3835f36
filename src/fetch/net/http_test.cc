// The answer is read the same however it arrives, and only if it can be read one way.
#include "fetch/net/http.h"

#include <gtest/gtest.h>

#include <optional>

namespace cg::net {
namespace {

struct Read {
  std::optional<HttpError> error;
  std::string body;
  ResponseHead head;
  std::size_t taken = 0;
};

/// Feeds `bytes` in pieces of `step`; ends as a connection does.
Read read(std::string_view bytes, std::size_t step, std::uint64_t max = 1000) {
  ResponseReader reader(max);
  Read out;
  while (out.taken < bytes.size() && !reader.is_complete()) {
    const auto taken = reader.feed(bytes.substr(out.taken, step), out.body);
    if (!taken) {
      out.error = taken.error();
      return out;
    }
    out.taken += *taken;
  }
  if (!reader.is_complete()) out.error = HttpError::truncated;
  out.head = reader.head();
  return out;
}

const std::string kOk = "HTTP/1.1 200 OK\r\n";

TEST(ResponseReader, GoodAnswers) {
  const struct {
    std::string bytes;
    std::string body;
    bool keep_alive = true;
  } cases[] = {
      {kOk + "Content-Length: 5\r\n\r\nhello", "hello"},
      {kOk + "content-length:5\r\n\r\nhello", "hello"},
      {kOk + "Content-Length: \t0 \r\n\r\n", ""},
      {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", ""},
      {"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", "x", false},
      {kOk + "Connection: x, Close\r\nContent-Length: 1\r\n\r\nx", "x", false},
      {kOk + "Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"},
      {kOk + "Transfer-Encoding: chunked\r\n\r\n00A;x=\"y\"\r\n0123456789\r\n0\r\nA: b\r\n\r\n",
       "0123456789"},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + kOk +
           "Content-Length: 2\r\n\r\nhi",
       "hi"},
      {"HTTP/1.1 304 Same\r\nContent-Length: 500\r\n\r\n", ""},
      {"HTTP/1.1 204 None\r\n\r\n", ""},
      {kOk + "Content-Encoding: identity\r\nContent-Length: 1\r\n\r\nx", "x"},
  };
  for (const auto& c : cases) {
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}, c.bytes.size()}) {
      SCOPED_TRACE(c.bytes + " in steps of " + std::to_string(step));
      const Read got = read(c.bytes, step);
      EXPECT_EQ(got.error, std::nullopt);
      EXPECT_EQ(got.body, c.body);
      EXPECT_EQ(got.head.keep_alive, c.keep_alive);
      EXPECT_EQ(got.taken, c.bytes.size());
    }
  }
}

TEST(ResponseReader, BadAnswers) {
  using enum HttpError;
  const std::string chunked = kOk + "Transfer-Encoding: chunked\r\n\r\n";
  const struct {
    std::string bytes;
    HttpError error;
  } cases[] = {
      {"HTTP/1.1 20 OK\r\n", bad_status_line},
      {"HTTP/1.1 099 OK\r\n", bad_status_line},
      {"HTTP/1.1 600 OK\r\n", bad_status_line},
      {"HTTP/1.1 200OK\r\n", bad_status_line},
      {"HTTP/1.1  200 OK\r\n", bad_status_line},
      {"HTTP/1.2 200 OK\r\n", bad_status_line},
      {"http/1.1 200 OK\r\n", bad_status_line},
      {"HTTP/1.1 200 OK\n", bad_status_line},
      {"\r\n" + kOk, bad_status_line},
      {"HTTP/1.1 101 Switching\r\n\r\n", bad_status_line},
      {kOk + "Content-Length: 5\n\r\n", bad_header},
      {kOk + " Content-Length: 5\r\n\r\n", bad_header},
      {kOk + "Content-Length : 5\r\n\r\n", bad_header},
      {kOk + ": 5\r\n\r\n", bad_header},
      {kOk + "Nonsense\r\n\r\n", bad_header},
      {kOk + "A: b\rc\r\n\r\n", bad_header},
      {kOk + std::string("A: b\0c\r\n\r\n", 10), bad_header},
      {kOk + "Content-Length: +5\r\n\r\n", bad_length},
      {kOk + "Content-Length: 05\r\n\r\n", bad_length},
      {kOk + "Content-Length: 5, 5\r\n\r\n", bad_length},
      {kOk + "Content-Length:\r\n\r\n", bad_length},
      {kOk + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n", bad_length},
      {kOk + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", bad_length},
      {kOk + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", bad_length},
      {kOk + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", bad_length},
      {"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", bad_length},
      {kOk + "Transfer-Encoding: gzip, chunked\r\n\r\n", unsupported_encoding},
      {kOk + "Content-Encoding: br\r\n\r\n", unsupported_encoding},
      {kOk + "\r\n", no_length},
      {chunked + "\r\n", bad_chunk},
      {chunked + "0x5\r\n", bad_chunk},
      {chunked + "-1\r\n", bad_chunk},
      {chunked + "5\nhello", bad_chunk},
      {chunked + "5\r\nhelloX\r\n", bad_chunk},
      {chunked + "ffffffffffffffff\r\n", bad_chunk},
      {chunked + "5;" + std::string(300, 'x') + "\r\n", bad_chunk},
      {chunked + "3e9\r\n", too_large},
      {chunked + "fffffffffffffff\r\n", too_large},
      {kOk + "Content-Length: 1001\r\n\r\n", too_large},
      {kOk + "Content-Length: 5\r\n\r\nhell", truncated},
      {chunked + "5\r\nhello\r\n0\r\n", truncated},
      {kOk, truncated},
      {"", truncated},
      {kOk + "A: " + std::string(70'000, 'a') + "\r\n", headers_too_large},
      {std::string(70'000, 'a'), headers_too_large},
  };
  for (const auto& c : cases) {
    for (const std::size_t step : {std::size_t{7}, std::size_t{100'000}}) {
      SCOPED_TRACE(c.bytes.substr(0, 200) + " in steps of " + std::to_string(step));
      EXPECT_EQ(read(c.bytes, step).error, c.error);
    }
    EXPECT_FALSE(describe(c.error).empty());
  }
}

TEST(ResponseReader, InterimAnswersHaveAnEnd) {
  std::string many;
  for (int i = 0; i < 9; ++i) many += "HTTP/1.1 102 Wait\r\n\r\n";
  EXPECT_EQ(read(many, 100).error, HttpError::bad_status_line);
}

TEST(ResponseReader, ManySmallChunksDoNotAddUpPastTheLimit) {
  std::string bytes = kOk + "Transfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 1001; ++i) bytes += "1\r\nx\r\n";
  const Read got = read(bytes, 64);
  EXPECT_EQ(got.error, HttpError::too_large);
  EXPECT_EQ(got.body.size(), 1000U);
}

TEST(ResponseReader, TrailersAreBounded) {
  std::string bytes = kOk + "Transfer-Encoding: chunked\r\n\r\n0\r\n";
  for (int i = 0; i < 200; ++i) bytes += "A: b\r\n";
  EXPECT_EQ(read(bytes, 1000).error, HttpError::headers_too_large);
}

TEST(ResponseReader, KeepsWhatIsSaidOnceAndUsable) {
  const Read got = read(kOk +
                            "ETag: \"1\"\r\nLast-Modified: a\r\nLast-Modified: a\r\n"
                            "Last-Modified: a\r\nLocation: /" +
                            std::string(3000, 'x') +
                            "\r\nContent-Type: caf\xc3\xa9\r\nRetry-After: 5\r\n"
                            "Content-Length: 0\r\n\r\n",
                        10'000);
  EXPECT_EQ(got.error, std::nullopt);
  EXPECT_EQ(got.head.etag, "\"1\"");
  EXPECT_EQ(got.head.last_modified, "");
  EXPECT_EQ(got.head.location, "");
  EXPECT_EQ(got.head.content_type, "");
  EXPECT_EQ(got.head.retry_after, "5");
}

TEST(ResponseReader, TakesGzipOnlyWhereItWasAskedFor) {
  const std::string bytes = kOk + "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx";
  EXPECT_EQ(read(bytes, 100).error, HttpError::unsupported_encoding);
  for (const char* bad : {"gzip, gzip", "deflate", "gzip\r\nContent-Encoding: gzip"}) {
    ResponseReader reader(100, Encoding::gzip);
    std::string body;
    EXPECT_FALSE(reader.feed(kOk + "Content-Encoding: " + bad + "\r\n\r\n", body).has_value());
  }
  ResponseReader reader(100, Encoding::gzip);
  std::string body;
  ASSERT_TRUE(reader.feed(bytes, body).has_value());
  EXPECT_TRUE(reader.is_complete());
  EXPECT_EQ(reader.head().encoding, Encoding::gzip);
}

TEST(ResponseReader, LeavesWhatComesAfter) {
  const std::string first = kOk + "Content-Length: 1\r\n\r\nx";
  EXPECT_EQ(read(first + "HTTP/1.1 200 OK\r\n", 1000).taken, first.size());
}

TEST(WriteRequest, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(write_request({"registry.example", "/x", "", "", "", ""}),
            "GET /x HTTP/1.1\r\nHost: registry.example\r\nUser-Agent: codegenie\r\n"
            "Accept-Encoding: identity\r\n\r\n");
}

TEST(HeaderValue, IsVisibleAsciiWithoutOuterSpaces) {
  EXPECT_TRUE(is_header_value("W/\"a b\""));
  for (const char* bad : {"", " a", "a ", "a\tb", "a\r\nb", "caf\xc3\xa9", "a\x7f"}) {
    EXPECT_FALSE(is_header_value(bad)) << bad;
  }
  EXPECT_FALSE(is_header_value(std::string(2049, 'a')));
}

}  // namespace
}  // namespace cg::net
