// Meanings: which names of a file stand for a package, and which expressions import it.
#pragma once

#include <string_view>
#include <vector>

#include "npm/syntax/scopes.h"

namespace cg::syntax {

/// What a name stands for, as far as the package is concerned.
struct Meaning {
  enum class Kind : std::uint8_t {
    nothing,   // of the package
    whole,     // all of it: a namespace, the default export, what require() gives
    member,    // one of its exports
    instance,  // what a call of it gave
  };
  Kind kind = Kind::nothing;
  std::string_view member;  // as exported, for Kind::member
  Index source = kNone;     // the string that names the package where this comes from
  bool by_default = false;  // through its default export: `import x`, `x.default`
  bool is_deeper = false;   // not the export itself, but a member of it
};

/// An export that is asked for by name where the package is imported, or taken apart.
struct Asked {
  std::string_view name;
  Index at = kNone;  // the specifier, or what stands in the pattern
  Meaning of;        // what it is taken from
};

class Meanings {
 public:
  Meanings(const Syntax& syntax, const Scopes& scopes, std::string_view package)
      : syntax_(syntax),
        scopes_(scopes),
        package_(package),
        of_binding_(scopes.bindings().size()) {}

  /// Gives meaning to the bindings: what is imported, what that is assigned to, and so on,
  /// a few times over.
  void find();
  /// Of what a name is bound to: a number of Scopes::bindings().
  [[nodiscard]] const Meaning& of_binding(Index binding) const { return of_binding_[binding]; }
  /// Of an expression.
  [[nodiscard]] Meaning of(Index expression) const;
  /// Nodes that name the package: the strings in import, export … from, require(), import().
  [[nodiscard]] const std::vector<Index>& sources() const { return sources_; }
  [[nodiscard]] const std::vector<Asked>& asked() const { return asked_; }
  /// The word that a name or a string says.
  [[nodiscard]] std::string_view word_of(Index node) const;

 private:
  [[nodiscard]] bool names_package(Index string) const;
  [[nodiscard]] bool is_import(Index call) const;
  [[nodiscard]] Meaning of_call(Index call) const;
  void find_source(Index string);
  void find_clause(Index statement, Index source);
  void find_export(Index statement, Index source);
  bool spread();
  bool spread_pattern(Index pattern, const Meaning& from);
  bool spread_assignment(Index assignment);
  bool give(Index name, const Meaning& meaning);

  const Syntax& syntax_;
  const Scopes& scopes_;
  std::string_view package_;
  std::vector<Meaning> of_binding_;
  std::vector<Index> sources_;
  std::vector<Asked> asked_;
};

}  // namespace cg::syntax
