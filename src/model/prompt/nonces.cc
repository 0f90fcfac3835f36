#include "model/prompt/nonces.h"

#include <algorithm>

#include "trust/hash/blake3.h"

namespace cg::prompt {

Nonce SeededNonces::next() {
  hash::Blake3 hash("codegenie 2026 fence nonces v1");
  const hash::Digest digest = hash.update(seed_).update(to_le64(count_++)).finish();
  std::array<Byte, 16> random{};
  std::copy_n(digest.begin(), random.size(), random.begin());
  return Nonce::from(random);
}

}  // namespace cg::prompt
