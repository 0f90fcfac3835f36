// A folder of cassettes and its lock: played from, checked, and written to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/os/dir.h"
#include "model/cassette/cassette.h"
#include "model/cassette/clean.h"
#include "model/cassette/lock.h"

namespace cg::cassette {

/// The cassette `file` of a folder, if it is pinned, as it was pinned, and clean.
[[nodiscard]] Result<Cassette, Error> load(const os::Dir& dir, const std::string& file);

/// One file of a folder, or one pin.
struct Row {
  enum class State {
    good,
    unpinned,    // a cassette without a pin
    missing,     // a pin without a cassette
    changed,     // another digest than its pin
    malformed,   // no cassette in spite of its name, or too large
    unclean,     // holds what looks like a credential
    unreadable,  // a link, a folder, no permission
    stray,       // a file that has no place here
  };
  std::string file;
  State state = State::good;
  std::string detail;
  std::size_t exchanges = 0;
};
[[nodiscard]] std::string_view name(Row::State state);

struct Checked {
  std::vector<Row> rows;  // by file name
  [[nodiscard]] bool good() const;
};
/// Looks at everything, whatever it finds. Besides cassettes and the lock a folder may hold
/// README.md. An error only if the folder or its lock cannot be read.
[[nodiscard]] Result<Checked, Error> check_folder(const os::Dir& dir);

/// Takes exchanges while they happen and writes them at the end.
class Recorder {
 public:
  Recorder(const std::array<Byte, 32>& seed, std::string model);
  /// Cleans it first. After an error the recording is as it was.
  [[nodiscard]] Result<Done, Error> add(Exchange exchange);
  [[nodiscard]] const Cassette& cassette() const { return cassette_; }
  /// What was taken out so far, headers that nobody needs not counted; kMaxFinds at most.
  [[nodiscard]] const std::vector<Found>& found() const { return found_; }
  /// Writes the file, replacing one of that name, then its pin. Each is whole or not there; a
  /// process that is killed between them leaves a file that load() refuses.
  [[nodiscard]] Result<Done, Error> finish(const os::Dir& dir, const std::string& file) const;

 private:
  Cassette cassette_;
  std::size_t size_ = 0;
  std::vector<Found> found_;
};

}  // namespace cg::cassette
