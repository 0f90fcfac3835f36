// Log: the writer of the audit log.
//
// Several processes may hold one each: every append takes the lock of the events
// folder, catches up with what others wrote, and lets go. An append that returned
// is on disk. Life of an entry: append (one write, one sync, the guard) →
// checkpoint (tiles, signed head, derived state) → sealed (compressed segment).
// Every step leaves a log that reads back, wherever the process dies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/domain/ids.h"
#include "base/os/dir.h"
#include "base/os/ports.h"
#include "trust/audit/guard.h"
#include "trust/audit/key.h"
#include "trust/audit/stream_file.h"
#include "trust/record/checkpoint.h"
#include "trust/record/state.h"
#include "trust/record/tile.h"

namespace cg::audit {

/// Where the workspace and its guard are. `home_path` is absolute.
struct Place {
  std::string home_path;
  std::string guard_dir;
};

/// A group of appended entries: numbers first … first + count - 1.
struct Receipt {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  hash::Digest head{};
};

/// Makes the log of a new workspace in `home`: key, first entry, checkpoint.
[[nodiscard]] Result<Done, Problem> create_log(const os::Dir& home, const std::string& tool,
                                               os::Clock& clock, os::Random& random);

class Log {
 public:
  /// Opens for writing. Refuses a log that is broken where a writer can see it
  /// without reading all of it; audit verify sees the rest.
  [[nodiscard]] static Result<Log, Problem> open(const os::Dir& home, const Place& place,
                                                 os::Clock& clock);

  [[nodiscard]] Result<Receipt, Problem> append(const record::Events& events);

  /// Signs the present head. Does nothing if it is signed already.
  [[nodiscard]] Result<record::TreeHead, Problem> checkpoint();

  [[nodiscard]] const std::string& id() const { return state_.log; }
  [[nodiscard]] const record::State& state() const { return state_; }
  [[nodiscard]] const os::Dir& events_dir() const { return *events_; }
  [[nodiscard]] const Place& place() const { return place_; }

 private:
  Log(std::unique_ptr<os::Dir> events, LogKey key, Place place, os::Clock& clock)
      : events_(std::move(events)),
        key_(std::move(key)),
        place_(std::move(place)),
        clock_(&clock) {}

  friend Result<Done, Problem> create_log(const os::Dir&, const std::string&, os::Clock&,
                                          os::Random&);

  // log_load.cc: from files to memory, checking on the way.
  [[nodiscard]] Result<Done, Problem> open_folders();
  [[nodiscard]] Result<Done, Problem> open_guard();
  [[nodiscard]] Result<Done, Problem> load();
  [[nodiscard]] Result<Done, Problem> read_checkpoint();
  [[nodiscard]] Result<Done, Problem> read_heads();
  [[nodiscard]] Result<Done, Problem> open_append_file();
  [[nodiscard]] Result<Standing, Problem> enter_sealed_part();
  [[nodiscard]] Result<Done, Problem> finish_interrupted_seal(const Standing& sealed);
  [[nodiscard]] Result<Done, Problem> refresh();
  void take(const Written& entry);

  // log_checkpoint.cc: what makes entries provable, and then small.
  [[nodiscard]] Result<record::TreeHead, Problem> checkpoint_locked();
  [[nodiscard]] Result<Done, Problem> write_tiles();
  [[nodiscard]] Result<Done, Problem> seal();

  std::unique_ptr<os::Dir> events_;
  std::unique_ptr<os::Dir> spanning_;  // looked at before every append
  std::unique_ptr<os::Dir> tiles_;
  LogKey key_;
  Place place_;
  os::Clock* clock_;
  std::unique_ptr<StreamFile> file_;
  std::unique_ptr<Guard> guard_;        // none while a log is being created
  std::uint64_t inode_ = 0;             // of the append file
  os::Fd checkpoint_fd_;                // pins its inode number
  std::uint64_t checkpoint_inode_ = 0;  // of the checkpoint, 0 before the first
  record::State state_;                 // after the last entry
  record::TileTree tree_;               // over all entries
  std::vector<record::Tile> full_;      // tiles that became full since the checkpoint
  record::TreeHead signed_;             // the checkpoint on disk
};

}  // namespace cg::audit
