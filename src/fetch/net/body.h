// BodyCount: size and SHA-256 of a body that comes in pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "trust/hash/digest.h"

namespace cg::net {

class BodyCount {
 public:
  BodyCount();
  ~BodyCount();
  BodyCount(const BodyCount&) = delete;
  BodyCount& operator=(const BodyCount&) = delete;

  void add(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Of all that was added. Once.
  [[nodiscard]] hash::Digest sha256();

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::uint64_t size_ = 0;
};

}  // namespace cg::net
