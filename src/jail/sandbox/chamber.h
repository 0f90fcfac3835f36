// Chamber: a place apart from the host where steps are run one after the other on one tree
// of files.
//
// The tree is a copy: nothing a step does reaches the host. What one step leaves in /tree
// and /tmp the next one finds; processes do not outlive their step. How far apart it is,
// is said by in_force(), never assumed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "jail/sandbox/step.h"

namespace cg::sandbox {

enum class Isolation {
  none,              // a mandatory layer is missing; nothing that ran so may pass
  namespaces,        // one kernel, shared with the host and filtered
  microvm_emulated,  // a kernel of its own; the fence is the jail around the emulator
  microvm,           // a kernel of its own behind hardware virtualisation
};
/// "namespaces"
[[nodiscard]] std::string_view name(Isolation isolation);

/// One layer of the isolation: what is in force, and if it is not, why not.
struct Layer {
  std::string name;  // "user namespace", "cgroup memory"
  bool held = false;
  bool mandatory = false;
  std::string detail;  // "abi 7", "EPERM: unprivileged user namespaces are off"
};

struct InForce {
  Isolation isolation = Isolation::none;  // follows from the layers
  std::vector<Layer> layers;
};

/// The layers that hold, then those that are lacking: one line.
[[nodiscard]] std::string describe(const InForce& in_force);

/// What a chamber is furnished with. Paths are absolute paths of the host.
struct Scene {
  std::string tree;   // folder that is copied to /tree
  std::string shelf;  // folder with packages, served on loopback; empty: none
  /// Files and folders to be seen read-only, at the same path inside, beside those that every
  /// chamber has (/usr, /bin, /lib*, a few of /etc). For tools that live elsewhere.
  std::vector<std::string> readable;
  std::uint64_t scratch_bytes = 4ULL << 30U;  // for /tree and /tmp together
  /// Devices that can be used, as above: /dev/kvm.
  std::vector<std::string> devices = {};
  /// Symbolic links of /tree, relative path -> target, made inside where nothing is yet: on the
  /// host they are nowhere, so that nobody can follow one.
  std::map<std::string, std::string> links = {};
  /// What the one branch of the repository is called that a step finds in a tree of its own.
  std::string branch = {};
};

struct Error {
  enum class Kind {
    missing,  // a program or file that it takes is not there
    setup,    // the kernel refused a mandatory layer
    broken,   // whoever carries out the steps ended, or said what it must not
    scene,    // the tree or the shelf cannot be used
  };
  Kind kind;
  std::string what;  // one printable line
};
[[nodiscard]] std::string describe(const Error& error);

/// Told of output while the step runs: for a live line, not for the record.
using OnOutput = std::function<void(std::string_view bytes)>;

class Chamber {
 public:
  virtual ~Chamber() = default;
  [[nodiscard]] virtual const InForce& in_force() const = 0;
  /// After an error the chamber is of no use any more.
  [[nodiscard]] virtual Result<Ran, Error> run(const Step& step, const OnOutput& on_output) = 0;
};

/// Opens chambers of one class. `gate` asks for two: one for the base, one for the fix.
class Chambers {
 public:
  virtual ~Chambers() = default;
  [[nodiscard]] virtual Result<std::unique_ptr<Chamber>, Error> open(const Scene& scene) = 0;
};

}  // namespace cg::sandbox
