// What a model server wraps around the text of its model.
#pragma once

#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/json/value.h"
#include "fetch/net/leaf_message.h"
#include "model/leaf/provider.h"
#include "model/proposal/proposal.h"

namespace cg::leaf {

inline constexpr json::Limits kEnvelopeLimits = {net::kMaxExchanged, 32, 10'000};

struct Envelope {
  std::string model;
  net::Tokens tokens;
  std::string text;  // the whole of what the model said
  /// It said something else than a text to its end: cut off, nothing, a tool.
  std::optional<proposal::Violation> violation;
  /// It would not say it, or its server would not let it.
  bool is_refused = false;
};

/// The error is what is missing or of another type: "usage".
[[nodiscard]] Result<Envelope, std::string> read_envelope(const Provider& provider,
                                                          const json::Value& answer);

}  // namespace cg::leaf
