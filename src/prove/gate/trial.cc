#include "prove/gate/trial.h"

#include <algorithm>

namespace cg::gate {

const StepRun* Trial::step(std::string_view name) const {
  const auto found =
      std::find_if(steps.rbegin(), steps.rend(), [&](const StepRun& s) { return s.name == name; });
  return found == steps.rend() ? nullptr : &*found;
}

}  // namespace cg::gate
