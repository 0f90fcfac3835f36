// Challenge: what a suite or a compiler is given so that it has something to find.
//
// The run without it tells what holds; the run with it tells whether anybody looked. At the base
// it shows which of its wrong assertions are reached; what those make fail there must fail with the
// fix too (prove/gate). It is drawn anew for every repository, so nothing can be prepared for it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cg::challenge {

/// A file of the tree: path relative to it, and its text.
struct File {
  std::string path;
  std::string text;
};

inline constexpr std::size_t kMaxFiles = 200;
inline constexpr std::size_t kMaxFileBytes = 256U << 10U;
inline constexpr std::size_t kMaxTypeFiles = 8;

/// Whether a file is likely to hold tests, by its name and its folders, or since the test script
/// names it.
[[nodiscard]] bool may_hold_tests(std::string_view path, std::string_view script);
/// A TypeScript source that is no declaration.
[[nodiscard]] bool may_hold_types(std::string_view path);

/// Files of the tree with other text: path -> text. In each, assertions of a few tests are wrong,
/// one of every kind that it has.
[[nodiscard]] std::map<std::string, std::string> wrong_tests(const std::vector<File>& files,
                                                             std::uint64_t draw);

/// A few sources with one error of types more, at their ends.
struct WrongTypes {
  std::map<std::string, std::string> files;
  std::vector<std::string> names;  // that the errors must speak of
};
[[nodiscard]] WrongTypes wrong_types(const std::vector<File>& files, std::uint64_t draw);

}  // namespace cg::challenge
