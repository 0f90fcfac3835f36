// C2SP signed notes: a text, a blank line, signature lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "trust/sign/ed25519.h"

namespace cg::sign {

constexpr std::size_t kMaxNoteBytes = 64 * 1024;
constexpr std::size_t kMaxNoteSignatures = 16;

/// Who signs: a name and an Ed25519 key. Written name+id+base64, where id is the
/// first four bytes of SHA-256(name ‖ newline ‖ 1 ‖ key) in hexadecimal.
class NoteKey {
 public:
  [[nodiscard]] static std::optional<NoteKey> parse(std::string_view text);
  [[nodiscard]] static std::optional<NoteKey> make(std::string name, const PublicKey& key);
  [[nodiscard]] std::string str() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& id() const { return id_; }  // four raw bytes
  [[nodiscard]] const PublicKey& key() const { return key_; }
  friend bool operator==(const NoteKey&, const NoteKey&) = default;

 private:
  NoteKey(std::string name, const PublicKey& key);
  std::string name_;
  PublicKey key_;
  std::string id_;
};

struct NoteSignature {
  std::string name;
  std::string id;         // four raw bytes
  std::string signature;  // raw bytes; 64 of them for Ed25519
  friend bool operator==(const NoteSignature&, const NoteSignature&) = default;
};

struct Note {
  std::string text;  // ends in a newline; this is what is signed
  std::vector<NoteSignature> signatures;
  friend bool operator==(const Note&, const Note&) = default;
};

enum class NoteError {
  too_big,
  malformed,
  unknown_key,    // no signature line names the key
  bad_signature,  // one does, and it does not verify
};
[[nodiscard]] std::string describe(NoteError error);

[[nodiscard]] Result<Note, NoteError> parse_note(std::string_view bytes);
/// Exactly the bytes that parse_note() takes.
[[nodiscard]] std::string write_note(const Note& note);

/// `text` must end in a newline and hold no other control characters.
[[nodiscard]] Note sign_note(std::string text, const std::string& name, const Seed& seed);
[[nodiscard]] Result<Done, NoteError> verify_note(const Note& note, const NoteKey& key);

}  // namespace cg::sign
