// Payloads: texts that an operator wants to see through the fence's eyes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"

namespace cg::program {

struct Payload {
  std::string id;  // empty: it has none
  std::string text;
};

inline constexpr std::size_t kMaxPayloadBytes = 256U << 20U;

/// All of standard input, or of `file` if that is not empty. `help` is a command.
[[nodiscard]] Result<std::string, Problem> read_input(const std::string& file, const char* help);

/// One object a line with `text` and perhaps `id`; other keys are passed over. Half a
/// surrogate pair, which other tools write, is read as U+FFFD.
[[nodiscard]] Result<std::vector<Payload>, Problem> parse_payloads(std::string_view jsonl,
                                                                   const char* help);

}  // namespace cg::program
