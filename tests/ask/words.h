// Whether a rewrite could be written by who has read a prompt and nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cg::test {

/// Names, texts and numbers on the lines of `after` that `before` has not, which neither `before`
/// nor `said` has as words of their own; each with its line. A file that cannot be parsed is one.
[[nodiscard]] std::vector<std::string> untold(const std::string& path, std::string_view before,
                                              std::string_view after, std::string_view said);

}  // namespace cg::test
