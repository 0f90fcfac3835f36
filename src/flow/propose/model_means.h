// Means: what a question to a model takes beside its prompt, as policy and workspace have it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flow/workspace/access.h"
#include "model/budget/budget.h"
#include "model/leaf/conversation.h"

namespace cg::propose {

/// Of the plugin's skills, the one that a model is asked with.
inline constexpr std::string_view kSkill = "breaking-change";

/// That no model can be asked as policy stands.
[[nodiscard]] Problem no_model(std::string what);

[[nodiscard]] budget::Caps caps_of(const workspace::Policy& policy);

/// Those that count today; none if there is no file of them. What is about to run out is a
/// warning.
[[nodiscard]] Result<std::vector<net::Pin>, Problem> pins_of(const workspace::Access& access,
                                                             Time now,
                                                             std::vector<std::string>& warnings);

/// The host that is a constant, or the server on this machine that policy names.
[[nodiscard]] leaf::Settings settings_of(const workspace::Policy& policy,
                                         std::vector<net::Pin> pins);

}  // namespace cg::propose
