// Inclusion proofs from untrusted bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/base/assert.h"
#include "trust/record/proof.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto key = cg::sign::NoteKey::make(cg::record::origin_of(std::string(32, 'a')),
                                           cg::sign::public_key({1}));
  if (const auto proof = cg::record::parse_proof(bytes)) {
    CG_ASSERT(cg::record::write_proof(*proof) == bytes);
    static_cast<void>(cg::record::check_proof(*proof, "line", *key).has_value());
  }
  return 0;
}
