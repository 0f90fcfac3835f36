// Scopes: which declaration a name means at a place in a file.
//
// Lexical scoping with hoisting: var to the function, the rest to the block. `with`, eval and
// names that are put on the global object are not understood. Names of types and of values
// are one space: an interface of the same name hides an import. Who needs to know whether a
// name is there when the program runs asks Binding::erased.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "npm/syntax/syntax.h"

namespace cg::syntax {

struct Binding {
  Index name = kNone;   // the node that declares it
  bool erased = false;  // a type: nothing of it is left when the program runs
};

/// Functions, methods and what else has a scope and a `this` of its own, arrows too.
[[nodiscard]] bool is_function(Kind kind);

inline constexpr std::size_t kMaxScopeDepth = 200;

class Scopes {
 public:
  [[nodiscard]] static Result<Scopes, Error> of(const Syntax& syntax);

  /// The declaration that `name` means where `at` stands; kNone if it is none of this file.
  [[nodiscard]] Index resolve(Index at, std::string_view name) const;
  /// True if the node is where a name is declared.
  [[nodiscard]] bool is_declaration(Index node) const { return declares_[node]; }
  [[nodiscard]] const std::vector<Binding>& bindings() const { return bindings_; }

 private:
  friend class ScopeBuilder;
  struct Key {
    std::uint32_t scope;
    std::string_view name;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.name) * 31 + key.scope;
    }
  };
  std::vector<std::uint32_t> scope_of_;   // by node
  std::vector<std::uint32_t> parent_of_;  // by scope; the first is the file
  std::vector<bool> declares_;            // by node
  std::unordered_map<Key, Index, Hash> names_;
  std::vector<Binding> bindings_;
};

}  // namespace cg::syntax
