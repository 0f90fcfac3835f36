// YAML that parses can be said in JSON, and JSON that is also YAML means the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "codec/json.h"
#include "codec/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::codec;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = parse_yaml(text);
  if (!value) {
    CG_ASSERT(value.error().at.offset <= size);
    CG_ASSERT(describe(value.error()).size() < 1000);
    return 0;
  }
  const auto said_in_json = parse_json(write_json(*value));
  CG_ASSERT(said_in_json && *said_in_json == *value);
  const auto as_json = parse_json(text);
  CG_ASSERT(!as_json || *as_json == *value);
  return 0;
}
