// Sink: where the bytes of a body go.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/os/dir.h"
#include "base/os/error.h"

namespace cg::net {

class Sink {
 public:
  virtual ~Sink() = default;
  [[nodiscard]] virtual Result<Done, os::Error> write(std::string_view bytes) = 0;
};

class TextSink final : public Sink {
 public:
  Result<Done, os::Error> write(std::string_view bytes) override;
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// A temporary file beside its destination (os::is_leftover() knows the name).
/// Without commit() it is removed again.
class FileSink final : public Sink {
 public:
  [[nodiscard]] static Result<FileSink, os::Error> create(const os::Dir& dir, std::string name);
  FileSink(FileSink&& other) noexcept;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  FileSink& operator=(FileSink&&) = delete;
  ~FileSink() override;

  Result<Done, os::Error> write(std::string_view bytes) override;
  /// Synced and renamed: the old file or the new one, never a part.
  [[nodiscard]] Result<Done, os::Error> commit();

 private:
  FileSink(const os::Dir& dir, std::string name, std::string temporary, os::Fd fd);

  const os::Dir* dir_;
  std::string name_;
  std::string temporary_;  // empty once there is none
  os::Fd fd_;
  std::uint64_t size_ = 0;
};

}  // namespace cg::net
