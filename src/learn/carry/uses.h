// Uses: where a file uses the package, and what for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learn/carry/source.h"

namespace cg::carry {

/// A name of the package, or of what a use gave, or require() where it gets no name; and all that
/// is done to it: members, calls, new, await.
struct Use {
  Index root = kNone;
  Index chain = kNone;
};

struct Uses {
  std::vector<Use> all;        // in the order of the text
  std::vector<Index> imports;  // statements that name the package, in that order
};

/// Refused where a use could be one that is not seen: the package is named or taken apart in a way
/// that nobody follows, one of its names is given another value, the file has `with` or eval.
[[nodiscard]] Result<Uses, Refusal> uses_of(const Source& source, std::string_view package);

/// What the value of an expression is for: "return", "argument", "apart offer" … If it gets to the
/// package by that, also to what of it: "member in argument 1 of x *.open". Empty if nobody here
/// can tell; kUnclear if it is taken apart in a way that nobody follows.
inline constexpr std::string_view kUnclear = "apart ?";
[[nodiscard]] std::string place_of(const Source& source, Index expression);

/// The keys of the object that a name is declared to be, sorted. Nothing if it is not.
[[nodiscard]] std::optional<std::vector<std::string>> keys_behind(const Source& source, Index name);

/// What a function takes of its parameters, see Hole.
struct Taking {
  std::size_t parameters = 0;
  std::vector<std::string> keys;
};
[[nodiscard]] Taking taking_of(const Source& source, Index function);

/// Which of `spans` is what a name is declared to be, or else the innermost that has it in it;
/// kNobody if none does.
inline constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
[[nodiscard]] std::size_t maker_of(const Source& source, Index binding,
                                   const std::vector<Span>& spans);

}  // namespace cg::carry
