// The low-level calls are used on purpose: SHA256() and EVP look the algorithm up
// on every call, which costs more than hashing a log line.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "trust/hash/sha256.h"

#include <openssl/sha.h>

namespace cg::hash {

Digest sha256(ByteView bytes) { return sha256(bytes, {}, {}); }

Digest sha256(ByteView first, ByteView second, ByteView third) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, first.data(), first.size());
  SHA256_Update(&context, second.data(), second.size());
  SHA256_Update(&context, third.data(), third.size());
  Digest out{};
  SHA256_Final(out.data(), &context);
  return out;
}

}  // namespace cg::hash
