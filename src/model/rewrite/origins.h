// Origins: which names and expressions of a file stand for something outside of it.
//
// What is outside has a path: `process.env.HOME`, `'fs'.readFile` (an export of a module),
// `import.meta.url`. A name that is bound to such a thing, by import, by a declaration or as
// the parameter of a function that is called on the spot, has its path.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/rewrite/given.h"

namespace cg::rewrite {

/// One of { a, b: c, ...d }: "a" and a, "b" and c, "" and d.
struct PatternPart {
  std::string key;
  Index name;  // or the pattern in its place
};
/// Nothing for what is no such pattern.
[[nodiscard]] std::vector<PatternPart> parts_of(const File& file, Index pattern);

class Origins {
 public:
  /// `file` must outlive it.
  Origins(const File& file, std::string_view package, syntax::Language language);

  /// Nothing if the expression stands for something of the file.
  [[nodiscard]] std::optional<std::string> path_of(Index expression) const;
  /// Of a declaration, by number of Scopes::bindings(); empty for what is the file's own.
  [[nodiscard]] const std::string& of_binding(Index binding) const { return paths_[binding]; }
  [[nodiscard]] const Given& given() const { return given_; }
  /// The value comes out of the package: an export, what a call of it gave, a member of that.
  [[nodiscard]] bool is_of_package(Index expression) const;
  [[nodiscard]] bool is_package_path(std::string_view path) const;
  /// require('x') and import('x') with a name that is written down: 'x'.
  [[nodiscard]] std::optional<std::string> module_of(Index call) const;
  [[nodiscard]] bool is_sloppy() const { return sloppy_; }

 private:
  [[nodiscard]] std::optional<std::string> root_path(Index node) const;
  [[nodiscard]] Index inside(Index expression) const;
  [[nodiscard]] std::string member_of(Index chain) const;
  [[nodiscard]] bool is_strict() const;
  void derive();
  [[nodiscard]] bool find_mixed();
  void bind_imports();
  void bind_import(Index statement);
  bool bind_values();
  bool bind_pattern(Index pattern, const std::string& path);
  bool bind_parameters(Index call);
  bool give(Index name, const std::string& path);
  bool mark(Index pattern);

  const File& file_;
  std::string_view package_;
  bool sloppy_;
  std::vector<std::string> paths_;  // by binding
  Given given_;
  std::vector<bool> derived_;  // by binding: its value comes out of the package
  std::vector<bool> mixed_;    // by binding: not all of its values do
};

/// 'x' for the module x: quoted, so that it is no global.
[[nodiscard]] std::string module_path(std::string_view specifier);

}  // namespace cg::rewrite
