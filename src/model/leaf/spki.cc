#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <ctime>
#include <memory>

#include "base/base/text.h"
#include "model/leaf/pins.h"
#include "trust/hash/sha256.h"

namespace cg::leaf {

namespace {

constexpr std::size_t kMaxPem = 256U << 10U;
constexpr std::size_t kMaxKeys = 16;
constexpr std::size_t kMaxSubject = 200;

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
/// Every kind of thing that OpenSSL hands out and wants back.
struct FreeBytes {
  void operator()(void* bytes) const { OPENSSL_free(bytes); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeBytes>;

struct Block {
  std::string name;
  std::string der;
};

hash::Digest digest_of(const unsigned char* bytes, int size) {
  return hash::sha256({bytes, static_cast<std::size_t>(size)});
}

std::string subject_of(X509* certificate) {
  const std::unique_ptr<BIO, FreeBio> bio(BIO_new(BIO_s_mem()));
  const X509_NAME* name = X509_get_subject_name(certificate);
  if (bio == nullptr || X509_NAME_print_ex(bio.get(), name, 0, XN_FLAG_RFC2253) < 0) return {};
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &bytes);
  const std::string_view text(bytes, static_cast<std::size_t>(std::max(size, 0L)));
  return printable(cut_utf8(text, kMaxSubject));
}

std::optional<Time> end_of(X509* certificate) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &parts) != 1) return std::nullopt;
  return Time{static_cast<std::int64_t>(timegm(&parts)) * 1000};
}

std::optional<PemKey> from_certificate(const std::string& der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  const auto* const end = at + der.size();
  const std::unique_ptr<X509, FreeCertificate> certificate(
      d2i_X509(nullptr, &at, static_cast<long>(der.size())));
  if (certificate == nullptr || at != end) return std::nullopt;
  unsigned char* spki = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate.get()), &spki);
  const Owned<unsigned char> owned(spki);
  if (size <= 0) return std::nullopt;
  return PemKey{digest_of(spki, size), subject_of(certificate.get()), end_of(certificate.get()),
                X509_check_ca(certificate.get()) == 1};
}

std::optional<PemKey> from_public_key(const std::string& der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  const auto* const end = at + der.size();
  const std::unique_ptr<EVP_PKEY, FreeKey> key(
      d2i_PUBKEY(nullptr, &at, static_cast<long>(der.size())));
  if (key == nullptr || at != end) return std::nullopt;
  unsigned char* spki = nullptr;
  const int size = i2d_PUBKEY(key.get(), &spki);
  const Owned<unsigned char> owned(spki);
  if (size <= 0) return std::nullopt;
  return PemKey{digest_of(spki, size), "", std::nullopt, false};
}

/// The next block; nothing at the end or at damage, which ERR tells apart.
std::optional<Block> next_block(BIO* bio) {
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* data = nullptr;
  long size = 0;
  if (PEM_read_bio(bio, &name, &header, &data, &size) != 1) return std::nullopt;
  const Owned<char> owned_name(name);
  const Owned<char> owned_header(header);
  const Owned<unsigned char> owned_data(data);
  return Block{name, std::string(reinterpret_cast<char*>(data), static_cast<std::size_t>(size))};
}

Result<PemKey, std::string> key_of(const Block& block) {
  std::optional<PemKey> key;
  if (block.name == "CERTIFICATE") {
    key = from_certificate(block.der);
  } else if (block.name == "PUBLIC KEY") {
    key = from_public_key(block.der);
  } else {
    return fail("a block of `" + printable(cut_utf8(block.name, 40)) +
                "`: give certificates or public keys alone");
  }
  ERR_clear_error();
  if (!key) return fail("a block of `" + block.name + "` cannot be read");
  return *std::move(key);
}

}  // namespace

Result<std::vector<PemKey>, std::string> spki_of_pem(std::string_view pem) {
  if (pem.size() > kMaxPem) return fail(std::string("more than 256 KiB"));
  const std::unique_ptr<BIO, FreeBio> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (bio == nullptr) return fail(std::string("no memory"));
  std::vector<PemKey> out;
  ERR_clear_error();
  while (const auto block = next_block(bio.get())) {
    if (out.size() == kMaxKeys) return fail(std::string("more than 16 certificates"));
    CG_TRY_ASSIGN(PemKey key, key_of(*block));
    out.push_back(std::move(key));
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (!at_end) return fail(std::string("a damaged PEM block"));
  if (out.empty()) return fail(std::string("neither a certificate nor a public key in PEM"));
  return out;
}

}  // namespace cg::leaf
