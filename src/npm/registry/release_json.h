// A release as JSON: read as registries publish it, written as we keep it.
//
// What we write is what the reader reads, so there is one reader: a release that is
// written and read again is the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"
#include "npm/registry/release.h"

namespace cg::registry {

/// Reads the object that `reader` stands before. `name` and `version` are what it was
/// published under. Nothing if it cannot be installed as that: it calls itself otherwise,
/// needs something that no package can be called, or has no address or no digest; the
/// reader is then behind it all the same. Fields of a wrong type count as not there.
[[nodiscard]] std::optional<Release> read_release(json::JsonReader& reader, std::string_view text,
                                                  std::string_view name, std::string_view version);

/// On one line, with what Release holds and nothing else. Equal releases have equal texts.
[[nodiscard]] std::string write_release(const Release& release);

/// A string as JSON writes it.
void add_json(std::string& out, std::string_view text);

}  // namespace cg::registry
