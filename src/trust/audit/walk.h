// Walker: follows one stream line by line and stops at the first thing that does
// not hold. Part of the second reader; the writer has its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "trust/record/entry.h"
#include "trust/record/event.h"

namespace cg::audit {

/// An entry that held, the exact line and the head after it.
struct Held {
  const record::Entry& entry;
  const record::Event& event;
  std::string_view line;
  const hash::Digest& head;
};

class Walker {
 public:
  using OnHeld = std::function<void(const Held&)>;

  /// An empty `log` takes the log id from the first entry.
  Walker(std::string log, std::string stream, record::Home home, OnHeld on_held)
      : log_(std::move(log)),
        stream_(std::move(stream)),
        home_(home),
        on_held_(std::move(on_held)) {}

  /// Follows whole lines. `file` is for messages.
  [[nodiscard]] Result<Done, Problem> feed(std::string_view lines, const std::string& file);

  [[nodiscard]] std::uint64_t entries() const { return entries_; }
  [[nodiscard]] const hash::Digest& head() const { return head_; }
  [[nodiscard]] const std::string& log() const { return log_; }

 private:
  [[nodiscard]] Result<Done, Problem> take(std::string_view line, const std::string& file);

  std::string log_;
  std::string stream_;
  record::Home home_;
  OnHeld on_held_;
  record::Chain chain_;
  std::uint64_t entries_ = 0;
  hash::Digest head_ = record::kGenesis;
  Time last_{};
};

/// The lines of an open file: whole frames, and whether a torn one lies behind.
struct OpenLines {
  std::string lines;
  std::uint64_t torn_bytes = 0;
};
[[nodiscard]] Result<OpenLines, Problem> open_lines(std::string_view bytes,
                                                    const std::string& file);

/// Goes through the files of the spanning stream in order, sealed ones first.
/// Returns how many torn bytes lie at its end.
[[nodiscard]] Result<std::uint64_t, Problem> walk_spanning(const os::Dir& events, Walker& walker);

/// Goes through the file of a workflow, sealed or open.
struct WorkflowFile {
  bool sealed = false;
  std::uint64_t torn_bytes = 0;
};
[[nodiscard]] Result<WorkflowFile, Problem> walk_workflow(const os::Dir& events,
                                                          const std::string& workflow,
                                                          Walker& walker);

}  // namespace cg::audit
