// Call sites: whatever the text, pieces are of it, in order and apart; names are short.
#include <cstdlib>

#include "model/callsite/callsite.h"
#include "model/callsite/taken.h"

namespace {

void check(const std::vector<cg::callsite::Piece>& pieces, std::string_view text) {
  std::size_t last = 0;
  for (const auto& piece : pieces) {
    if (piece.begin < last || piece.end < piece.begin || piece.end > text.size()) std::abort();
    if (text.substr(piece.begin, piece.end - piece.begin) != piece.text) std::abort();
    last = piece.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto language = static_cast<cg::syntax::Language>(data[0] % 3);
  const auto uses = cg::callsite::find_uses(text, language, "m");
  if (!uses) return 0;
  check(uses->imports, text);
  check(uses->functions, text);
  check(uses->needs, text);
  if (uses->taken.size() > 16) std::abort();
  for (const char* name : {"default", "a"}) {
    const auto found = cg::callsite::find_export(text, language, name);
    if (found) check({*found}, text);
  }
  if (uses->names.size() > 256) std::abort();
  const auto snippet = cg::callsite::snippet(*uses, 512);
  std::size_t bytes = 0;
  for (const auto& piece : snippet.pieces) bytes += piece.text.size();
  if (bytes > 512) std::abort();
  return 0;
}
