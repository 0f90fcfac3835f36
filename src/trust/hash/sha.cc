// The low-level calls for the same reason as in sha256.cc.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "trust/hash/sha.h"

#include <openssl/sha.h>

#include <algorithm>
#include <variant>

#include "base/base/assert.h"
#include "base/base/match.h"

namespace cg::hash {

namespace {

struct Sha384Context {
  SHA512_CTX context;
};

struct Row {
  Algorithm algorithm;
  std::string_view name;
  std::size_t size;
};
constexpr Row kRows[] = {
    {Algorithm::sha1, "sha1", SHA_DIGEST_LENGTH},
    {Algorithm::sha256, "sha256", SHA256_DIGEST_LENGTH},
    {Algorithm::sha384, "sha384", SHA384_DIGEST_LENGTH},
    {Algorithm::sha512, "sha512", SHA512_DIGEST_LENGTH},
};

const Row& row_of(Algorithm algorithm) {
  const Row& row = kRows[static_cast<std::size_t>(algorithm)];
  CG_ASSERT(row.algorithm == algorithm);
  return row;
}

template <class Array>
Array digest_of(Algorithm algorithm, ByteView bytes) {
  const std::string digest = Sha(algorithm).update(bytes).finish();
  Array out{};
  CG_ASSERT(digest.size() == out.size());
  const ByteView from = as_bytes(digest);
  std::copy(from.begin(), from.end(), out.begin());
  return out;
}

}  // namespace

struct Sha::State {
  Algorithm algorithm;
  std::variant<SHA_CTX, SHA256_CTX, Sha384Context, SHA512_CTX> context;
};

std::string_view name(Algorithm algorithm) { return row_of(algorithm).name; }
std::size_t size_of(Algorithm algorithm) { return row_of(algorithm).size; }

Digest1 sha1(ByteView bytes) { return digest_of<Digest1>(Algorithm::sha1, bytes); }
Digest512 sha512(ByteView bytes) { return digest_of<Digest512>(Algorithm::sha512, bytes); }

Digest224 sha224(ByteView bytes) {
  Digest224 out{};
  SHA256_CTX context{};
  SHA224_Init(&context);
  SHA224_Update(&context, bytes.data(), bytes.size());
  SHA224_Final(out.data(), &context);
  return out;
}

Sha::Sha(Algorithm algorithm) : state_(std::make_unique<State>()) {
  state_->algorithm = algorithm;
  switch (algorithm) {
    case Algorithm::sha1:
      SHA1_Init(&state_->context.emplace<SHA_CTX>());
      return;
    case Algorithm::sha256:
      SHA256_Init(&state_->context.emplace<SHA256_CTX>());
      return;
    case Algorithm::sha384:
      SHA384_Init(&state_->context.emplace<Sha384Context>().context);
      return;
    case Algorithm::sha512:
      SHA512_Init(&state_->context.emplace<SHA512_CTX>());
      return;
  }
}
Sha::Sha(Sha&&) noexcept = default;
Sha& Sha::operator=(Sha&&) noexcept = default;
Sha::~Sha() = default;

Sha& Sha::update(ByteView bytes) {
  match(
      state_->context, [&](SHA_CTX& c) { SHA1_Update(&c, bytes.data(), bytes.size()); },
      [&](SHA256_CTX& c) { SHA256_Update(&c, bytes.data(), bytes.size()); },
      [&](Sha384Context& c) { SHA384_Update(&c.context, bytes.data(), bytes.size()); },
      [&](SHA512_CTX& c) { SHA512_Update(&c, bytes.data(), bytes.size()); });
  return *this;
}

std::string Sha::finish() {
  std::array<Byte, SHA512_DIGEST_LENGTH> out{};
  match(
      state_->context, [&](SHA_CTX& c) { SHA1_Final(out.data(), &c); },
      [&](SHA256_CTX& c) { SHA256_Final(out.data(), &c); },
      [&](Sha384Context& c) { SHA384_Final(out.data(), &c.context); },
      [&](SHA512_CTX& c) { SHA512_Final(out.data(), &c); });
  return std::string(as_text(ByteView(out).first(size_of(state_->algorithm))));
}

}  // namespace cg::hash
