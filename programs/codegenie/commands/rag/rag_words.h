// What several rag commands show and share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "access.h"
#include "learn/rag/writer.h"
#include "report.h"

namespace cg::program {

/// The writer of the workspace's store, with what it rests on.
struct StoreAccess {
  std::unique_ptr<Access> access;  // the writer has its address
  std::unique_ptr<os::SystemClock> clock;
  std::unique_ptr<audit::Log> log;
  std::unique_ptr<rag::Writer> writer;
};
/// Reads and judges the whole log first: a log that does not hold proves nothing.
[[nodiscard]] Result<StoreAccess, Problem> open_store(const cli::Invocation& invocation,
                                                      const Session& session);

/// Id, status, what it is about.
[[nodiscard]] json::Value record_json(const rag::Record& record);

/// What was found and put into quarantine, and of how many.
struct Findings {
  std::size_t records = 0;
  std::size_t verified = 0;
  std::string head;  // of the manifest
  std::vector<rag::Found> found;
  std::vector<std::string> repaired;  // one line each
};
/// Exits with 4 if something was found.
[[nodiscard]] Report findings_report(const Findings& findings);
/// Of the store as it is now.
[[nodiscard]] Result<Findings, Problem> findings_of(const StoreAccess& store,
                                                    std::vector<rag::Found> found);

}  // namespace cg::program
