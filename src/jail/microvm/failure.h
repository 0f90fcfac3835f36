// Errors of the sandbox, as this module makes them. Private to this module.
#pragma once

#include <string>

#include "base/base/result.h"
#include "base/base/text.h"
#include "base/os/error.h"
#include "jail/sandbox/chamber.h"

namespace cg::microvm {

[[nodiscard]] inline Failure<sandbox::Error> failure(sandbox::Error::Kind kind,
                                                     const std::string& what) {
  return fail(sandbox::Error{kind, what});
}

/// Something that a machine needs of this one did not work.
[[nodiscard]] inline Failure<sandbox::Error> setup_failure(const os::Error& error) {
  return failure(sandbox::Error::Kind::setup, printable(error.path) + ": " + os::describe(error));
}

}  // namespace cg::microvm
