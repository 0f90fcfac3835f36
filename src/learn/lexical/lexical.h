// Lexical: texts as vectors by their words alone, for who has no model.
//
// Every feature of a text (features.h) has a place and a sign by its hash and adds what it weighs
// there; two texts are near if they share what is rare in both. The fields of an example are made
// one long each, weighted, and added: a long difference does not drown what the advisory says.
//
// Whole numbers all the way; only the last step divides, so vectors are the same on every machine,
// and of any bytes. What is measured and why these rules:
// doc/adr/0059-finding-what-is-alike.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "learn/example/example.h"
#include "learn/lexical/features.h"

namespace cg::lexical {

/// Other rules, another id.
inline constexpr std::string_view kId = "codegenie-lexical-1";
inline constexpr std::size_t kDims = 512;

/// How much each field of an example counts beside the others.
struct Rules {
  Kinds kinds{};
  std::int32_t summary = 1;
  std::int32_t difference = 4;
  std::int32_t usage = 1;
  std::size_t dims = kDims;
};

/// Of length one; zeros if nothing in it counts. Other rules than those of kId are for measuring.
[[nodiscard]] std::vector<float> embed(const example::Aspects& aspects, const Rules& rules = {});

}  // namespace cg::lexical
