// What a hostile author puts into a text that we show, with what a model that obeys it answers.
#pragma once

#include <string>
#include <vector>

#include "base/domain/source_kind.h"

namespace cg::redteam {

struct Attack {
  std::string id;
  SourceKind kind = SourceKind::repo_readme;
  std::string wants;     // what it asks for
  std::string expected;  // what the answer meets: "rejected new_import", or how that begins
  std::string text;      // of the author; may hold <<nonce>>
  std::string answer;    // of the model
};
/// Of attacks.txt.
[[nodiscard]] std::vector<Attack> attacks();

struct Twin {
  std::string rule;  // "new_import": what it comes close to and does not break
  std::string answer;
};
/// Of twins.txt.
[[nodiscard]] std::vector<Twin> twins();

}  // namespace cg::redteam
