// Spell: a piece of a file written with holes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "learn/carry/tokens.h"

namespace cg::carry {

/// Any other expression could stand in the place of this one.
[[nodiscard]] bool is_slot(const Source& source, Index node);
[[nodiscard]] bool is_lambda(Kind kind);
/// An expression with a value that says nothing of what it is: a name, a member, a call …
[[nodiscard]] bool is_opaque(Kind kind);
/// It does something when it is reached, and not only gives a value: a call, an assignment …
[[nodiscard]] bool is_act(const Source& source, Index node);
/// The name or what else stands at the bottom of an expression: `a` of `await a.b(c)`, `a.b = c`.
[[nodiscard]] Index bottom_of(const Source& source, Index expression);
/// The export of the package that a name stands for, as Hole::member spells it.
[[nodiscard]] std::string member_of(const Meaning& meaning);

/// How nodes are spelled that are written as one.
using Spellings = std::map<Index, std::string>;

/// `pair` and its like, spelled with a hole: "key: $1", "name as $1".
[[nodiscard]] std::string with_key(const Source& source, Index node, const std::string& hole);
[[nodiscard]] bool is_plain_key(const Source& source, Index pair);

/// Without comments; lines begin where the first one does.
[[nodiscard]] std::string spelled(const Source& source, const Span& span,
                                  const std::vector<Token>& tokens, const Spellings& spellings);
/// Its tokens as they are compared.
[[nodiscard]] std::vector<std::string> words_of(const Source& source,
                                                const std::vector<Token>& tokens,
                                                const Spellings& spellings);

}  // namespace cg::carry
