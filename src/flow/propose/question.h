// The question about one group: what a model is told, and what of the repository it sees.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flow/propose/groups.h"
#include "model/tiers/asking.h"
#include "prove/gate/attempts.h"

namespace cg::propose {

/// The sources of the repository at its base that use a package, beneath the repository.
struct Sources {
  std::map<std::string, std::string> texts;  // whole, by path; never in a prompt
  std::vector<tiers::Text> snippets;         // the functions around the uses
  std::vector<std::string> notes;            // one line each, for the operator
};
[[nodiscard]] Result<Sources, Problem> sources_of(const job::Checkout& checkout,
                                                  const std::string& package);

/// The safe versions that are published and newer than all that is installed, lowest first.
[[nodiscard]] std::vector<std::string> choices_for(Situation& situation, const HandedOn& group);

[[nodiscard]] Result<tiers::Question, Problem> question_for(Situation& situation,
                                                            const Group& group,
                                                            const Sources& sources);

/// What the gates said to the last attempt, or why it never came to them, as texts to be fenced.
[[nodiscard]] std::vector<tiers::Text> failure_texts(const gate::AttemptSummary& failed);

}  // namespace cg::propose
