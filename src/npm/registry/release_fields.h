// What a release's JSON says, field by field, before it is made into a Release.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "npm/registry/release.h"

namespace cg::registry {

struct Fields {
  explicit Fields(std::string_view json) : text(json) {}

  std::string_view text;  // all of the JSON, for what is kept as published
  Release release;
  std::string name;     // as it calls itself; empty if it does not
  std::string version;  // likewise
  Pairs dependencies, optional, peers;
  std::vector<std::string> optional_peers;
  std::string bin;                    // a single one
  std::vector<std::string> bundled;   // by bundleDependencies
  std::vector<std::string> bundled2;  // by bundledDependencies
  bool has_bundled = false;
  bool bundle_all = false;
};

/// Reads the value of `key`, or passes over it.
void read_field(json::JsonReader& reader, std::string_view key, Fields& fields);

}  // namespace cg::registry
