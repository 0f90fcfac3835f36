// Topics: help that belongs to no single command.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flow/cli/style.h"

namespace cg::cli {

struct Topic {
  std::string_view name;
  std::string_view summary;
};

[[nodiscard]] const std::vector<Topic>& topics();

/// The text of a topic; nothing if there is no such topic.
[[nodiscard]] std::optional<std::string> topic_text(std::string_view topic, const Style& style);

struct Variable {
  std::string_view name;
  std::string_view help;
};

/// Every environment variable that is read, those of the settings first.
[[nodiscard]] std::vector<Variable> environment_variables();

}  // namespace cg::cli
