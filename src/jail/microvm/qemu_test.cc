#include "jail/microvm/qemu.h"

#include <gmock/gmock.h>

#include "jail/microvm/kernel.h"

namespace cg::microvm {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

Machine machine(Accelerator accelerator, Architecture architecture = Architecture::x86_64) {
  return {"/usr/bin/qemu", architecture, accelerator, "/k", "/i", 512U << 20U, "stdio,signal=off"};
}

std::string after(const std::vector<std::string>& words, const std::string& flag) {
  const auto at = std::find(words.begin(), words.end(), flag);
  return at == words.end() || at + 1 == words.end() ? "" : *(at + 1);
}

TEST(Qemu, HasNoNetworkNoDiskAndNoOtherDevice) {
  for (const Accelerator accelerator : {Accelerator::kvm, Accelerator::tcg}) {
    for (const Architecture architecture : {Architecture::x86_64, Architecture::aarch64}) {
      const auto words = command_line(machine(accelerator, architecture));
      EXPECT_THAT(words, Contains("-nodefaults"));
      EXPECT_THAT(words, Contains("-no-user-config"));
      // A device comes from one of these, or from defaults, which are off.
      EXPECT_THAT(words,
                  Each(Not(AnyOf("-device", "-net", "-netdev", "-nic", "-drive", "-hda", "-cdrom",
                                 "-blockdev", "-usb", "-virtfs", "-fsdev", "-monitor", "-mon",
                                 "-qmp", "-gdb", "-s", "-incoming", "-vga"))));
      EXPECT_THAT(after(words, "-sandbox"), HasSubstr("on,"));
      EXPECT_THAT(after(words, "-sandbox"), HasSubstr("spawn=deny"));
      EXPECT_THAT(after(words, "-sandbox"), HasSubstr("elevateprivileges=deny"));
      EXPECT_EQ(after(words, "-m"), "512");
    }
  }
}

TEST(Qemu, EveryFlagIsOneOfAFewKnownOnes) {
  for (const std::string& word : command_line(machine(Accelerator::tcg))) {
    if (!word.starts_with('-')) continue;
    EXPECT_THAT(word, AnyOf("-nodefaults", "-no-user-config", "-display", "-no-reboot", "-sandbox",
                            "-M", "-accel", "-cpu", "-m", "-smp", "-chardev", "-serial", "-kernel",
                            "-initrd", "-append"));
  }
}

TEST(Qemu, MitigationsAreOffOnlyWhereTheProcessorIsEmulated) {
  EXPECT_THAT(kernel_arguments(machine(Accelerator::tcg)), HasSubstr("mitigations=off"));
  EXPECT_THAT(kernel_arguments(machine(Accelerator::kvm)), Not(HasSubstr("mitigations")));
  EXPECT_EQ(wall_factor(Accelerator::tcg), 20U);
  EXPECT_EQ(wall_factor(Accelerator::kvm), 1U);
}

TEST(Qemu, MemoryHoldsPayloadKernelAndFilesTwice) {
  EXPECT_EQ(machine_memory(256U << 20U, 100U << 20U), (128U + 256U + 200U) << 20U);
  EXPECT_EQ(machine_memory(~0ULL, 0), 64ULL << 30U);
}

TEST(Kernel, TheNewestOfTheSmallestKindIsTaken) {
  EXPECT_EQ(best_kernel({"config-6.1", "vmlinuz-6.12.1-amd64", "vmlinuz-6.1.0-9-cloud-amd64",
                         "vmlinuz-6.1.0-54-cloud-amd64"}),
            "vmlinuz-6.1.0-54-cloud-amd64");
  EXPECT_EQ(best_kernel({"vmlinuz-6.9.1-amd64", "vmlinuz-6.12.1-amd64"}), "vmlinuz-6.12.1-amd64");
  EXPECT_EQ(best_kernel({"initrd.img-6.1", "System.map"}), "");
}

TEST(Kernel, SaysItsReleaseOrNothing) {
  std::string kernel(0x400, '\0');
  EXPECT_FALSE(is_kernel(as_bytes(kernel)));
  kernel.replace(0x202, 4, "HdrS");
  kernel[0x20e] = '\x20';
  kernel[0x20f] = '\x01';
  kernel.replace(0x320, 12, "6.1.0-1 (x) ");
  EXPECT_TRUE(is_kernel(as_bytes(kernel)));
  EXPECT_EQ(kernel_release(as_bytes(kernel)), "6.1.0-1");
  kernel[0x20f] = '\x7f';
  EXPECT_EQ(kernel_release(as_bytes(kernel)), "");
  EXPECT_EQ(kernel_release(as_bytes(std::string_view("MZ"))), "");
}

}  // namespace
}  // namespace cg::microvm
