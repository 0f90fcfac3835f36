// Entries of the audit log as a list, for `audit log` and `workflow log`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/base/time.h"
#include "commands.h"
#include "trust/audit/walk.h"
#include "trust/record/event_data.h"

namespace cg::program {

/// Which entries a command was asked for.
struct EntryFilter {
  std::optional<std::string> kind;
  record::Severity least = record::Severity::note;
  Time since{INT64_MIN};
  std::uint64_t limit = 1'000'000;  // only the last so many
};

/// From `--severity`, `--since`, `--limit` and the flag that names a kind.
[[nodiscard]] Result<EntryFilter, Problem> entry_filter(const cli::Invocation& invocation,
                                                        std::string_view kind_flag);

class EntryRows {
 public:
  explicit EntryRows(EntryFilter filter) : filter_(std::move(filter)) {}

  void take(const audit::Held& held);
  /// `codegenie/audit-log/v1`, one line each, or a table; with `problem` beside it.
  [[nodiscard]] Report report(std::optional<Problem> problem) &&;

 private:
  struct Row {
    json::Value json;
    std::uint64_t seq;
    std::string time;
    std::string kind;
    std::string summary;
  };
  [[nodiscard]] static std::string text(const std::vector<Row>& rows, const cli::Style& style);
  [[nodiscard]] static std::string render(const std::vector<Row>& rows, cli::Format format,
                                          const cli::Style& style);

  EntryFilter filter_;
  std::vector<Row> rows_;
};

}  // namespace cg::program
