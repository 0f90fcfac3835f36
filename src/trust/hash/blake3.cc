#include "trust/hash/blake3.h"

#include <algorithm>

extern "C" {
#include <blake3.h>
}

namespace cg::hash {

struct Blake3::State {
  blake3_hasher hasher;
};

Digest blake3(ByteView bytes) {
  blake3_hasher hasher;
  blake3_hasher_init(&hasher);
  blake3_hasher_update(&hasher, bytes.data(), bytes.size());
  Digest out{};
  blake3_hasher_finalize(&hasher, out.data(), out.size());
  return out;
}

std::string blake3_name(const Digest& digest) { return "blake3:" + to_hex(digest); }

Blake3::Blake3() : state_(std::make_unique<State>()) { blake3_hasher_init(&state_->hasher); }

Blake3::Blake3(std::string_view context) : state_(std::make_unique<State>()) {
  blake3_hasher_init_derive_key_raw(&state_->hasher, context.data(), context.size());
}

Blake3::Blake3(const Blake3& other) : state_(std::make_unique<State>(*other.state_)) {}
Blake3& Blake3::operator=(const Blake3& other) {
  *state_ = *other.state_;
  return *this;
}
Blake3::Blake3(Blake3&&) noexcept = default;
Blake3& Blake3::operator=(Blake3&&) noexcept = default;
Blake3::~Blake3() = default;

Blake3& Blake3::update(ByteView bytes) {
  blake3_hasher_update(&state_->hasher, bytes.data(), bytes.size());
  return *this;
}

Digest Blake3::finish() const {
  Digest out{};
  blake3_hasher_finalize(&state_->hasher, out.data(), out.size());
  return out;
}

ChainHash::ChainHash(std::string_view context) : start_(context) {}

Digest ChainHash::next(const Digest& head, ByteView bytes) const {
  blake3_hasher hasher = start_.state_->hasher;
  std::array<Byte, 40> prefix{};
  const std::array<Byte, 8> length = to_le64(bytes.size());
  std::copy(head.begin(), head.end(), prefix.begin());
  std::copy(length.begin(), length.end(), prefix.begin() + head.size());
  blake3_hasher_update(&hasher, prefix.data(), prefix.size());
  blake3_hasher_update(&hasher, bytes.data(), bytes.size());
  Digest out{};
  blake3_hasher_finalize(&hasher, out.data(), out.size());
  return out;
}

}  // namespace cg::hash
