#include "trust/sign/ed25519.h"

#include <openssl/evp.h>

#include <memory>

#include "base/base/assert.h"

namespace cg::sign {

namespace {

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;
using Context = std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)>;

Key private_key(const Seed& seed) {
  return {EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()),
          EVP_PKEY_free};
}

}  // namespace

PublicKey public_key(const Seed& seed) {
  const Key key = private_key(seed);
  PublicKey out{};
  std::size_t size = out.size();
  CG_ASSERT(key && EVP_PKEY_get_raw_public_key(key.get(), out.data(), &size) == 1);
  return out;
}

Signature sign(const Seed& seed, ByteView message) {
  const Key key = private_key(seed);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  Signature out{};
  std::size_t size = out.size();
  CG_ASSERT(key && context);
  CG_ASSERT(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
  CG_ASSERT(EVP_DigestSign(context.get(), out.data(), &size, message.data(), message.size()) == 1);
  return out;
}

bool verifies(const PublicKey& key, ByteView message, const Signature& signature) {
  const Key handle(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()),
                   EVP_PKEY_free);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  CG_ASSERT(context);
  return handle &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, handle.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(),
                          message.size()) == 1;
}

}  // namespace cg::sign
