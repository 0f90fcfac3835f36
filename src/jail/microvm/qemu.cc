#include "jail/microvm/qemu.h"

#include <algorithm>

namespace cg::microvm {

namespace {

constexpr std::uint64_t kMiB = 1U << 20U;
constexpr std::uint64_t kKernelMemory = 128 * kMiB;
constexpr std::uint64_t kMostMemory = 64 * 1024 * kMiB;
constexpr unsigned kEmulationFactor = 20;

bool is_x86(const Machine& machine) { return machine.architecture == Architecture::x86_64; }

std::string machine_type(const Machine& machine) {
  if (!is_x86(machine)) return "virt,gic-version=max";
  // Under emulation there is no timer without these two; without ACPI no interrupt of the
  // serial line comes through without the second.
  return "microvm,pit=on,pic=on,rtc=off,acpi=off";
}

std::string processor(const Machine& machine) {
  if (machine.accelerator == Accelerator::kvm) {
    // What the processor is safe from is told by a register that a host which is a guest itself may
    // not be able to hand on; without it the kernel protects itself from everything.
    return is_x86(machine) ? "host,arch-capabilities=off" : "host";
  }
  // Reading the time stamp counter is slow when emulated; random numbers of the processor
  // save the kernel a second of collecting its own.
  return is_x86(machine) ? "qemu64,-tsc,+rdrand" : "max";
}

}  // namespace

std::string_view name(Accelerator accelerator) {
  return accelerator == Accelerator::kvm ? "kvm" : "tcg";
}

unsigned wall_factor(Accelerator accelerator) {
  return accelerator == Accelerator::kvm ? 1 : kEmulationFactor;
}

std::string kernel_arguments(const Machine& machine) {
  std::string out = "loglevel=0 panic=-1 edd=off";
  if (is_x86(machine)) out += " reboot=t";
  // Of the kernel's security modules only the one that steps are sealed with.
  out += " cryptomgr.notests audit=0 ipv6.disable=1 lsm=landlock";
  if (machine.accelerator == Accelerator::kvm) return out;
  out += " mitigations=off nokaslr";
  if (is_x86(machine)) out += " no_timer_check nolapic_timer lpj=1000";
  // Found by measuring which of the kernel's start-up functions take longest.
  out +=
      " initcall_blacklist=load_system_certificate_list,crypto_kdf108_init,init_encrypted,"
      "add_pcspkr,fbmem_init,cubictcp_register,tomoyo_initerface_init,vga_arb_device_init";
  return out;
}

std::vector<std::string> command_line(const Machine& machine) {
  const bool kvm = machine.accelerator == Accelerator::kvm;
  return {machine.qemu,
          "-nodefaults",
          "-no-user-config",
          "-display",
          "none",
          "-no-reboot",
          "-sandbox",
          "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny",
          "-M",
          machine_type(machine),
          "-accel",
          kvm ? "kvm" : "tcg,tb-size=64",
          "-cpu",
          processor(machine),
          "-m",
          std::to_string(machine.memory / kMiB),
          "-smp",
          "1",
          "-chardev",
          machine.serial + ",id=channel",
          "-serial",
          "chardev:channel",
          "-kernel",
          machine.kernel,
          "-initrd",
          machine.initramfs,
          "-append",
          kernel_arguments(machine)};
}

std::uint64_t machine_memory(std::uint64_t payload, std::uint64_t files) {
  const std::uint64_t wanted = kKernelMemory + std::min(payload, kMostMemory) + 2 * files;
  return std::min(wanted + kMiB - 1, kMostMemory) / kMiB * kMiB;
}

}  // namespace cg::microvm
