// systemd-creds as a filter: bytes in, bytes out, nothing of either in its arguments.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "base/os/fd.h"

namespace cg::key {

inline constexpr const char* kSystemdCreds = "/usr/bin/systemd-creds";

class Helper {
 public:
  /// With `input` as its standard input; one that is not open: a pipe of ours.
  Helper(const std::vector<std::string>& words, os::Fd input);
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper();

  /// All of its input. False if it did not take it.
  [[nodiscard]] bool feed(std::string_view bytes);
  /// Its output up to `room`; one byte more is too much. -1: it failed, or said too much.
  [[nodiscard]] ssize_t result(std::span<char> room);

 private:
  void end();
  pid_t pid_ = -1;
  os::Fd in_;
  os::Fd out_;
};

}  // namespace cg::key
