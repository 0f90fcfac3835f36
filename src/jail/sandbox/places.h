// What a jail's root is made of: data that the policy prints and the jail carries out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jail/sandbox/chamber.h"
#include "jail/seal/landlock.h"

namespace cg::sandbox {

/// Who a step is, inside. Not root, there or on the host.
inline constexpr unsigned kInsideId = 1'000;
/// Who it is on the host when the jail was started by root.
inline constexpr unsigned kUnprivilegedId = 65'534;
inline constexpr const char* kHostName = "sandbox";
inline constexpr unsigned kShelfPort = 4'873;
/// The home folder of a step, empty at first.
inline constexpr const char* kHome = "/tmp/home";

struct Place {
  enum class Kind {
    bind,       // of the host, read-only, no set-user-id, no devices
    follow,     // as the host has it: a link there is the same link here, a folder is bound
    device,     // one of the host's harmless ones
    copied,     // a small file of the host as it is now
    written,    // `what` is its text
    link,       // `what` is its target
    scratch,    // writable; all of them on one file system with a size
    terminals,  // a place for pseudo terminals, of which it has those that are made in it
  };
  Kind kind;
  std::string path;  // inside; and on the host for bind, follow, device and copied
  std::string what;
};

/// In the order in which they are made. What the host does not have is passed over, except
/// of Scene::readable.
[[nodiscard]] std::vector<Place> places(const Scene& scene);

/// Parts of /proc that are covered by something empty.
struct Covered {
  std::vector<std::string> folders;
  std::vector<std::string> files;
};
[[nodiscard]] const Covered& covered_in_proc();

/// What Landlock leaves a step, over what is mounted.
[[nodiscard]] seal::Reach payload_reach();

/// Limits that no Step sets.
inline constexpr unsigned kMaxDescriptors = 16'384;
inline constexpr unsigned kMaxTerminals = 64;

}  // namespace cg::sandbox
