// Unit: what is shown together or not at all, and how much it matters.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "npm/notes/document.h"
#include "npm/notes/names.h"
#include "npm/notes/piece.h"
#include "npm/notes/role.h"
#include "npm/notes/versions.h"
#include "npm/notes/words.h"

namespace cg::notes {

/// The most important first; "named" is what mentions a name that is used.
enum class Weight : std::uint8_t {
  named_breaking,
  named_guide,
  breaking,
  guide,
  named_hint,
  hint,
  named_example,
  named_option,  // what explains a name
  named,
  example,
  described,  // stands below a heading with a name
  major,      // of the first release of a major version
  named_prose,
  rest,
  aside,  // of the README: how it is installed, other functions
  noise,
};

inline constexpr std::uint32_t kNoBlock = std::numeric_limits<std::uint32_t>::max();

/// Blocks that are shown together or not at all.
struct Unit {
  Weight weight = Weight::rest;
  Piece::Kind kind = Piece::Kind::section;
  std::size_t source = 0;
  std::uint32_t first = 0;  // blocks
  std::uint32_t last = 0;   // one behind
  /// Headings and lines before a list, which are shown above it: from the outermost to the
  /// innermost, kNoBlock where there is none.
  std::array<std::uint32_t, 3> under = {kNoBlock, kNoBlock, kNoBlock};
  NameBits names = 0;
  std::string text;  // without newline at its end
};

struct Source {
  std::string path;
  Role role = Role::readme;
  Document document;
};

/// Lines of a block as they are shown: at most `most` bytes, whole lines, then "…".
[[nodiscard]] std::string text_of(const Document& document, const Block& block, std::size_t most);

inline constexpr std::size_t kMaxUnit = 3072;   // bytes of a block that is shown
inline constexpr std::size_t kMaxOther = 1024;  // likewise, if it mentions no name and is no code
inline constexpr std::size_t kMaxHeading = 240;
inline constexpr std::size_t kMaxLead = 160;  // of a line that introduces a list

/// The blocks of one source, and the units that they make.
class Reader {
 public:
  Reader(const Source& source, std::size_t index) : source_(source), index_(index) {}

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(blocks().size()); }
  [[nodiscard]] const Block& block(std::uint32_t i) const { return blocks()[i]; }
  [[nodiscard]] std::string_view path() const { return source_.path; }
  /// Of a heading; of a long one its beginning.
  [[nodiscard]] std::string_view title(std::uint32_t i) const;
  [[nodiscard]] std::string text(std::uint32_t i, std::size_t most) const {
    return text_of(source_.document, block(i), most);
  }

  /// A short paragraph that a list or a table belongs to, or the header of a table.
  [[nodiscard]] bool is_lead(std::uint32_t i) const;
  /// Behind what is shown together with block `i`: a paragraph and its example.
  [[nodiscard]] std::uint32_t unit_end(std::uint32_t i) const;
  /// With the names that it mentions, or that `above` says. Nothing if there is nothing to read.
  [[nodiscard]] std::optional<Unit> unit(std::uint32_t first, std::uint32_t last,
                                         const Names& names, NameBits above) const;

 private:
  [[nodiscard]] const std::vector<Block>& blocks() const { return source_.document.blocks(); }

  const Source& source_;
  std::size_t index_;
};

/// Of a heading and of what stands below it. What is said below counts more, but for what breaks.
[[nodiscard]] Tone both(Tone above, Tone below);
[[nodiscard]] Weight weight_of(Tone tone, bool is_named, Step step);

}  // namespace cg::notes
