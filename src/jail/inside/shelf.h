// The program that serves packages on loopback while a step runs.
#pragma once

#include <sys/types.h>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "jail/inside/site.h"
#include "jail/sandbox/chamber.h"

namespace cg::inside {

class ShelfProgram {
 public:
  /// Returns once it listens.
  [[nodiscard]] static Result<ShelfProgram, sandbox::Error> start(const Site& site);
  ShelfProgram(ShelfProgram&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        process_(std::move(other.process_)),
        input_(std::move(other.input_)) {}
  ShelfProgram(const ShelfProgram&) = delete;
  ShelfProgram& operator=(const ShelfProgram&) = delete;
  ShelfProgram& operator=(ShelfProgram&&) = delete;
  ~ShelfProgram();

 private:
  ShelfProgram(pid_t pid, os::Fd process, os::Fd input)
      : pid_(pid), process_(std::move(process)), input_(std::move(input)) {}
  pid_t pid_;
  os::Fd process_;
  os::Fd input_;  // closing it ends the program
};

}  // namespace cg::inside
