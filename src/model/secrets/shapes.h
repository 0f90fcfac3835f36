// Shapes: what a credential looks like in plain text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cg::secrets {

/// A part of a text that must not be kept, and the rule that says so.
struct Secret {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view rule;  // lives for ever
};

/// What stands in the place of what was taken out. No rule matches it.
inline constexpr std::string_view kFiltered = "<<filtered>>";

/// Whatever the case of the letters, in time linear in the text; may overlap. Rules look for
/// keys by their prefix (sk-ant- however short, others if they are long enough not to be a
/// word), for tokens behind `Bearer`, and for values that stand behind a telling name in a URL
/// or in quotes.
[[nodiscard]] std::vector<Secret> find_shapes(std::string_view text);

/// Whether a value beneath this name is a credential, whatever it looks like: api_key, apiKey,
/// password, secret, token and their like.
[[nodiscard]] bool is_secret_name(std::string_view name);

/// A letter, digit, `-` or `_`.
[[nodiscard]] bool is_key_char(char c);

}  // namespace cg::secrets
