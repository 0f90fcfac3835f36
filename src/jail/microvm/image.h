// Image: what every microVM starts from: a kernel, and its first files with our init.
//
// Made of packages of this machine, once; the same packages give the same bytes. Each part
// is known by its SHA-256, which is looked at again before it is used: what a run says
// about its isolation names these digests.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/os/dir.h"
#include "jail/sandbox/chamber.h"
#include "trust/hash/digest.h"

namespace cg::microvm {

/// What goes in. Paths are absolute paths of this machine, and the same inside.
struct Recipe {
  std::string root = "/";  // where they are looked for: another folder in tests
  std::string kernel;      // empty: the best of /boot
  std::string init;        // our static init
  std::string shelf;       // codegenie-shelf; empty: no machine of it can serve packages
  std::vector<std::string> programs = {"/usr/bin/node", "/usr/bin/npm", "/usr/bin/npx", "/bin/sh",
                                       "/usr/bin/env"};
  /// Taken where they are there: what scripts of packages commonly call.
  std::vector<std::string> wanted;
  std::vector<std::string> folders;  // with all that is in them; npm's own is added
};
/// With `wanted` filled in.
[[nodiscard]] Recipe standard_recipe();

struct Part {
  hash::Digest sha256{};
  std::uint64_t bytes = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

struct Image {
  Part kernel;
  Part initramfs;
  Part init;
  std::string kernel_source;   // "/boot/vmlinuz-6.1.0-54-cloud-amd64"
  std::string kernel_release;  // "6.1.0-54-cloud-amd64"; empty: not told
  std::string npm;             // version; empty: none inside
  std::string node;            // as it says itself, once it ran inside; empty: it did not yet
  std::uint64_t files = 0;
  Time made{};
  /// One digest for what boots: over those of kernel and initramfs.
  [[nodiscard]] hash::Digest digest() const;
};

/// The names inside of the folder of an image.
inline constexpr const char* kKernelFile = "kernel";
inline constexpr const char* kInitramfsFile = "initramfs";
inline constexpr const char* kImageFile = "image.json";

/// Makes the image and puts it into `folder`, image.json last.
[[nodiscard]] Result<Image, sandbox::Error> make_image(const Recipe& recipe, const os::Dir& folder,
                                                       Time now);

/// Writes image.json again, for what was learnt of `image` since.
[[nodiscard]] Result<Done, sandbox::Error> note_image(const os::Dir& folder, const Image& image);

/// What image.json says. `missing` where there is none.
[[nodiscard]] Result<Image, sandbox::Error> read_image(const os::Dir& folder);
/// As read_image(), and the files are what it says: `broken` otherwise.
[[nodiscard]] Result<Image, sandbox::Error> check_image(const os::Dir& folder);

[[nodiscard]] std::string write_image(const Image& image);
[[nodiscard]] Result<Image, std::string> parse_image(std::string_view text);

}  // namespace cg::microvm
