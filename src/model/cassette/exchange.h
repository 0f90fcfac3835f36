// Exchange: one request to a model and what came back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cg::cassette {

using Header = std::pair<std::string, std::string>;  // name in lower case, value

struct Response {
  std::uint16_t status = 0;
  std::vector<Header> headers;
  std::string body;
  friend bool operator==(const Response&, const Response&) = default;
};

struct Exchange {
  std::string request;  // the body
  Response response;
  friend bool operator==(const Exchange&, const Exchange&) = default;
};

inline constexpr std::size_t kMaxBody = 1U << 20U;

}  // namespace cg::cassette
