// Cassettes: one spelling, nothing in them that looks like a credential, and a sanitiser that
// finds nothing in what it made.
#include <cstdlib>
#include <string>

#include "base/base/text.h"
#include "model/cassette/cassette.h"
#include "model/cassette/clean.h"
#include "model/cassette/lock.h"
#include "model/secrets/secrets.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  namespace cassette = cg::cassette;
  namespace secrets = cg::secrets;
  if (size > 2048) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto read = cassette::parse(text)) {
    if (cassette::write(*read) != text) std::abort();
    for (const auto& exchange : read->exchanges) {
      if (!secrets::find_secrets(exchange.response.body).empty()) std::abort();
    }
  }
  if (const auto pins = cassette::parse_lock(text)) {
    if (cassette::write_lock(*pins) != text) std::abort();
  }
  const std::string scrubbed = secrets::scrub(text);
  if (!secrets::find_secrets(scrubbed).empty()) std::abort();
  if (cg::is_utf8(text) && !cg::is_utf8(scrubbed)) std::abort();
  const std::string body = cassette::clean_body(text);
  if (cassette::clean_body(body) != body) std::abort();
  return 0;
}
