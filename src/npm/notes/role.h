// Role: what a file of a package is for its readers, by its path.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cg::notes {

/// A manual, such as API.md, is read like a README.
enum class Role : std::uint8_t { guide, changelog, readme };

/// Nothing for what is no document, and for what lies in node_modules.
[[nodiscard]] std::optional<Role> role_of(std::string_view path);

/// The name of the file without folders and ending.
[[nodiscard]] std::string_view stem_of(std::string_view path);

}  // namespace cg::notes
