// How QEMU is started: one command line, as a value.
//
// The machine has a processor, memory and one serial line. It has no network device, no
// disk, no clock, no firmware tables; what it starts with is a kernel and files in memory.
// QEMU itself may start no process and gain no right (-sandbox); the fence around it is the
// jail that it runs in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jail/microvm/elf.h"

namespace cg::microvm {

enum class Accelerator {
  kvm,  // the processor's own virtualisation
  tcg,  // every instruction translated: about twenty times slower, and no boundary by itself
};
/// "kvm", "tcg"
[[nodiscard]] std::string_view name(Accelerator accelerator);

/// By what wall caps are multiplied: what takes a second on the host may take twenty under
/// emulation, and a gate must not fail for it.
[[nodiscard]] unsigned wall_factor(Accelerator accelerator);

struct Machine {
  std::string qemu;  // absolute path of the program
  Architecture architecture = Architecture::x86_64;
  Accelerator accelerator = Accelerator::tcg;
  std::string kernel;
  std::string initramfs;
  std::uint64_t memory = 0;  // bytes
  std::string serial;        // what is behind -chardev: "stdio,signal=off"
};

/// argv for `machine`.
[[nodiscard]] std::vector<std::string> command_line(const Machine& machine);

/// What the guest's kernel is told. Most of it switches off what costs time at boot and is
/// of no use without devices; `mitigations` stay on where the processor is real.
[[nodiscard]] std::string kernel_arguments(const Machine& machine);

/// Memory for a payload that may take `payload` bytes and files of `files` bytes: room for
/// the kernel and for files being held twice while they are unpacked is added.
[[nodiscard]] std::uint64_t machine_memory(std::uint64_t payload, std::uint64_t files);

}  // namespace cg::microvm
