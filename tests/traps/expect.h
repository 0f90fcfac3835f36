// What a fixture says should come of it: expect.tsv.
//
//   # words                                     why
//   location advisory verdict how to            one vulnerable copy; `how` is the strategy of a
//                                               fixed one, the blocker of any other; "-" is
//                                               nothing, "*" anything, a|b either
//   !lines FILE N M                             N lines of FILE went, M came
//   !has FILE TEXT, !lacks FILE TEXT            \t, \r and \n stand for themselves
//   !count FILE TEXT N                          how often
//   !outcome WORD                               instead of `planned`; then no copies are compared
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cg::test {

struct ExpectedCopy {
  std::string location, advisory, verdict, how, to;
};
struct Check {
  std::vector<std::string> words;  // without the "!"
};
struct Expected {
  std::vector<ExpectedCopy> copies;
  std::vector<Check> checks;
  std::string outcome = "planned";
};

[[nodiscard]] Expected read_expected(const std::filesystem::path& file);

/// Whether `found` is one of what `pattern` allows.
[[nodiscard]] bool allows(const std::string& pattern, const std::string& found);

/// What is wrong with the files in `after`, which were those in `before`; empty if nothing.
[[nodiscard]] std::string complaint(const Check& check, const std::filesystem::path& before,
                                    const std::filesystem::path& after);

/// The project.
inline std::filesystem::path source_dir() { return CG_SOURCE_DIR; }

}  // namespace cg::test
