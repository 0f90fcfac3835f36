// YAML: the part of YAML 1.2 that says the same as JSON, for files people write.
#pragma once

#include <string_view>

#include "base/base/result.h"
#include "base/json/value.h"

namespace cg::yaml {

/// Reads one YAML document. An empty text is null. Plain scalars follow the core
/// schema of YAML 1.2: `true`, `12`, `0x1f`, `0o17`, `1.5` and `null` or `~` have
/// types; `yes`, `no`, `on` and `off` are strings. Quoted and block scalars are
/// strings, keys are strings as written.
///
/// Refused, because they let a text mean something else than it seems to say:
///   - a second document, directives, anchors, aliases, merge keys, tags;
///   - duplicate keys, keys that are not scalars, are missing or span lines;
///   - tabs as indentation, and the other layouts that yaml_reader.h names;
///   - `.inf`, `.nan`, an integer outside 64 bits, a number too large for a double;
///   - a byte order mark, bad UTF-8, control characters, a CR that is not before LF.
///
/// Every value costs some 80 bytes of memory, in a text of brackets and commas 40 for
/// each byte: max_nodes is what bounds it.
///
/// A final newline is assumed: a block scalar at the end of the text has it even
/// if the text lacks it.
[[nodiscard]] Result<json::Value, json::ParseError> parse_yaml(std::string_view text,
                                                               const json::Limits& limits = {});

}  // namespace cg::yaml
