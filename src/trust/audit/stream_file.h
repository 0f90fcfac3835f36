// StreamFile: the open file of one stream, as its writer sees it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "trust/record/entry.h"
#include "trust/record/event.h"

namespace cg::audit {

/// Where a stream stands: how many entries, their head, the time of the last.
struct Standing {
  std::uint64_t entries = 0;
  hash::Digest head = record::kGenesis;
  Time last{};
};

/// One entry as it was written or read: its exact line and the head after it.
struct Written {
  std::uint64_t seq;
  std::string_view line;
  record::Event event;
  hash::Digest head;
};
using OnEntry = std::function<void(const Written&)>;

class StreamFile {
 public:
  StreamFile(os::Fd fd, std::string path, std::string log, std::string stream)
      : fd_(std::move(fd)),
        path_(std::move(path)),
        log_(std::move(log)),
        stream_(std::move(stream)) {}

  /// Reads what was added behind the part already known, checking every entry.
  /// A write that never finished is left where it is and remembered as torn.
  [[nodiscard]] Result<Done, Problem> catch_up(const OnEntry& on_entry);

  /// Appends and makes durable, in one write and one sync. On failure the file is
  /// cut back to what it was. `now` before the last entry's time is refused, except
  /// for a step of at most a second, which is written as the last entry's time.
  [[nodiscard]] Result<Done, Problem> append(const record::Events& events, Time now,
                                             const OnEntry& on_entry);

  /// Cuts off the torn bytes and returns them.
  [[nodiscard]] Result<std::string, Problem> drop_torn();

  /// The lines of the whole file, one after the other.
  [[nodiscard]] Result<std::string, Problem> content() const;

  [[nodiscard]] const Standing& standing() const { return standing_; }
  void set_standing(const Standing& standing) { standing_ = standing; }
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] bool is_torn() const { return torn_; }
  [[nodiscard]] const os::Fd& fd() const { return fd_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  [[nodiscard]] Result<Done, Problem> take_line(std::string_view line, const OnEntry& on_entry);

  os::Fd fd_;
  std::string path_;
  std::string log_;
  std::string stream_;
  record::Chain chain_;
  Standing standing_;
  std::uint64_t end_ = 0;  // of the last whole frame
  bool torn_ = false;      // bytes lie behind it
};

}  // namespace cg::audit
