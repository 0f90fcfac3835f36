// The machine that init finds itself on, made into a place for steps.
#pragma once

#include <cstdint>
#include <string>

#include "base/os/fd.h"

namespace cg::init {

/// Opens the serial line to the host, as bytes and nothing else. Not open: there is none.
[[nodiscard]] os::Fd open_line();

/// /proc, control groups and a /dev with the harmless devices alone; /tmp and /dev/shm to
/// write in. False: the kernel lacks something that every step needs.
[[nodiscard]] bool make_ready();

/// What may be written in /tree, /tmp and everywhere else together, beyond what is there.
void limit_files(std::uint64_t bytes);

/// Brings loopback up. False where the kernel has no network at all.
[[nodiscard]] bool start_loopback();

/// Ends the machine.
[[noreturn]] void power_off();

}  // namespace cg::init
