// Machines for tests: an image that is made once, jails to run emulators in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jail/microvm/vm.h"
#include "jail/sandbox/jail.h"
#include "support/support.h"

namespace cg::microvm {

/// The folder of the image, made if it is not there or not with this init. Made of the
/// packages of this machine; shared by all tests, one after the other.
[[nodiscard]] std::string shared_image();

[[nodiscard]] Recipe test_recipe();

class Bench {
 public:
  Bench();
  /// With the shared image, emulated; /tree holds `files`.
  [[nodiscard]] std::unique_ptr<sandbox::Chamber> open();
  [[nodiscard]] Result<MicroVms, sandbox::Error> machines(Options options);
  [[nodiscard]] Options options() const;
  [[nodiscard]] std::string path(const std::string& name) const { return scratch_ / name; }
  [[nodiscard]] sandbox::Scene scene() const;

 private:
  test::ScratchDir scratch_;
  std::unique_ptr<sandbox::Jails> jails_;
  std::unique_ptr<MicroVms> machines_;
};

[[nodiscard]] sandbox::Step step(std::vector<std::string> argv);
[[nodiscard]] sandbox::Ran must_run(sandbox::Chamber& chamber, const sandbox::Step& step);

}  // namespace cg::microvm
