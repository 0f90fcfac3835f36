// Locals: what a file declares and imports, and how its expressions look, for who reads exports.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "npm/exports/api.h"
#include "npm/syntax/syntax.h"

namespace cg::exports {

struct Import {
  std::string original;  // "*" for all of it
  std::string from;
};

/// Where several say something of a name, as overloads do: any of them may be meant.
void merge(Export& known, const Export& more);

/// Of the parameters of a function, a method or an arrow.
[[nodiscard]] std::optional<Arity> arity_of(const syntax::Syntax& syntax, syntax::Index function);

class Locals {
 public:
  explicit Locals(const syntax::Syntax& syntax);

  /// What a string says, or the text of any other node.
  [[nodiscard]] std::string word(syntax::Index node) const;
  [[nodiscard]] syntax::Kind kind(syntax::Index node) const;
  /// At the top of the file, or of `declare module '…' { }`.
  [[nodiscard]] bool is_top(syntax::Index node) const;
  /// "Object.defineProperty" of a call; empty for other nodes.
  [[nodiscard]] std::string_view callee(syntax::Index call) const;
  /// The first two of a call; kNone for those that are not there.
  [[nodiscard]] std::pair<syntax::Index, syntax::Index> arguments_of(syntax::Index call) const;
  /// The './b' of require('./b').
  [[nodiscard]] std::optional<std::string> required(syntax::Index value) const;
  [[nodiscard]] Export of_value(syntax::Index value) const;
  [[nodiscard]] Export of_name(const std::string& name) const;
  [[nodiscard]] const Import* import(const std::string& name) const;
  /// `parse.sync = …` for "parse".
  [[nodiscard]] const std::vector<syntax::Index>& properties(const std::string& name) const;
  /// The object of __export(all, { a: () => a }) for "all", as one compiler writes it; or kNone.
  [[nodiscard]] syntax::Index getters(const std::string& name) const;

 private:
  void note(syntax::Index node);
  void note_import(syntax::Index statement);
  void note_variable(syntax::Index declarator);
  void note_property(syntax::Index assignment);
  void note_getters(syntax::Index call);
  [[nodiscard]] std::optional<Arity> constructor_of(syntax::Index type) const;

  const syntax::Syntax& syntax_;
  std::map<std::string, Export> declared_;
  std::map<std::string, Import> imports_;
  std::map<std::string, std::vector<syntax::Index>> properties_;
  std::map<std::string, syntax::Index> getters_;
};

}  // namespace cg::exports
