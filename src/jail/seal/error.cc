#include "jail/seal/error.h"

#include <cstdlib>
#include <cstring>

namespace cg::seal {

namespace {

std::string stage_text(Error::Stage stage) {
  switch (stage) {
    case Error::Stage::filter_rule:
      return "a filter rule is wrong";
    case Error::Stage::filter_build:
      return "the filter could not be made";
    case Error::Stage::descriptors:
      return "inherited descriptors could not be closed";
    case Error::Stage::dumpable:
      return "the process could not be made undumpable";
    case Error::Stage::limits:
      return "a resource limit could not be set";
    case Error::Stage::capabilities:
      return "capabilities could not be dropped";
    case Error::Stage::no_new_privileges:
      return "no_new_privs could not be set";
    case Error::Stage::landlock:
      return "Landlock failed";
    case Error::Stage::filter_load:
      return "the seccomp filter could not be loaded";
  }
  std::abort();
}

}  // namespace

std::string describe(const Error& error) {
  std::string out = stage_text(error.stage);
  if (!error.detail.empty()) out += ": " + error.detail;
  if (error.code != 0) out += std::string(" (") + strerrordesc_np(error.code) + ")";
  return out;
}

}  // namespace cg::seal
