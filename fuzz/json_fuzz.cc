// JSON that parses is written, and parses again to the same value.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "base/json/canonical.h"
#include "base/json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = parse_json(text);
  if (!value) {
    CG_ASSERT(value.error().at.offset <= size);
    CG_ASSERT(describe(value.error()).size() < 1000);
    return 0;
  }
  const auto compact = parse_json(write_json(*value));
  CG_ASSERT(compact && *compact == *value);
  const auto pretty = parse_json(write_json_pretty(*value));
  CG_ASSERT(pretty && *pretty == *value);

  const auto once = canonical(*value);
  if (!once) return 0;
  const auto again = parse_json(*once);
  CG_ASSERT(again);
  const auto twice = canonical(*again);
  CG_ASSERT(twice && *twice == *once);
  return 0;
}
