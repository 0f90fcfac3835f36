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
  Files others;                                  // that were asked for, each up to Limits::other
  std::map<std::string, File, std::less<>> all;  // by path
};

/// Which files are wanted besides sources and manifests, by path.
using Wants = bool (*)(std::string_view path);

/// Everything without the folder that it is in.
[[nodiscard]] Result<Unpacked, Error> unpack(std::string_view tarball, const Limits& limits,
                                             Wants wants = nullptr);

}  // namespace cg::exports
