// Meanings: which names of a file stand for a package, and which expressions import it.
#pragma once

#include <string_view>
#include <vector>

#include "model/callsite/scopes.h"

namespace cg::callsite {

class Meanings {
 public:
  Meanings(const Syntax& syntax, Scopes& scopes, std::string_view package)
      : syntax_(syntax), scopes_(scopes), package_(package) {}

  /// Gives meaning to the bindings: what is imported, what that is assigned to, and so on,
  /// a few times over.
  void find();
  /// Of an expression.
  [[nodiscard]] Meaning of(Index expression) const;
  /// Nodes that name the package: the strings in import, export … from, require(), import().
  [[nodiscard]] const std::vector<Index>& sources() const { return sources_; }
  /// Exports that are asked for by name where the package is imported.
  [[nodiscard]] const std::vector<std::string_view>& asked() const { return asked_; }

 private:
  [[nodiscard]] bool names_package(Index string) const;
  [[nodiscard]] bool is_import(Index call) const;
  [[nodiscard]] Meaning of_call(Index call) const;
  [[nodiscard]] std::string_view word_of(Index node) const;
  void find_source(Index string);
  void find_clause(Index statement);
  void find_export(Index statement);
  bool spread();
  bool spread_pattern(Index pattern, const Meaning& from);
  bool spread_assignment(Index assignment);
  bool give(Index name, const Meaning& meaning);

  const Syntax& syntax_;
  Scopes& scopes_;
  std::string_view package_;
  std::vector<Index> sources_;
  std::vector<std::string_view> asked_;
};

}  // namespace cg::callsite
