// Api: what a package lets others use, as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cg::exports {

enum class Form : std::uint8_t { unknown, function, class_type, constant, type };
[[nodiscard]] std::string_view name(Form form);

/// How many arguments a function takes; a class: its constructor.
struct Arity {
  unsigned least = 0;
  std::optional<unsigned> most = 0;  // nothing: any number
  friend bool operator==(const Arity&, const Arity&) = default;
};

struct Export {
  Form form = Form::unknown;
  std::optional<Arity> arity;  // of functions and classes, where it is written down
  friend bool operator==(const Export&, const Export&) = default;
};
using Names = std::map<std::string, Export, std::less<>>;

enum class Style : std::uint8_t { commonjs, esm, declarations };

struct Module {
  Style style = Style::commonjs;
  Names names;           // "default" for the default export, and for what module.exports is
  bool complete = true;  // there are no others
};

/// One way in: who imports `subpath` under these conditions gets `file`.
struct Entry {
  std::string subpath;                  // ".", "./feature"; a program: "bin:name"
  std::vector<std::string> conditions;  // "import", "types"; or the field: "main", "module", "bin"
  std::string file;                     // in the package
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// What an import of one subpath can get, under any of its conditions.
struct Surface {
  std::set<std::string, std::less<>> names;
  bool complete = true;
};

struct Api {
  std::string name;
  std::string version;
  std::vector<Entry> entries;
  /// By file: those that entries lead to. Of other files in reach nothing is known.
  std::map<std::string, Module, std::less<>> modules;

  /// `subpath` as behind the name in an import: "" or "feature/x". Nothing if the package does
  /// not let anybody import it.
  [[nodiscard]] std::optional<Surface> surface(std::string_view subpath) const;
};

enum class Error {
  not_a_package,  // no tarball, or damaged
  too_large,      // more files or bytes than are looked at
  bad_manifest,   // no package.json, or not one
};
[[nodiscard]] std::string_view name(Error error);

struct Limits {
  std::size_t unpacked = 64U << 20U;  // bytes
  std::size_t files = 8192;           // of those that are looked at: sources and manifests
  std::size_t other = 8U << 20U;      // bytes of one that is neither, and was asked for
  std::size_t parsed = 16U << 20U;    // bytes of sources that are parsed
  std::size_t modules = 512;          // that are parsed
};

/// Path in the package to text.
using Files = std::map<std::string, std::string, std::less<>>;

}  // namespace cg::exports
