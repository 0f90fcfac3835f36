// Whatever is printed: nothing in it is obeyed, twice is once, and JSON means what it meant.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "base/base/defuse.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "support/markers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string lines = defused(text);
  CG_ASSERT(is_utf8(lines));
  CG_ASSERT(test::orders_in(lines).empty());
  CG_ASSERT(defused(lines) == lines);
  const std::string line = printable(text);
  CG_ASSERT(test::orders_in("x" + line).empty());
  CG_ASSERT(printable(line) == line);

  const json::Value value(is_utf8(text) ? text : line);
  const std::string quoted = defused_json(json::write_json(value));
  CG_ASSERT(test::orders_in(quoted).empty());
  const auto parsed = json::parse_json(quoted);
  CG_ASSERT(parsed && *parsed == value);
  return 0;
}
