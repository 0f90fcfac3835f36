// Chambers for tests: no step is run; what came of each is written down beforehand.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/base/assert.h"
#include "jail/sandbox/chamber.h"
#include "trust/hash/sha256.h"

namespace cg::gate::test {

/// What a step of a name does, and which were asked for. A step that nobody wrote down
/// breaks the chamber.
struct Script {
  sandbox::Isolation isolation = sandbox::Isolation::namespaces;
  std::map<std::string, std::deque<sandbox::Ran>> ran;  // by name of the step, in order
  std::vector<sandbox::Step> asked;
};

[[nodiscard]] inline sandbox::Output output_of(std::string text) {
  return {text, text.size(), hash::sha256(as_bytes(text))};
}

/// A step that was watched and executed nothing but the usual.
[[nodiscard]] inline sandbox::Ran ran(int exit, std::string out = "", std::string err = "") {
  sandbox::Ran made;
  made.ending = sandbox::Exited{exit};
  made.out = output_of(std::move(out));
  made.err = output_of(std::move(err));
  made.trace.kept = true;
  made.trace.started = {{"", "/bin/sh"}, {"/bin/sh", "/usr/bin/node"}};
  made.wall = std::chrono::milliseconds{120};
  return made;
}

class ScriptedChamber : public sandbox::Chamber {
 public:
  explicit ScriptedChamber(Script& script) : script_(script) {
    in_force_.isolation = script.isolation;
  }
  [[nodiscard]] const sandbox::InForce& in_force() const override { return in_force_; }
  [[nodiscard]] Result<sandbox::Ran, sandbox::Error> run(
      const sandbox::Step& step, const sandbox::OnOutput& on_output) override {
    script_.asked.push_back(step);
    auto& left = script_.ran[step.name];
    if (left.empty()) {
      return fail(sandbox::Error{sandbox::Error::Kind::broken, "nobody wrote down " + step.name});
    }
    sandbox::Ran made = std::move(left.front());
    left.pop_front();
    if (on_output) on_output(made.out.kept);
    return made;
  }

 private:
  Script& script_;
  sandbox::InForce in_force_;
};

}  // namespace cg::gate::test
