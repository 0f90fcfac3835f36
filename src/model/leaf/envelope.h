// What a model server wraps around the text of its model.
#pragma once

#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/json/value.h"
#include "fetch/net/leaf_message.h"
#include "model/proposal/proposal.h"

namespace cg::leaf {

inline constexpr json::Limits kEnvelopeLimits = {net::kMaxExchanged, 32, 10'000};

struct Envelope {
  std::string model;
  net::Tokens tokens;
  std::string text;  // the whole of what the model said
  /// It said something else than a text to its end: cut off, refused, nothing, a tool.
  std::optional<proposal::Violation> violation;
};

/// The error is what is missing or of another type: "usage".
[[nodiscard]] Result<Envelope, std::string> read_messages(const json::Value& answer);
[[nodiscard]] Result<Envelope, std::string> read_chat(const json::Value& answer);

}  // namespace cg::leaf
