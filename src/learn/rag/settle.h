// Settling: the files of the store brought to what the log says.
//
// Every change of the store is an event first, then this. So whoever dies in between is put right
// by whoever writes next, and a store that was lost is made again from the log, byte for byte. A
// file that is there with other bytes stays: it is told of, and quarantined if somebody says so.
#pragma once

#include <cstddef>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "learn/rag/ledger.h"

namespace cg::rag {

struct Settled {
  std::size_t made = 0;   // files of records that were not there
  std::size_t moved = 0;  // that were not where they belong
  std::string manifest;   // what it was (compare_manifest())
};

/// `rag` is locked by the caller. The order is records, quarantine, manifest; the index is apart.
[[nodiscard]] Result<Settled, Problem> settle(const os::Dir& rag, const Ledger& ledger);

/// Moves a file of records/ aside, under a name that has its digest: none is ever replaced.
[[nodiscard]] Result<Done, Problem> set_aside(const os::Dir& rag, const std::string& folder,
                                              const std::string& name);

}  // namespace cg::rag
