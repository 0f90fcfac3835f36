// Jails: chambers of the class `namespaces`, each a process codegenie-jail.
//
// The jail is told what to set up, says what is in force, and then runs steps. Whatever it
// says out of turn ends it. When this process ends, however it ends, the jail hears it on
// their socket and ends with everything in it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "jail/sandbox/chamber.h"

namespace cg::sandbox {

/// A jail's process. The destructor waits for it, and kills it if it does not end.
class JailProcess {
 public:
  virtual ~JailProcess() = default;
};

struct StartedJail {
  os::Fd link;  // our end; descriptor 0 of the program is the other
  std::unique_ptr<JailProcess> process;
};

/// Starts a program with one end of a socket pair as descriptor 0, /dev/null as 1 and 2, no
/// other, and an empty environment.
using StartJail = std::function<Result<StartedJail, Error>(const std::string& program)>;
/// By fork and exec.
[[nodiscard]] StartJail starting_by_fork();

/// codegenie-jail, as base/os/own_programs.h finds it.
[[nodiscard]] Result<std::string, Error> find_jail();

/// Who writes this runs a repository's code on the host as it is. Every chamber that comes
/// of it says Isolation::none, and nothing that ran in it may pass.
struct UnsafeNoSandbox {
  explicit UnsafeNoSandbox() = default;
};

class Jails final : public Chambers {
 public:
  /// `program` is codegenie-jail; codegenie-shelf lies beside it. Builds the payload's
  /// filter once, for all chambers.
  [[nodiscard]] static Result<Jails, Error> make(std::string program, StartJail start);
  /// The same steps without any isolation: a copy of the tree in a temporary folder, which
  /// takes the place of /tree in Step::folder and Step::collect only.
  Jails(UnsafeNoSandbox, std::string program, StartJail start);

  [[nodiscard]] Result<std::unique_ptr<Chamber>, Error> open(const Scene& scene) override;

 private:
  Jails(std::string program, StartJail start, std::string filter, bool bare);

  std::string program_;
  StartJail start_;
  std::string filter_;
  bool bare_;
};

}  // namespace cg::sandbox
