#include "jail/seal/error.h"

#include <cstdlib>
#include <cstring>

namespace cg::seal {

namespace {

std::string step_text(Error::Step step) {
  switch (step) {
    case Error::Step::filter_rule:
      return "a filter rule is wrong";
    case Error::Step::filter_build:
      return "the filter could not be made";
    case Error::Step::descriptors:
      return "inherited descriptors could not be closed";
    case Error::Step::dumpable:
      return "the process could not be made undumpable";
    case Error::Step::limits:
      return "a resource limit could not be set";
    case Error::Step::capabilities:
      return "capabilities could not be dropped";
    case Error::Step::no_new_privileges:
      return "no_new_privs could not be set";
    case Error::Step::landlock:
      return "Landlock failed";
    case Error::Step::filter_load:
      return "the seccomp filter could not be loaded";
  }
  std::abort();
}

}  // namespace

std::string describe(const Error& error) {
  std::string out = step_text(error.step);
  if (!error.detail.empty()) out += ": " + error.detail;
  if (error.code != 0) out += std::string(" (") + strerrordesc_np(error.code) + ")";
  return out;
}

}  // namespace cg::seal
