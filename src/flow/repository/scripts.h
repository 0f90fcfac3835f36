// Scripts: which scripts of a manifest test, build or check types.
//
// By name (test, test:unit, build, typecheck …) and else by the tools they call. Only
// text is looked at; what a script does when it runs nobody can tell from here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/manifest.h"

namespace cg::repository {

struct Script {
  enum class Purpose { test, build, typecheck };
  Purpose purpose = Purpose::test;
  std::string manifest;
  std::string name;
  std::string command;
  std::vector<std::string> tools;  // "jest", "tsc", "node --test" …; in order, each once
  bool no_test_specified = false;  // npm's own `echo "Error: no test specified" && exit 1`
};
[[nodiscard]] std::string_view name(Script::Purpose purpose);

/// The tools we know that `command` calls.
[[nodiscard]] std::vector<std::string> tools_of(std::string_view command);

[[nodiscard]] std::vector<Script> scripts_of(const npm::Manifest& manifest);

}  // namespace cg::repository
