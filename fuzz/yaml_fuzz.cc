// YAML that parses can be said in JSON, and JSON that is also YAML means the same. The
// events of the same text are well nested, in order, and lie where they say.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/base/assert.h"
#include "base/json/json.h"
#include "base/yaml/reader.h"
#include "base/yaml/yaml.h"

namespace {

using namespace cg::json;
using namespace cg::yaml;

bool opens(YamlEvent::Type type) {
  using enum YamlEvent::Type;
  return type == document_start || type == mapping_start || type == sequence_start;
}

bool closes(YamlEvent::Type type) {
  using enum YamlEvent::Type;
  return type == document_end || type == mapping_end || type == sequence_end;
}

/// How many documents there are; nothing reasonable if the text is refused.
std::size_t walk(std::string_view text) {
  YamlReader reader(text);
  std::size_t depth = 0;
  std::size_t reached = 0;
  std::size_t documents = 0;
  while (reader.next().type != YamlEvent::Type::stream_end) {
    const YamlEvent& event = reader.event();
    if (event.type == YamlEvent::Type::failed) {
      CG_ASSERT(reader.error().at.offset <= text.size());
      CG_ASSERT(reader.next().type == YamlEvent::Type::failed);
      return SIZE_MAX;
    }
    CG_ASSERT(reached <= event.begin && event.begin <= event.end && event.end <= text.size());
    reached = event.begin;
    if (!event.text.empty() && event.in_source) {
      const auto at = static_cast<std::size_t>(event.text.data() - text.data());
      CG_ASSERT(event.begin <= at && at + event.text.size() <= event.end);
    }
    if (opens(event.type)) ++depth;
    if (!closes(event.type)) continue;
    CG_ASSERT(depth > 0);
    --depth;
    if (event.type == YamlEvent::Type::document_end) ++documents;
  }
  CG_ASSERT(depth == 0);
  return documents;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t documents = walk(text);
  const auto value = parse_yaml(text);
  if (!value) {
    CG_ASSERT(value.error().at.offset <= size);
    CG_ASSERT(describe(value.error()).size() < 1000);
    return 0;
  }
  CG_ASSERT(documents <= 1);
  const auto said_in_json = parse_json(write_json(*value));
  CG_ASSERT(said_in_json && *said_in_json == *value);
  const auto as_json = parse_json(text);
  CG_ASSERT(!as_json || *as_json == *value);
  return 0;
}
