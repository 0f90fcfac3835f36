// Secrets: what looks like a credential anywhere in a text, as it stands or in disguise.
//
// Besides the text itself these are read: JSON, percent and HTML escapes, one inside the other;
// characters that are not seen; base64 and hexadecimal runs, whatever they start with. What is
// encrypted, reversed, spread over several strings or simply has no known shape is not found.
// Two rely on it: what is recorded of a model (model/cassette), and what one is told
// (model/prompt).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/secrets/shapes.h"

namespace cg::secrets {

/// In order, without overlap.
[[nodiscard]] std::vector<Secret> find_secrets(std::string_view text);

/// `text` with kFiltered for each. find_secrets() of the result is empty.
[[nodiscard]] std::string scrub(std::string_view text);

/// The same, with a mark of one's own by rule. What is found in marks themselves, or because of
/// them, becomes kFiltered.
struct Redacted {
  std::string text;
  std::size_t found = 0;                // secrets
  std::size_t bytes = 0;                // of `text` that they were
  std::vector<std::string_view> rules;  // sorted, each once
};
[[nodiscard]] Redacted redact(std::string_view text, std::string (*mark)(std::string_view rule));

}  // namespace cg::secrets
