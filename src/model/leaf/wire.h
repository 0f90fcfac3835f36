// Wire: what is said to a model server, and what is read from its answer. Bytes in, bytes out.
//
// Two shapes: the Messages API, and chat completions as local model servers speak them, by a table
// of what each takes (provider.h). The envelope may hold more than we know; what we know must be
// there once, in its type. The text inside is the model's and is all of it a plan, or a violation:
// prose around one is none, nor is a fence of a code block. A server that would not let its model
// speak has refused, as a model can.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/base/result.h"
#include "fetch/net/message.h"
#include "model/proposal/proposal.h"

namespace cg::leaf {

/// The one host that is ever asked, and where; the broker is started with these.
inline constexpr std::string_view kHost = "api.anthropic.com";
inline constexpr std::uint16_t kPort = 443;
inline constexpr std::string_view kApiVersion = "2023-06-01";
/// A model server of one's own is here and nowhere else.
inline constexpr std::string_view kLoopbackHost = "127.0.0.1";

inline constexpr std::uint32_t kMaxTokens = 12'000;

struct Question {
  std::string_view model;
  std::string_view system;
  std::string_view body;
  std::uint32_t max_tokens = kMaxTokens;
};
/// Letters, digits and ._:/@- ; 1 to 128 of them.
[[nodiscard]] bool is_model_name(std::string_view text);

/// The bytes of a request. The same question has the same bytes: exchanges are found again by
/// their digest.
[[nodiscard]] std::string write_question(net::Wire wire, const Question& question);

/// An answer as it came.
struct Raw {
  std::uint16_t status = 0;
  std::string content_type;
  std::string retry_after;
  std::string body;
};

struct Heard {
  std::string model;  // as the server calls itself; printable
  net::Tokens tokens;
  std::variant<proposal::Proposal, proposal::Violation> said;
};
/// No answer of this kind of server, or one that says no: kind `protocol` or `status`.
struct Unreadable {
  net::FailureKind kind = net::FailureKind::protocol;
  std::string detail;  // our own words, and the server's name for its error
  std::optional<std::uint32_t> retry_after_s;
};
[[nodiscard]] Result<Heard, Unreadable> read_answer(net::Wire wire, const Raw& raw);

/// "12" is 12; at most an hour. Dates and all else count as not sent.
[[nodiscard]] std::optional<std::uint32_t> parse_retry_after(std::string_view text);

/// `text` with every occurrence of `key` and of what is shaped like one taken out. `key` may
/// be empty.
[[nodiscard]] std::string without_secrets(std::string_view text, std::string_view key);

}  // namespace cg::leaf
