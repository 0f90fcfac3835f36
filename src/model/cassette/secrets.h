// Secrets: what looks like a credential anywhere in a text, as it stands or in disguise.
//
// Besides the text itself these are read: JSON, percent and HTML escapes, one inside the other;
// characters that are not seen; base64 and hexadecimal runs, whatever they start with. What is
// encrypted, reversed, spread over several strings or simply has no known shape is not found:
// the sanitiser stands behind a recorder that never gets request headers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/cassette/shapes.h"

namespace cg::cassette {

/// In order, without overlap.
[[nodiscard]] std::vector<Secret> find_secrets(std::string_view text);

/// `text` with kFiltered for each. find_secrets() of the result is empty.
[[nodiscard]] std::string scrub(std::string_view text);

}  // namespace cg::cassette
