// The table of acts (acts.def), and how an act ended in one word.
#pragma once

#include <gtest/gtest.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "jail/sandbox/chamber.h"

namespace cg::escape {

struct Act {
  std::string name;
  std::string tries;
  std::string jail;     // how it has to end there, see acts.def
  std::string microvm;  // and there
  std::string control;
};

/// For gtest.
void PrintTo(const Act& act, std::ostream* out);

[[nodiscard]] const std::vector<Act>& acts();
[[nodiscard]] const Act& act(std::string_view name);

/// The program of an act, built beside the tests.
[[nodiscard]] std::string program_of(const std::string& name);

/// "did", an errno or word that the act gave ("EPERM", "none"), "SIGSYS", "wall", "memory";
/// "broken: …" for an act that could not even try.
[[nodiscard]] std::string outcome(int exit_code, std::string_view printed);
[[nodiscard]] std::string outcome(const sandbox::Ran& ran);

/// Of a test that has an act as its parameter.
inline std::string name_of(const testing::TestParamInfo<Act>& info) { return info.param.name; }

/// Is `outcome` one of `expected`, "EPERM or ENOENT"?
[[nodiscard]] bool is_one_of(std::string_view outcome, std::string_view expected);

/// The act as a step of a chamber whose tree holds it by its name: its caps are far below
/// what bombs ask for.
[[nodiscard]] sandbox::Step step_of(const Act& act, const std::vector<std::string>& env);
/// What a chamber of acts is furnished with: little room.
[[nodiscard]] sandbox::Scene scene_of(const std::string& tree, const std::string& visible);

}  // namespace cg::escape
