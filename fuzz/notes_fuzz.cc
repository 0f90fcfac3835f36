// What authors say: any text as a changelog, a guide and a README, for a small cap and for a large.
//
// Whatever the text, pieces are UTF-8, within the cap, name lines that are there, and come out the
// same again. The first byte says which names are used.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "npm/notes/notes.h"

namespace {

using cg::notes::Files;
using cg::notes::Notes;
using cg::notes::Piece;
using cg::semver::Version;

void check(const Notes& notes, const Files& files, std::size_t cap) {
  std::size_t sum = 0;
  for (const Piece& piece : notes.pieces) {
    sum += piece.text.size();
    CG_ASSERT(!piece.text.empty() && piece.text.back() == '\n');
    CG_ASSERT(cg::is_utf8(piece.text));
    const std::string& text = files.at(piece.file);
    const auto is_end = [](char c) { return c == '\n' || c == '\r'; };
    const auto lines = std::count_if(text.begin(), text.end(), is_end);
    CG_ASSERT(piece.line >= 1 && piece.line <= static_cast<std::size_t>(lines) + 1);
  }
  CG_ASSERT(sum <= cap);
}

bool are_same(const Notes& a, const Notes& b) {
  const auto same = [](const Piece& x, const Piece& y) {
    return x.file == y.file && x.line == y.line && x.text == y.text && x.kind == y.kind;
  };
  return a.left_out == b.left_out &&
         std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(), same);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  cg::notes::Wanted wanted = {
      "pack", *Version::parse("1.2.3"), *Version::parse("4.5.6-beta.1"), {"parse", "a-b", "get"}};
  if (!text.empty() && text[0] == '#') wanted.names.clear();
  for (const char* path : {"CHANGELOG.md", "docs/migrating.md", "README"}) {
    const Files files = {{path, text}};
    for (const std::size_t cap : {std::size_t{64}, std::size_t{1024}, cg::notes::kMaxPieces}) {
      const Notes notes = find_notes(files, wanted, cap);
      check(notes, files, cap);
      CG_ASSERT(are_same(notes, find_notes(files, wanted, cap)));
    }
  }
  static_cast<void>(cg::notes::is_document(text));
  return 0;
}
