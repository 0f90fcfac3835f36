// Signed notes, checkpoints, SSH signatures, keys and signer lists from untrusted bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/base/assert.h"
#include "trust/record/checkpoint.h"
#include "trust/sign/allowed_signers.h"
#include "trust/sign/note.h"
#include "trust/sign/sshsig.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string log(32, 'a');
  const auto key = cg::sign::NoteKey::make(cg::record::origin_of(log), cg::sign::public_key({1}));
  if (const auto note = cg::sign::parse_note(bytes)) {
    CG_ASSERT(cg::sign::write_note(*note) == bytes);
    static_cast<void>(cg::record::parse_tree_head(note->text).has_value());
  }
  if (const auto head = cg::record::open_checkpoint(bytes, *key)) {
    CG_ASSERT(cg::record::sign_checkpoint(*head, {1}) == bytes);
  }
  if (const auto parsed = cg::sign::NoteKey::parse(bytes)) CG_ASSERT(parsed->str() == bytes);
  static_cast<void>(cg::sign::ssh_verify(bytes, "codegenie-anchor", "message").has_value());
  static_cast<void>(cg::sign::parse_ssh_private_key(bytes).has_value());
  static_cast<void>(cg::sign::parse_allowed_signers(bytes).has_value());
  return 0;
}
