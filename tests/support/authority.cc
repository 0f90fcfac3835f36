// Test certificates, made by OpenSSL when a test runs.
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <stdexcept>

#include "support/loopback_server.h"

namespace cg::test {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

std::string text_of(const Bio& bio) {
  const char* data = nullptr;
  const long size = BIO_ctrl(bio.get(), BIO_CTRL_INFO, 0, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pem(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
  PEM_write_bio_X509(bio.get(), certificate);
  return text_of(bio);
}

std::string pem(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
  PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return text_of(bio);
}

void extend(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context{};
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  if (extension == nullptr) throw std::runtime_error("bad certificate extension");
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

struct Issuer {
  X509* certificate;
  EVP_PKEY* key;
};

/// Without an issuer it signs itself. Without names it is an authority.
Identity make(const std::string& common_name, const std::string& names, const Issuer* issuer) {
  char curve[] = "P-256";
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve), &EVP_PKEY_free);
  const Certificate made(X509_new(), &X509_free);
  if (key == nullptr || made == nullptr) throw std::runtime_error("no certificate");
  X509_set_version(made.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), issuer == nullptr ? 1 : 2);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 24 * 3600);
  X509_set_pubkey(made.get(), key.get());
  const auto* const text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC, text, -1, -1,
                             0);
  X509* const by = issuer == nullptr ? made.get() : issuer->certificate;
  X509_set_issuer_name(made.get(), X509_get_subject_name(by));
  if (names.empty()) {
    extend(made.get(), by, NID_basic_constraints, "critical,CA:TRUE");
    extend(made.get(), by, NID_key_usage, "critical,keyCertSign");
  } else {
    extend(made.get(), by, NID_subject_alt_name, names.c_str());
  }
  X509_sign(made.get(), issuer == nullptr ? key.get() : issuer->key, EVP_sha256());
  return {pem(made.get()), pem(key.get())};
}

Bio readable(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

}  // namespace

Authority::Authority() : identity_(make("codegenie test authority", "", nullptr)) {}

Identity Authority::issue(const std::string& names) const {
  const Bio certificate_text = readable(identity_.certificate);
  const Bio key_text = readable(identity_.key);
  const Certificate certificate(
      PEM_read_bio_X509(certificate_text.get(), nullptr, nullptr, nullptr), &X509_free);
  const Key key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
  const Issuer issuer{certificate.get(), key.get()};
  return make("codegenie test server", names, &issuer);
}

Identity Authority::self_signed(const std::string& names) {
  return make("codegenie test server", names, nullptr);
}

}  // namespace cg::test
