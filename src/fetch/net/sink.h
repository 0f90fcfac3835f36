// Sink: where the bytes of a body go.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/base/result.h"
#include "base/os/error.h"

namespace cg::net {

class Sink {
 public:
  virtual ~Sink() = default;
  [[nodiscard]] virtual Result<Done, os::Error> write(std::string_view bytes) = 0;
};

class TextSink final : public Sink {
 public:
  Result<Done, os::Error> write(std::string_view bytes) override {
    text_ += bytes;
    return Done{};
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace cg::net
