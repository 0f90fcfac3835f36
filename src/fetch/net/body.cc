#include "fetch/net/body.h"

#include <openssl/evp.h>

#include "base/base/assert.h"

namespace cg::net {

namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

}  // namespace

struct BodyCount::State {
  std::unique_ptr<EVP_MD_CTX, FreeContext> context{EVP_MD_CTX_new()};
};

BodyCount::BodyCount() : state_(std::make_unique<State>()) {
  const bool started = EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1;
  CG_ASSERT(started);
}

BodyCount::~BodyCount() = default;

void BodyCount::add(std::string_view bytes) {
  const bool added = EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1;
  CG_ASSERT(added);
  size_ += bytes.size();
}

hash::Digest BodyCount::sha256() {
  hash::Digest digest{};
  unsigned size = 0;
  const bool ended = EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size) == 1;
  CG_ASSERT(ended && size == digest.size());
  return digest;
}

}  // namespace cg::net
