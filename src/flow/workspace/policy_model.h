// The keys of policy that are about models and money: `model.*` and `budget.usd`.
#pragma once

#include <string>
#include <string_view>

#include "base/json/value.h"
#include "flow/workspace/policy.h"

namespace cg::workspace {

/// "<what>", with the line where `at` stands.
[[nodiscard]] Failure<PolicyError> wrong(const std::string& what, const json::Value& at);

[[nodiscard]] bool is_model_key(std::string_view key);
/// Amounts are text, because a number of YAML is a binary fraction in most readers.
[[nodiscard]] Result<Done, PolicyError> read_model_key(Policy& policy, const std::string& key,
                                                       const json::Value& value);
/// Their part of the starter file.
[[nodiscard]] std::string model_text(Preset preset);

}  // namespace cg::workspace
