// The JSON Schemas of doc/schema, as they were when the program was built.
#pragma once

#include <string_view>
#include <vector>

namespace cg::program {

struct Schema {
  std::string_view name;  // "version" for doc/schema/version.json
  std::string_view text;
};

/// Sorted by name. Defined in a file that embed_schemas.cmake writes.
[[nodiscard]] const std::vector<Schema>& schemas();

}  // namespace cg::program
