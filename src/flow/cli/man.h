// Man pages: roff for section 1, made from the command table. One page for the
// program and one for each first word; no dates, so the same table gives the same
// bytes. They are committed under doc/man and a test compares them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flow/cli/command.h"

namespace cg::cli {

/// "codegenie", "codegenie-audit", ...
[[nodiscard]] std::vector<std::string> man_page_names(const CommandTable& table);

/// The page of that name; nothing if there is none.
[[nodiscard]] std::optional<std::string> man_page(const CommandTable& table, std::string_view page);

}  // namespace cg::cli
