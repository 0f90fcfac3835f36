// The answers of a hostile model, read from the tables of this folder.
#pragma once

#include <string>
#include <vector>

namespace cg::hostile {

struct Answer {
  std::string name;      // unique
  std::string json;      // as the model sends it
  std::string expected;  // "bad_path files", "rejected not_newer"; a start is enough
};

[[nodiscard]] std::vector<Answer> path_answers();
[[nodiscard]] std::vector<Answer> version_answers();
[[nodiscard]] std::vector<Answer> package_answers();
/// Of diffs.txt, which are no diffs or not of what may be changed, or of rewrites.txt.
[[nodiscard]] std::vector<Answer> diff_answers(const std::string& file);
[[nodiscard]] std::vector<Answer> shape_answers();
/// Too much of something; made here and not kept in a table.
[[nodiscard]] std::vector<Answer> size_answers();
/// Fine, all of them; `expected` is empty.
[[nodiscard]] std::vector<Answer> honest_answers();

}  // namespace cg::hostile
