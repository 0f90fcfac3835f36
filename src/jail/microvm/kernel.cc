#include "jail/microvm/kernel.h"

#include <algorithm>
#include <tuple>

namespace cg::microvm {

namespace {

constexpr std::string_view kPrefix = "vmlinuz-";
constexpr std::size_t kMaxRelease = 128;

// Documentation/arch/x86/boot.rst of the kernel: the offsets of the boot header.
constexpr std::size_t kVersionAt = 0x20e;
constexpr std::size_t kSetupStart = 0x200;
constexpr std::size_t kArmMagic = 0x38;

bool holds(ByteView bytes, std::size_t offset, std::string_view text) {
  return offset + text.size() <= bytes.size() &&
         as_text(bytes.subspan(offset, text.size())) == text;
}

/// "6.1.0-54" as {6, 1, 0, 54}.
std::vector<std::uint64_t> numbers(std::string_view name) {
  std::vector<std::uint64_t> out;
  bool inside = false;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !inside) out.push_back(0);
    if (digit) out.back() = out.back() * 10 + static_cast<std::uint64_t>(c - '0');
    inside = digit;
  }
  return out;
}

}  // namespace

std::string best_kernel(const std::vector<std::string>& names) {
  const auto rank = [](const std::string& name) {
    return std::tuple(name.find("-cloud-") != std::string::npos, numbers(name), name);
  };
  std::string best;
  for (const std::string& name : names) {
    if (!name.starts_with(kPrefix)) continue;
    if (best.empty() || rank(best) < rank(name)) best = name;
  }
  return best;
}

bool is_kernel(ByteView kernel) {
  return holds(kernel, kHeaderMagic, "HdrS") || holds(kernel, kArmMagic, "ARM\x64") ||
         holds(kernel, 0,
               "\x7f"
               "ELF");
}

std::string kernel_release(ByteView kernel) {
  if (!holds(kernel, kHeaderMagic, "HdrS") || kernel.size() < kVersionAt + 2) return {};
  const std::size_t at =
      kSetupStart + kernel[kVersionAt] + (std::size_t{kernel[kVersionAt + 1]} << 8U);
  std::string out;
  for (std::size_t i = at; i < kernel.size() && out.size() < kMaxRelease; ++i) {
    if (kernel[i] <= ' ' || kernel[i] > '~') break;
    out += static_cast<char>(kernel[i]);
  }
  return out;
}

}  // namespace cg::microvm
