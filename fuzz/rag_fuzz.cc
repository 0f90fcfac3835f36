// The store's files: one spelling each, and what is read is written back to the very same bytes.
#include <cstdlib>
#include <string>

#include "learn/example/example.h"
#include "learn/rag/bundle.h"
#include "learn/rag/manifest.h"
#include "learn/rag/record_file.h"
#include "learn/rag/release.h"
#include "learn/rag/rescan.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  namespace rag = cg::rag;
  if (size > 8192) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto record = rag::parse_record(text)) {
    if (rag::write_record(*record) != text) std::abort();
    const auto example = cg::example::parse(record->example);
    if (example && cg::example::write(*example) != record->example) std::abort();
  }
  if (const auto manifest = rag::parse_manifest(text)) {
    if (rag::write_manifest(*manifest) != text) std::abort();
    for (const auto& row : manifest->rows) {
      if (!rag::is_record_id(row.id)) std::abort();
    }
  }
  // Nobody is trusted, so nothing is taken.
  if (rag::read_bundle(text, {}, {})) std::abort();
  if (rag::read_release(text, text, {}, "", {})) std::abort();
  if (const auto phrases = rag::parse_phrases(text)) {
    for (const auto& phrase : *phrases) {
      if (phrase.text.empty() || phrase.id.empty()) std::abort();
    }
  }
  return 0;
}
