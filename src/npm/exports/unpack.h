// Unpack: the files of a package, from its tarball.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "npm/exports/api.h"

namespace cg::exports {

struct Unpacked {
  struct File {
    std::uint64_t bytes = 0;
    bool native = false;  // for a processor, or what is built into that: .node, binding.gyp, ELF
  };
  Files sources;                                 // and manifests: those that are looked at
  std::map<std::string, File, std::less<>> all;  // by path
};

/// Everything without the folder that it is in.
[[nodiscard]] Result<Unpacked, Error> unpack(std::string_view tarball, const Limits& limits);

}  // namespace cg::exports
