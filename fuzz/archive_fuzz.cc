// Every reader of archives, with limits so small that a bomb fits into a small input.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/archive/format.h"
#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/archive/zip.h"
#include "base/base/assert.h"

namespace {

using namespace cg::archive;

constexpr Limits kLimits{.max_output = 1U << 20U,
                         .max_ratio = 100,
                         .free_output = 64 * 1024,
                         .max_entries = 100,
                         .max_entry = 256 * 1024,
                         .max_name = 200};

void check(const Error& error) { CG_ASSERT(describe(error).size() < 2000); }

template <class Read>
void read_entries(std::string_view bytes, Read read) {
  std::uint64_t output = 0;
  std::uint64_t files = 0;
  const auto counts = read(bytes, kLimits, [&](const Entry& entry) {
    CG_ASSERT(is_safe_name(entry.name, kLimits));
    CG_ASSERT(entry.content.size() <= kLimits.max_entry && entry.offset <= bytes.size());
    output += entry.content.size();
    ++files;
    return Next::more;
  });
  CG_ASSERT(output <= kLimits.max_output && files <= kLimits.max_entries);
  if (!counts) check(counts.error());
  CG_ASSERT(!counts || counts->files == files);
}

template <class Unpack>
std::string unpacked(std::string_view bytes, Unpack unpack) {
  const auto out = unpack(bytes, kLimits);
  if (!out) {
    check(out.error());
    CG_ASSERT(out.error().offset <= bytes.size());
    return {};
  }
  CG_ASSERT(out->size() <= kLimits.max_output);
  return *out;
}

void read_tar_again(const std::string& tar) {
  read_entries(tar, [](auto&&... args) { return read_tar(args...); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CG_ASSERT(!name(detect(bytes)).empty());
  read_tar_again(unpacked(bytes, [](auto&&... args) { return gunzip(args...); }));
  read_tar_again(unpacked(bytes, [](auto&&... args) { return unzstd(args...); }));
  read_entries(bytes, [](auto&&... args) { return read_tar(args...); });
  read_entries(bytes, [](auto&&... args) { return read_zip(args...); });
  return 0;
}
