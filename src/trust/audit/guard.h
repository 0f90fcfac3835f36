// The last-seen guard: how far the log had come, kept outside the workspace.
//
// Whoever rolls the log back, cuts it or swaps it for another consistent one must
// also find and change this. It is overwritten in place after every append, so it
// costs no extra sync: after a crash of the machine it may be older than the log,
// never newer. What lies in the guard folder:
//   log-<id>        two slots of 256 bytes, written in turn, so that a write cut
//                   short leaves the one before: entries, head, checkpoint, checksum
//   log-<id>.home   the workspace that the log is written in
//   home-<digest>   which log a workspace path holds
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "trust/hash/digest.h"

namespace cg::audit {

struct Seen {
  std::string name;  // log id, or log id "." workflow id
  std::uint64_t entries = 0;
  hash::Digest head{};
  std::uint64_t checkpoint = 0;
  friend bool operator==(const Seen&, const Seen&) = default;
};

/// One slot.
[[nodiscard]] std::string write_seen(const Seen& seen);
[[nodiscard]] std::optional<Seen> parse_seen(std::string_view slot);

/// What the guard folder knows, for readers. Nothing is made or changed.
class GuardReader {
 public:
  /// A folder that is not there knows nothing.
  [[nodiscard]] static Result<GuardReader, Problem> open(const std::string& dir);
  [[nodiscard]] Result<std::optional<Seen>, Problem> seen(const std::string& name) const;
  /// The log that the workspace at `home` held when it was last written.
  [[nodiscard]] Result<std::optional<std::string>, Problem> log_at(const std::string& home) const;
  /// The workspace that `log` was last written in.
  [[nodiscard]] Result<std::optional<std::string>, Problem> home_of(const std::string& log) const;

 private:
  explicit GuardReader(std::optional<os::Dir> dir) : dir_(std::move(dir)) {}
  std::optional<os::Dir> dir_;
};

/// One file of the guard, open for writing.
class Guard {
 public:
  /// Opens or makes the guard of `name`. A new one knows nothing yet.
  [[nodiscard]] static Result<Guard, Problem> open(const std::string& dir, const std::string& name);
  [[nodiscard]] const std::optional<Seen>& seen() const { return seen_; }
  [[nodiscard]] Result<Done, Problem> note(const Seen& seen);
  [[nodiscard]] Result<Done, Problem> sync() const;
  /// Forgets: the stream has ended and the log itself vouches for it now.
  [[nodiscard]] Result<Done, Problem> remove() const;

 private:
  Guard(os::Dir dir, std::string file, os::Fd fd)
      : dir_(std::move(dir)), file_(std::move(file)), fd_(std::move(fd)) {}
  os::Dir dir_;
  std::string file_;
  os::Fd fd_;
  std::optional<Seen> seen_;
  std::size_t next_slot_ = 0;
};

/// Remembers that `log` is written in `home` (an absolute path).
[[nodiscard]] Result<Done, Problem> claim_home(const std::string& guard_dir, const std::string& log,
                                               const std::string& home);

}  // namespace cg::audit
