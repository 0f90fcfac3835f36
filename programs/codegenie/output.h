// Output: standard streams and the files of `-o`. A short write is an error.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/domain/error.h"

namespace cg::program {

/// Opens the standard streams that the caller closed on something that refuses to
/// be read or written, so that no file opened later takes their place.
void secure_standard_streams();

/// Fails with CG-CLI-005 if the reader is gone, the disk is full or the stream closed.
[[nodiscard]] Result<Done, Problem> write_stdout(std::string_view text);

/// Best effort: there is nowhere left to tell a failure.
void write_stderr(std::string_view text);

/// A file that keeps its old content until commit() replaces it in one step, by a
/// temporary name in the same folder. Devices and pipes are written directly.
/// Without commit() nothing remains.
class PendingFile {
 public:
  /// Fails with CG-CLI-005 if the file could not be written.
  [[nodiscard]] static Result<PendingFile, Problem> open(const std::string& path);
  PendingFile(PendingFile&& other) noexcept;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile& operator=(PendingFile&&) = delete;
  ~PendingFile();

  /// At most once. The bytes are on the disk when it succeeds.
  [[nodiscard]] Result<Done, Problem> commit(std::string_view bytes);

 private:
  PendingFile(int fd, std::string path, std::string temporary)
      : fd_(fd), path_(std::move(path)), temporary_(std::move(temporary)) {}
  [[nodiscard]] Result<Done, Problem> failed(int error) const;

  int fd_;
  std::string path_;
  std::string temporary_;  // empty: written directly
};

}  // namespace cg::program
