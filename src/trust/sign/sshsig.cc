#define OPENSSL_SUPPRESS_DEPRECATED
#include "trust/sign/sshsig.h"

#include <openssl/sha.h>

#include <algorithm>
#include <cstdlib>

#include "base/base/text.h"
#include "base/wire/reader.h"
#include "trust/hash/sha256.h"

namespace cg::sign {

namespace {

constexpr std::string_view kMagic = "SSHSIG";
constexpr std::string_view kKeyMagic{"openssh-key-v1\0", 15};
constexpr std::string_view kEd25519Name = "ssh-ed25519";
constexpr std::size_t kMaxText = 64 * 1024;

void put_string(std::string& out, std::string_view bytes) {
  wire::put_big_endian(out, bytes.size(), 4);
  out += bytes;
}

/// SSH's wire format.
struct Reader : wire::Reader<std::uint32_t> {
  using wire::Reader<std::uint32_t>::Reader;
  std::uint32_t u32() {
    std::uint32_t value = 0;
    number(value);
    return value;
  }
  std::string_view string() { return view(kMaxText); }
};

std::string key_blob(const PublicKey& key) {
  std::string out;
  put_string(out, kEd25519Name);
  put_string(out, as_text(key));
  return out;
}

template <std::size_t N>
std::optional<std::array<Byte, N>> exactly(std::string_view bytes) {
  if (bytes.size() != N) return std::nullopt;
  std::array<Byte, N> out{};
  std::copy(bytes.begin(), bytes.end(), out.begin());
  return out;
}

Result<PublicKey, SshError> parse_blob(std::string_view blob) {
  Reader reader(blob);
  const std::string_view type = reader.string();
  if (reader.good() && type != kEd25519Name) return fail(SshError::unsupported_key);
  const auto key = exactly<32>(reader.string());
  if (!reader.is_done() || !key) return fail(SshError::malformed);
  return *key;
}

/// The bytes between "-----BEGIN what-----" and "-----END what-----".
std::optional<std::string> unarmour(std::string_view text, std::string_view what) {
  const std::string begin = "-----BEGIN " + std::string(what) + "-----\n";
  const std::string end = "\n-----END " + std::string(what) + "-----";
  if (text.size() > kMaxText) return std::nullopt;
  text = trim(text);
  if (!text.starts_with(begin) || !text.ends_with(end)) return std::nullopt;
  if (text.size() < begin.size() + end.size()) return std::nullopt;
  text.remove_prefix(begin.size());
  text.remove_suffix(end.size());
  std::string base64;
  std::copy_if(text.begin(), text.end(), std::back_inserter(base64),
               [](char c) { return c != '\n'; });
  return from_base64(base64);
}

std::string armour(std::string_view blob) {
  const std::string base64 = to_base64(as_bytes(blob));
  std::string out = "-----BEGIN SSH SIGNATURE-----\n";
  for (std::size_t at = 0; at < base64.size(); at += 70) out += base64.substr(at, 70) + "\n";
  return out + "-----END SSH SIGNATURE-----\n";
}

std::string sha512(std::string_view bytes) {
  std::string out(SHA512_DIGEST_LENGTH, '\0');
  SHA512(as_bytes(bytes).data(), bytes.size(), reinterpret_cast<Byte*>(out.data()));
  return out;
}

/// What is really signed: a digest of the message with its purpose beside it.
std::string signed_data(std::string_view name_space, std::string_view hash_name,
                        std::string_view digest) {
  std::string out(kMagic);
  put_string(out, name_space);
  put_string(out, "");  // reserved
  put_string(out, hash_name);
  put_string(out, digest);
  return out;
}

}  // namespace

std::string describe(SshError error) {
  switch (error) {
    case SshError::malformed:
      return "not a well-formed OpenSSH key or signature";
    case SshError::unsupported_key:
      return "not an Ed25519 key";
    case SshError::unsupported_hash:
      return "uses a hash other than sha512 or sha256";
    case SshError::encrypted_key:
      return "the private key is protected by a passphrase";
    case SshError::wrong_namespace:
      return "was made for another purpose (namespace)";
    case SshError::bad_signature:
      return "the signature does not verify";
  }
  std::abort();
}

Result<Seed, SshError> parse_ssh_private_key(std::string_view text) {
  const std::optional<std::string> raw = unarmour(text, "OPENSSH PRIVATE KEY");
  if (!raw) return fail(SshError::malformed);
  Reader outer(*raw);
  const bool magic = outer.take(kKeyMagic.size()) == kKeyMagic;
  const std::string_view cipher = outer.string();
  const std::string_view kdf = outer.string();
  outer.string();  // options of the key derivation
  const bool one = outer.u32() == 1;
  outer.string();  // the public key, which stands in the private part again
  const std::string_view secret = outer.string();
  if (!magic || !one || !outer.is_done()) return fail(SshError::malformed);
  if (cipher != "none" || kdf != "none") return fail(SshError::encrypted_key);

  Reader inner(secret);
  const std::uint32_t check = inner.u32();
  if (inner.u32() != check || !inner.good()) return fail(SshError::malformed);
  if (inner.string() != kEd25519Name) return fail(SshError::unsupported_key);
  const auto key = exactly<32>(inner.string());
  const std::string_view pair = inner.string();
  if (!inner.good() || !key || pair.size() != 64) return fail(SshError::malformed);
  const Seed seed = *exactly<32>(pair.substr(0, 32));
  if (public_key(seed) != *key) return fail(SshError::malformed);
  return seed;
}

std::string write_ssh_public_key(const PublicKey& key) {
  return std::string(kEd25519Name) + " " + to_base64(as_bytes(key_blob(key)));
}

std::optional<PublicKey> parse_ssh_key_blob(std::string_view base64) {
  const std::optional<std::string> raw = from_base64(base64);
  if (!raw) return std::nullopt;
  const auto key = parse_blob(*raw);
  return key ? std::optional(*key) : std::nullopt;
}

std::string ssh_fingerprint(const PublicKey& key) {
  std::string text = to_base64(hash::sha256(as_bytes(key_blob(key))));
  text.erase(text.find('='));
  return "SHA256:" + text;
}

std::string ssh_sign(const Seed& seed, std::string_view name_space, std::string_view message) {
  std::string signature;
  put_string(signature, kEd25519Name);
  put_string(signature,
             as_text(sign(seed, as_bytes(signed_data(name_space, "sha512", sha512(message))))));
  std::string blob(kMagic);
  wire::put_big_endian(blob, 1, 4);
  put_string(blob, key_blob(public_key(seed)));
  put_string(blob, name_space);
  put_string(blob, "");
  put_string(blob, "sha512");
  put_string(blob, signature);
  return armour(blob);
}

bool is_plain_armour(std::string_view signature) {
  const std::optional<std::string> raw = unarmour(signature, "SSH SIGNATURE");
  return raw && armour(*raw) == signature;
}

Result<PublicKey, SshError> ssh_verify(std::string_view signature, std::string_view name_space,
                                       std::string_view message) {
  const std::optional<std::string> raw = unarmour(signature, "SSH SIGNATURE");
  if (!raw) return fail(SshError::malformed);
  Reader reader(*raw);
  const bool magic = reader.take(kMagic.size()) == kMagic && reader.u32() == 1;
  const std::string_view blob = reader.string();
  const std::string_view purpose = reader.string();
  const std::string_view reserved = reader.string();
  const std::string_view hash_name = reader.string();
  const std::string_view inner = reader.string();
  if (!magic || !reader.is_done() || !reserved.empty()) {
    return fail(SshError::malformed);
  }
  CG_TRY_ASSIGN(const PublicKey key, parse_blob(blob));
  if (purpose != name_space) return fail(SshError::wrong_namespace);
  std::string digest;
  if (hash_name == "sha512") digest = sha512(message);
  if (hash_name == "sha256") digest = as_text(hash::sha256(as_bytes(message)));
  if (digest.empty()) return fail(SshError::unsupported_hash);

  Reader pair(inner);
  const bool ed25519 = pair.string() == kEd25519Name;
  const auto bytes = exactly<64>(pair.string());
  if (!ed25519 || !bytes || !pair.is_done()) return fail(SshError::malformed);
  if (!verifies(key, as_bytes(signed_data(name_space, hash_name, digest)), *bytes)) {
    return fail(SshError::bad_signature);
  }
  return key;
}

}  // namespace cg::sign
