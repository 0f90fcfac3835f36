// Archives in the form that a Linux kernel unpacks at boot: cpio, "newc".
//
// The same members give the same bytes, whoever makes them and whenever: they are sorted,
// numbered in that order, and all carry one time. The kernel unpacks archives that stand one
// behind the other, so that what a scene adds need only be appended to an image.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"

namespace cg::microvm {

struct Member {
  enum class Kind { folder, file, link };
  std::string path;  // "usr/bin/node": relative, no "." or "..", no empty part
  Kind kind = Kind::file;
  unsigned mode = 0644;  // permission bits; of links all are set
  unsigned owner = 0;    // user and group
  std::string bytes;     // what is in the file, where the link points
};

struct CpioError {
  enum class Kind {
    bad_path,
    twice,      // two members with one path
    no_folder,  // a member lies in what is no folder
    too_large,  // the format counts in 32 bits
  };
  Kind kind;
  std::string path;  // printable
};
[[nodiscard]] std::string describe(const CpioError& error);

/// Folders that are not among `members` but hold some of them are added, as root's, 0755.
/// The archive is a multiple of 512 bytes.
[[nodiscard]] Result<std::string, CpioError> write_cpio(std::vector<Member> members);

/// True if write_cpio() takes it as a path.
[[nodiscard]] bool is_member_path(std::string_view path);

}  // namespace cg::microvm
