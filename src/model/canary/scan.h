// The canary: whether a text tries to give orders to whoever reads it.
//
// The text is looked at as it is and in normal forms (model/canary/forms.h): folded, with
// look-alike letters mapped, invisible characters taken out, markup and escapes undone,
// and with runs of base64, hex and rot13 decoded. What is found in a form is told as the
// span of the text as given that it came from. Patterns are data (model/canary/patterns.def) with
// stable ids; the list can never be complete, and what is not found is fenced all the same.
//
// Cost is linear in the text, whatever is in it, and memory is bounded by a multiple of it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/domain/source_kind.h"
#include "model/canary/span.h"

namespace cg::canary {

struct Hit {
  std::string_view pattern;  // "override-previous-1": its id, for ever
  std::string_view family;   // "instruction_override"
  std::string_view form;     // where it was seen: "folded", "undone", "leet", "rot13", "reversed",
                             // "squeezed", "base64", "base32", "hex", "codes"
  Span span;
};

struct Scan {
  std::vector<Hit> hits;  // by begin, then pattern; at most kMaxHits
  bool more = false;      // there were more hits than that
  bool gave_up = false;   // a decoding budget ran out: some decoded form was not looked at whole
  [[nodiscard]] bool collided() const { return !hits.empty(); }
};
inline constexpr std::size_t kMaxHits = 64;

/// All of `text`; nothing in it is believed, UTF-8 or not. Which patterns apply depends on
/// `kind`: a tool's log and an advisory use other words in good faith.
[[nodiscard]] Scan scan(std::string_view text, SourceKind kind);

/// The spans of the hits with the sentence or line that they stand in, merged and in order:
/// what a reader should not see. Where there were more hits, all from the last one told on.
[[nodiscard]] std::vector<Span> redactions(std::string_view text, const Scan& scan);

}  // namespace cg::canary
