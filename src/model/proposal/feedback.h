// Feedback: what is said of an answer that was turned down, so that the next one can be better.
//
// Which rule, the file and the line, and where a hunk found no place what stands there. Nothing
// of what the model wrote is in it but the path of a file that it was shown; the lines are the
// repository's, so the whole goes through the fence like all that others wrote.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/proposal/judge.h"
#include "model/proposal/proposal.h"

namespace cg::proposal {

inline constexpr std::size_t kMaxExcerpts = 2;
inline constexpr std::size_t kMaxExcerptLines = 16;
inline constexpr std::size_t kMaxExcerptText = 1200;  // bytes

/// "src/a.js:12", "target_version": for the log.
[[nodiscard]] std::string place_of(const Rejection& rejection);

[[nodiscard]] std::string feedback(const Rejection& rejection);
/// Of one that breaks no protocol; of others only that there was one.
[[nodiscard]] std::string feedback(const Violation& violation);

/// The lines of `text` from each of the first places on (from 1), `lines` of them and some around.
[[nodiscard]] std::vector<Excerpt> excerpts_at(const std::vector<std::size_t>& places,
                                               std::size_t lines, std::string_view text);

}  // namespace cg::proposal
