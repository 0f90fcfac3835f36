// The parts of a writer's operation. For writer.cc and writer_take.cc only.
#pragma once

#include "base/os/dir.h"
#include "learn/rag/ledger.h"
#include "learn/rag/writer.h"

namespace cg::rag {

struct Writer::Session {
  os::Dir rag;
  os::Lock lock;
  Ledger ledger;
  Settled found;  // to be put right when it began
};

/// Events of one append, and whether an event is a further part of a record.
inline constexpr std::size_t kGroup = 400;
[[nodiscard]] bool continues(const record::Event& event);

}  // namespace cg::rag
