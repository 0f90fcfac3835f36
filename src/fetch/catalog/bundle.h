// Bundle: the cache as one file that can be carried to a machine without network.
//
// A tar of entries.jsonl and content/<digest>, packed with zstd. The same cache gives the
// same bytes. What does not have its digest, or is not what we would have stored, does not
// come in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "fetch/catalog/cache.h"

namespace cg::catalog {

struct Packed {
  std::string bytes;
  std::size_t packages = 0;
};
/// Entries whose content is gone are left out; damage is a Problem.
[[nodiscard]] Result<Packed, Problem> make_bundle(const Cache& cache);

struct Unpacked {
  /// An entry and its lines.
  std::vector<std::pair<CacheEntry, std::string>> packages;
};
/// All of it checked. The error is one line of what is wrong.
[[nodiscard]] Result<Unpacked, std::string> read_bundle(std::string_view bytes);

struct Imported {
  std::size_t taken = 0;
  std::size_t kept = 0;  // what was there was as new or newer
};
[[nodiscard]] Result<Imported, Problem> import_bundle(const Cache& cache, const Unpacked& bundle);

}  // namespace cg::catalog
