#include <gtest/gtest.h>

#include <filesystem>

#include "support/support.h"
#include "trust/sign/allowed_signers.h"
#include "trust/sign/note.h"
#include "trust/sign/sshsig.h"

namespace cg::sign {
namespace {

namespace fs = std::filesystem;
using test::ScratchDir;

constexpr Seed kSeed = {1, 2, 3};
const std::string kName = "codegenie/log/test";

// RFC 8032, 7.1, test 2.
TEST(Ed25519, Rfc8032) {
  const Seed seed =
      *from_hex<32>("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
  EXPECT_EQ(to_hex(public_key(seed)),
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  const Signature s = sign(seed, as_bytes("\x72"));
  EXPECT_EQ(
      to_hex(s),
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f"
      "11d8c387b2eaeb4302aeeb00d291612bb0c00");
  EXPECT_TRUE(verifies(public_key(seed), as_bytes("\x72"), s));
  EXPECT_FALSE(verifies(public_key(seed), as_bytes("\x73"), s));
}

// An independent reader: the signature line is taken apart by hand and judged by
// the openssl program; the key id is what sha256sum says it is.
TEST(Note, OpensslAndSha256sumAgree) {
  const ScratchDir scratch;
  const auto key = NoteKey::make(kName, public_key(kSeed));
  const std::string note = write_note(sign_note("origin\n12\nroot\n", kName, kSeed));
  test::write(scratch / "text", "origin\n12\nroot\n");
  const std::string raw =
      *from_base64(note.substr(note.rfind(' ') + 1, note.size() - note.rfind(' ') - 2));
  test::write(scratch / "sig", raw.substr(4));
  // SubjectPublicKeyInfo of an Ed25519 key: this fixed prefix, then the key.
  test::write(scratch / "key.der",
              std::string("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12) +
                  std::string(as_text(key->key())));
  const auto ran =
      test::run({"openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey",
                 scratch / "key.der", "-in", scratch / "text", "-sigfile", scratch / "sig"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  test::write(scratch / "id", kName + "\n\x01" + std::string(as_text(key->key())));
  EXPECT_EQ(test::run({"sha256sum", scratch / "id"}).out.substr(0, 8),
            to_hex(as_bytes(raw.substr(0, 4))));
  EXPECT_EQ(NoteKey::parse(key->str()), key);
}

TEST(Note, EveryFlippedByteIsFound) {
  const auto key = NoteKey::make(kName, public_key(kSeed));
  const std::string good = write_note(sign_note("origin\n12\nroot\n", kName, kSeed));
  ASSERT_TRUE(verify_note(*parse_note(good), *key));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const unsigned bit : {1U, 0x20U, 0x80U}) {
      std::string bad = good;
      bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ bit);
      const auto note = parse_note(bad);
      EXPECT_TRUE(!note || !verify_note(*note, *key)) << i;
    }
    const auto cut = parse_note(good.substr(0, i));
    EXPECT_TRUE(!cut || !verify_note(*cut, *key)) << i;
  }
}

TEST(Note, UnknownKeyIsNotABadSignature) {
  const Seed other = {9};
  const Note note = sign_note("x\n", kName, other);
  EXPECT_EQ(verify_note(note, *NoteKey::make(kName, public_key(kSeed))).error(),
            NoteError::unknown_key);
  Note forged = sign_note("x\n", kName, kSeed);
  forged.text = "y\n";
  EXPECT_EQ(verify_note(forged, *NoteKey::make(kName, public_key(kSeed))).error(),
            NoteError::bad_signature);
}

struct SshKeys {
  ScratchDir scratch;
  std::string key = scratch / "id";
  explicit SshKeys(const std::string& type = "ed25519", const std::string& passphrase = "") {
    EXPECT_EQ(
        test::run({"ssh-keygen", "-q", "-t", type, "-N", passphrase, "-C", "operator", "-f", key})
            .exit,
        0);
  }
  [[nodiscard]] std::string public_line() const { return test::read(key + ".pub"); }
};

TEST(SshSig, SshKeygenAcceptsOurs) {
  const SshKeys keys;
  const auto seed = parse_ssh_private_key(test::read(keys.key));
  ASSERT_TRUE(seed);
  EXPECT_TRUE(keys.public_line().starts_with(write_ssh_public_key(public_key(*seed)) + " "));
  const std::string message = "an anchor\n";
  test::write(keys.scratch / "m.sig", ssh_sign(*seed, "codegenie-anchor", message));
  test::write(keys.scratch / "allowed", "operator@example " + keys.public_line());
  const auto verify = [&](const std::string& name_space, const std::string& text) {
    return test::run({"ssh-keygen", "-Y", "verify", "-f", keys.scratch / "allowed", "-I",
                      "operator@example", "-n", name_space, "-s", keys.scratch / "m.sig"},
                     {}, text)
        .exit;
  };
  EXPECT_EQ(verify("codegenie-anchor", message), 0);
  EXPECT_NE(verify("git", message), 0);
  EXPECT_NE(verify("codegenie-anchor", message + "x"), 0);
}

TEST(SshSig, WeAcceptSshKeygens) {
  const SshKeys keys;
  const std::string message = "an anchor\n";
  for (const std::string hash : {"sha512", "sha256"}) {
    test::write(keys.scratch / "m", message);
    fs::remove(keys.scratch / "m.sig");
    ASSERT_EQ(test::run({"ssh-keygen", "-q", "-Y", "sign", "-f", keys.key, "-n", "codegenie-anchor",
                         "-O", "hashalg=" + hash, keys.scratch / "m"})
                  .exit,
              0);
    const std::string signature = test::read(keys.scratch / "m.sig");
    const auto key = ssh_verify(signature, "codegenie-anchor", message);
    ASSERT_TRUE(key);
    EXPECT_TRUE(is_plain_armour(signature));
    for (const std::string& other : {signature + "\n", signature + " ", " " + signature}) {
      EXPECT_TRUE(ssh_verify(other, "codegenie-anchor", message));
      EXPECT_FALSE(is_plain_armour(other));
    }
    EXPECT_TRUE(keys.public_line().starts_with(write_ssh_public_key(*key)));
    EXPECT_EQ(ssh_verify(signature, "git", message).error(), SshError::wrong_namespace);
    EXPECT_EQ(ssh_verify(signature, "codegenie-anchor", "x").error(), SshError::bad_signature);
  }
}

TEST(SshSig, EveryFlippedByteIsFound) {
  const std::string good = ssh_sign(kSeed, "ns", "message");
  const PublicKey key = public_key(kSeed);
  for (std::size_t i = 0; i + 1 < good.size(); ++i) {  // the last newline is optional
    std::string bad = good;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 1U);
    const auto found = ssh_verify(bad, "ns", "message");
    EXPECT_TRUE(!found || *found != key) << i;
    EXPECT_FALSE(ssh_verify(good.substr(0, i), "ns", "message")) << i;
  }
}

TEST(SshSig, RefusesWhatItCannotJudge) {
  EXPECT_EQ(parse_ssh_private_key(test::read(SshKeys("ed25519", "secret").key)).error(),
            SshError::encrypted_key);
  const SshKeys ecdsa("ecdsa");
  EXPECT_EQ(parse_ssh_private_key(test::read(ecdsa.key)).error(), SshError::unsupported_key);
  test::write(ecdsa.scratch / "m", "x");
  ASSERT_EQ(test::run({"ssh-keygen", "-q", "-Y", "sign", "-f", ecdsa.key, "-n", "ns",
                       ecdsa.scratch / "m"})
                .exit,
            0);
  EXPECT_EQ(ssh_verify(test::read(ecdsa.scratch / "m.sig"), "ns", "x").error(),
            SshError::unsupported_key);
  EXPECT_EQ(parse_ssh_private_key("").error(), SshError::malformed);
}

TEST(AllowedSigners, WhoMaySignWhatAndWhen) {
  const std::string mine = write_ssh_public_key(public_key(kSeed));
  const auto parsed = parse_allowed_signers(
      "# comment\n\n"
      "a@example,b@example namespaces=\"codegenie-*,git\",valid-before=\"20270101Z\" " +
      mine +
      " note\n"
      "c@example ssh-rsa AAAA\n");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->other_key_types, 1U);
  const Time now = *parse_date("2026-11-15");
  EXPECT_EQ(find_signer(*parsed, public_key(kSeed), "codegenie-anchor", now),
            "a@example,b@example");
  EXPECT_EQ(find_signer(*parsed, public_key(kSeed), "file", now), std::nullopt);
  EXPECT_EQ(find_signer(*parsed, public_key(kSeed), "git", *parse_date("2027-01-01")),
            std::nullopt);
  EXPECT_EQ(find_signer(*parsed, public_key(Seed{7}), "git", now), std::nullopt);
  for (const std::string& bad : std::vector<std::string>{
           "a@example", "a@example cert-authority " + mine, "a@example ssh-ed25519 AAAA",
           "a@example valid-after=\"yesterday\" " + mine}) {
    EXPECT_FALSE(parse_allowed_signers(bad)) << bad;
  }
}

}  // namespace
}  // namespace cg::sign
