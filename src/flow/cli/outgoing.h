// Outgoing: the last thing that happens to a text before it leaves the program.
#pragma once

#include <string>
#include <string_view>

#include "flow/cli/command.h"
#include "flow/cli/style.h"

namespace cg::cli {

/// `text`, a result in this format or a message, without power over a terminal or a CI runner
/// (base/base/defuse.h), whoever had a hand in it. What the style and the format bring along
/// stays: colours, the commands that GitHub's annotations are. JSON stays the same values.
[[nodiscard]] std::string outgoing(std::string_view text, Format format, const Style& style);

}  // namespace cg::cli
