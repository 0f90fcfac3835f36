// Session: one operation of a writer, from the lock to its end.
#pragma once

#include "base/os/dir.h"
#include "learn/rag/ledger.h"
#include "learn/rag/settle.h"
#include "trust/record/event.h"

namespace cg::rag {

struct Session {
  os::Dir rag;
  os::Lock lock;
  Ledger ledger;
  Settled found;  // to be put right when it began
};

/// Events of one append, and whether an event is a further part of a record.
inline constexpr std::size_t kGroup = 400;
[[nodiscard]] bool continues(const record::Event& event);

}  // namespace cg::rag
