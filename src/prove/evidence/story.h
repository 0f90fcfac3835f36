// A workflow as a remediation would have told it, with its evidence, made without running
// anything: for tests of this module and of the program.
#pragma once

#include <optional>
#include <string>

#include "fix/report/case.h"
#include "prove/evidence/bundle.h"
#include "trust/audit/log.h"
#include "trust/record/event.h"

namespace cg::evidence::test {

/// A commit object for `branch` of the case, and the id that git would give it.
[[nodiscard]] std::string commit_object(const report::Case& c, const report::Branch& branch,
                                        const std::string& tree = std::string(40, '7'));
[[nodiscard]] std::string commit_id(const std::string& object);

/// A case whose parts fit each other, and the events that tell it, but for the last.
struct Made {
  report::Case c;
  Parts parts;
  record::Events events;
};
[[nodiscard]] Made make(report::Case c, const std::string& tree = std::string(40, '7'));

/// The draft of it, and all the events of its stream.
struct Told {
  Draft draft;
  record::Events events;
};
[[nodiscard]] Told tell(const Made& made, const std::optional<sign::Seed>& key);

}  // namespace cg::evidence::test
