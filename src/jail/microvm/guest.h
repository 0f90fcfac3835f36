// Guest: one running machine, and messages to and from its init.
//
// The emulator is the only step of a chamber of the outer class (the jail), which a thread
// watches. What the guest says is that step's output; what it is told is appended to a file
// that the jail shows the step, which follows it. A second file is the leash: once anything
// is in it, the emulator is killed. Plain files, because codegenie is sealed when it gets
// here, and may make neither pipes with a name nor sockets.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/base/result.h"
#include "base/os/dir.h"
#include "jail/microvm/hello.h"
#include "jail/microvm/line.h"
#include "jail/microvm/qemu.h"
#include "jail/sandbox/chamber.h"
#include "jail/sandbox/wire.h"

namespace cg::microvm {

class Guest {
 public:
  /// A folder of its own in `scratch`, for the two files and for what the machine starts with.
  /// Removed with everything in it.
  [[nodiscard]] static Result<std::unique_ptr<Guest>, sandbox::Error> prepare(
      const std::string& scratch);
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  ~Guest();

  /// Where the initramfs is to be put before start().
  [[nodiscard]] const os::Dir& folder() const { return folder_; }

  /// Starts `machine` in a chamber of `outer` and waits until its init is there. `kernel`
  /// and folder() are what the jail shows. Of `machine`, `serial` is set here.
  [[nodiscard]] Result<Done, sandbox::Error> start(sandbox::Chambers& outer, Machine machine,
                                                   std::chrono::milliseconds patience);

  [[nodiscard]] Result<Done, sandbox::Error> send(const sandbox::Message& message);
  [[nodiscard]] Result<sandbox::Message, sandbox::Error> receive(Deadline deadline);

  /// Of the chamber around the emulator.
  [[nodiscard]] const sandbox::InForce& outer() const { return outer_->in_force(); }
  /// "QEMU emulator version 7.2.22 (…)"
  [[nodiscard]] const std::string& emulator() const { return emulator_; }

  /// Ends the machine, however busy it is, and waits for it.
  void end();

 private:
  Guest(os::Dir parent, std::string name, os::Dir folder)
      : parent_(std::move(parent)), name_(std::move(name)), folder_(std::move(folder)) {}
  [[nodiscard]] Result<Done, sandbox::Error> make_files();
  [[nodiscard]] Result<Done, sandbox::Error> ask_version(const std::string& qemu);
  [[nodiscard]] Result<Done, sandbox::Error> wait_for_hello(Deadline deadline);
  [[nodiscard]] sandbox::Error why_gone();
  void watch(const sandbox::Step& step);

  os::Dir parent_;
  std::string name_;
  os::Dir folder_;
  os::Fd in_;
  os::Fd leash_;
  std::unique_ptr<sandbox::Chamber> outer_;
  std::string emulator_;
  Line line_;
  std::thread watcher_;
  std::optional<Result<sandbox::Ran, sandbox::Error>> ended_;  // once watcher_ is joined
};

}  // namespace cg::microvm
