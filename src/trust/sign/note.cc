#include "trust/sign/note.h"

#include <algorithm>
#include <cstdlib>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "trust/hash/sha256.h"

namespace cg::sign {

namespace {

constexpr char kEd25519Type = 1;
constexpr std::string_view kDash = "\xe2\x80\x94 ";

bool is_name(std::string_view name) {
  return !name.empty() && is_utf8(name) && std::none_of(name.begin(), name.end(), [](char c) {
    return c == '+' || c == ' ' || static_cast<Byte>(c) < 0x21 || c == 0x7F;
  });
}

/// Newlines are the only control characters a note may hold.
bool is_note_text(std::string_view text) {
  return is_utf8(text) && std::none_of(text.begin(), text.end(), [](char c) {
           return static_cast<Byte>(c) < 0x20 && c != '\n';
         });
}

std::optional<NoteSignature> parse_signature(std::string_view line) {
  if (!line.starts_with(kDash)) return std::nullopt;
  line.remove_prefix(kDash.size());
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::optional<std::string> raw = from_base64(line.substr(space + 1));
  if (!is_name(line.substr(0, space)) || !raw || raw->size() < 5) return std::nullopt;
  return NoteSignature{std::string(line.substr(0, space)), raw->substr(0, 4), raw->substr(4)};
}

}  // namespace

NoteKey::NoteKey(std::string name, const PublicKey& key) : name_(std::move(name)), key_(key) {
  const std::string prefix = name_ + "\n" + kEd25519Type;
  const hash::Digest digest = hash::sha256(as_bytes(prefix), key_);
  id_ = std::string(as_text(digest).substr(0, 4));
}

std::optional<NoteKey> NoteKey::make(std::string name, const PublicKey& key) {
  if (!is_name(name)) return std::nullopt;
  return NoteKey(std::move(name), key);
}

std::optional<NoteKey> NoteKey::parse(std::string_view text) {
  const std::size_t first = text.find('+');
  const std::size_t second = text.find('+', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const std::optional<std::string> raw = from_base64(text.substr(second + 1));
  if (!raw || raw->size() != 33 || (*raw)[0] != kEd25519Type) return std::nullopt;
  PublicKey key{};
  std::copy(raw->begin() + 1, raw->end(), key.begin());
  std::optional<NoteKey> made = make(std::string(text.substr(0, first)), key);
  if (!made || made->str() != text) return std::nullopt;
  return made;
}

std::string NoteKey::str() const {
  const std::string raw = kEd25519Type + std::string(as_text(key_));
  return name_ + "+" + to_hex(as_bytes(id_)) + "+" + to_base64(as_bytes(raw));
}

std::string describe(NoteError error) {
  switch (error) {
    case NoteError::too_big:
      return "too large for a signed note";
    case NoteError::malformed:
      return "not a signed note";
    case NoteError::unknown_key:
      return "signed by a key that is not known here";
    case NoteError::bad_signature:
      return "its signature does not verify";
  }
  std::abort();
}

Result<Note, NoteError> parse_note(std::string_view bytes) {
  if (bytes.size() > kMaxNoteBytes) return fail(NoteError::too_big);
  const std::size_t gap = bytes.rfind("\n\n");
  if (!is_note_text(bytes) || gap == std::string_view::npos || !bytes.ends_with('\n')) {
    return fail(NoteError::malformed);
  }
  Note note{std::string(bytes.substr(0, gap + 1)), {}};
  const std::string_view lines = bytes.substr(gap + 2);
  if (lines.empty()) return fail(NoteError::malformed);
  for (const std::string_view line : split(lines.substr(0, lines.size() - 1), '\n')) {
    std::optional<NoteSignature> signature = parse_signature(line);
    if (!signature || note.signatures.size() == kMaxNoteSignatures) {
      return fail(NoteError::malformed);
    }
    note.signatures.push_back(*std::move(signature));
  }
  return note;
}

std::string write_note(const Note& note) {
  std::string out = note.text + "\n";
  for (const NoteSignature& s : note.signatures) {
    out.append(kDash).append(s.name).append(" ");
    out += to_base64(as_bytes(s.id + s.signature)) + "\n";
  }
  return out;
}

Note sign_note(std::string text, const std::string& name, const Seed& seed) {
  CG_ASSERT(text.ends_with('\n') && is_note_text(text));
  const std::optional<NoteKey> key = NoteKey::make(name, public_key(seed));
  CG_ASSERT(key);
  const Signature signature = sign(seed, as_bytes(text));
  return Note{std::move(text), {{name, key->id(), std::string(as_text(signature))}}};
}

Result<Done, NoteError> verify_note(const Note& note, const NoteKey& key) {
  for (const NoteSignature& s : note.signatures) {
    if (s.name != key.name() || s.id != key.id()) continue;
    Signature raw{};
    if (s.signature.size() != raw.size()) return fail(NoteError::bad_signature);
    std::copy(s.signature.begin(), s.signature.end(), raw.begin());
    if (!verifies(key.key(), as_bytes(note.text), raw)) return fail(NoteError::bad_signature);
    return Done{};
  }
  return fail(NoteError::unknown_key);
}

}  // namespace cg::sign
