// YAML: the part of YAML 1.2 that says the same as JSON, for files people write.
#pragma once

#include <string_view>

#include "base/result.h"
#include "codec/value.h"

namespace cg::codec {

/// Reads one YAML document. An empty text is null. Plain scalars follow the core
/// schema of YAML 1.2: `true`, `12`, `0x1f`, `0o17`, `1.5` and `null` or `~` have
/// types; `yes`, `no`, `on` and `off` are strings. Quoted and block scalars are
/// strings, keys are strings as written.
///
/// Refused, because they let a text mean something else than it seems to say:
///   - a second document, directives, anchors, aliases, merge keys, tags;
///   - duplicate keys, keys that are not scalars or are missing;
///   - `.inf`, `.nan`, an integer outside 64 bits, a number too large for a double;
///   - a byte order mark, bad UTF-8, control characters, a CR that is not before LF.
///
/// Refused, because libfyaml 0.7.12 cannot be trusted with them (yaml_guard.h):
///   - a `?` between spaces, even inside a scalar;
///   - more than 4 MiB, whatever `limits` says; more than 100 blank lines in a row; a
///     line of more than 64 KiB with [ or {; more than 1000 brackets left open;
///   - a block scalar that is the whole document or starts with a blank line, a folded
///     one with lines indented more than the first, a single-quoted one with two
///     quotes in a row, a backslash before spaces at the end of a line.
/// Even so a hostile text can make it take some 300 bytes of memory per byte.
///
/// A final newline is assumed: a block scalar at the end of the text has it even
/// if the text lacks it.
[[nodiscard]] Result<Value, ParseError> parse_yaml(std::string_view text,
                                                   const Limits& limits = {});

}  // namespace cg::codec
