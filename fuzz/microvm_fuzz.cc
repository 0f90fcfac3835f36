// Bytes as a program, a packed kernel and image.json: read within bounds, or refused.
#include <cstdlib>

#include "jail/microvm/elf.h"
#include "jail/microvm/image.h"
#include "jail/microvm/kernel.h"
#include "jail/microvm/vmlinux.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  constexpr std::size_t kMost = 1U << 20U;
  const cg::ByteView bytes(data, size);
  if (const auto elf = cg::microvm::read_elf(bytes)) {
    if (elf->needed.size() > 512) std::abort();
    if (!elf->interpreter.empty() && elf->interpreter.front() != '/') std::abort();
  }
  if (const auto text = cg::microvm::unpack_lz4_legacy(bytes, kMost)) {
    if (text->size() > kMost) std::abort();
  }
  static_cast<void>(cg::microvm::unpack_kernel(bytes));
  if (cg::microvm::kernel_release(bytes).size() > 128) std::abort();
  if (const auto image = cg::microvm::parse_image(cg::as_text(bytes))) {
    const auto again = cg::microvm::parse_image(cg::microvm::write_image(*image));
    if (!again || cg::microvm::write_image(*again) != cg::microvm::write_image(*image))
      std::abort();
  }
  return 0;
}
