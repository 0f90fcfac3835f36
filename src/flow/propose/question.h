// The questions about one group: what a model is told but for what of the repository it sees.
#pragma once

#include <string>
#include <vector>

#include "flow/propose/groups.h"
#include "model/tiers/asking.h"
#include "prove/gate/attempts.h"
#include "vuln/advisory/advisory.h"

namespace cg::propose {

/// The safe versions that are published and newer than all that is installed, lowest first.
[[nodiscard]] std::vector<std::string> choices_for(Situation& situation, const HandedOn& group);

/// As the index has them, the leading one first.
[[nodiscard]] Result<std::vector<advisory::Advisory>, Problem> advisories_of(
    const Situation& situation, const HandedOn& group);

/// What every question about a group is told: the task but for its files, and the advisories.
[[nodiscard]] Result<tiers::Question, Problem> question_for(Situation& situation,
                                                            const Group& group);

/// What the gates said to the last attempt, or why it never came to them, as texts to be fenced;
/// then also what they said to the last that did, so that the failures to be mended are always
/// told. `diff` is what the last rewrite changed, if there was one.
[[nodiscard]] std::vector<tiers::Text> failure_texts(
    const std::vector<gate::AttemptSummary>& history, const std::string& diff);

}  // namespace cg::propose
