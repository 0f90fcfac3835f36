// Teaching: what a run found out becomes records of the store.
#pragma once

#include <string>
#include <vector>

#include "flow/workspace/access.h"
#include "flow/workspace/policy.h"
#include "learn/example/example.h"
#include "prove/gate/verdict.h"
#include "trust/record/event.h"

namespace cg::precedent {

/// An answer that passed, and what shows it: the gates' own word, which nobody else can make.
struct Lesson {
  example::Example example;
  std::vector<gate::Passed> proof;  // one for each lockfile, at least one
  unsigned attempt = 0;
};
/// One that did not, and why.
struct Mistake {
  example::Example example;
  gate::Failed failed;
  unsigned attempt = 0;
};
struct Lessons {
  std::vector<Lesson> lessons;
  std::vector<Mistake> mistakes;

  [[nodiscard]] bool empty() const { return lessons.empty() && mistakes.empty(); }
};

/// Writes them for `workflow`, all of whose events so far are in the log. That something could not
/// be kept takes nothing from what was fixed: `warnings` gets a line. The ids of new records.
[[nodiscard]] std::vector<std::string> teach(const workspace::Access& access,
                                             const workspace::Policy& policy,
                                             const std::string& workflow, Lessons lessons,
                                             record::Events& events,
                                             std::vector<std::string>& warnings);

}  // namespace cg::precedent
