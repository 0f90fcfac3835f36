// What a boot with KVM showed, kept so that not every run has to wait for it again.
//
// That /dev/kvm is there proves nothing: it may belong to a machine that cannot run a kernel
// of ours. Whether it does changes with the host's kernel, so a finding holds until the host
// boots again, and for one image.
#pragma once

#include <optional>
#include <string>

#include "base/os/dir.h"
#include "jail/microvm/qemu.h"
#include "trust/hash/digest.h"

namespace cg::microvm {

struct Finding {
  Accelerator accelerator = Accelerator::tcg;
  std::string why;  // it is not KVM; one printable line
};

/// Nothing if it is of another boot or image, or cannot be read.
[[nodiscard]] std::optional<Finding> remembered(const os::Dir& folder, const hash::Digest& image);
/// Not being able to is no error: the next run finds out again.
void remember(const os::Dir& folder, const hash::Digest& image, const Finding& finding);

}  // namespace cg::microvm
