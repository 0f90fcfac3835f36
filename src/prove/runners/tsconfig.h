// What a tsconfig.json gives the TypeScript compiler to check.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cg::runners {

inline constexpr std::size_t kMaxTsconfigBytes = 1U << 20U;

struct Tsconfig {
  /// Whether `tsc -p` of it checks any file: it does unless "files" is empty and nothing is
  /// included.
  bool has_files = true;
  std::vector<std::string> references;  // as they stand: "./tsconfig.app.json", "packages/one"
};

/// Of JSON as the compiler takes it: with comments, commas before a closing bracket, and a byte
/// order mark. What cannot be read is taken for one that has files, so that the compiler speaks.
/// What it extends is not looked at.
[[nodiscard]] Tsconfig read_tsconfig(std::string_view text);

/// A file of the repository, if it is there; by its path beneath the folder of the manifest.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;
inline constexpr std::size_t kMaxProjects = 16;

/// The configurations that the compiler is to be run with, one after the other, so that it checks
/// what the tsconfig.json beside the manifest leads to: that one, or if it has no files of its own,
/// those that it refers to, and so on; what cannot be read is for the compiler to complain of.
/// Nothing if there is no tsconfig.json. Empty: none has files.
[[nodiscard]] std::optional<std::vector<std::string>> projects_of(const ReadFile& read);

}  // namespace cg::runners
