// Style: whether and how output is coloured, which glyphs it uses, how columns
// are laid out. Decisions are pure functions of what the caller found out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/defuse.h"
#include "flow/cli/command.h"

namespace cg::cli {

enum class ColorChoice { automatic, always, never };
/// "auto", "always", "never".
[[nodiscard]] std::optional<ColorChoice> parse_color_choice(std::string_view text);

enum class Terminal { no, yes };
enum class Color { off, on };
enum class Charset { ascii, utf8 };

/// Variables are empty when they are not set.
struct ColorInputs {
  std::optional<ColorChoice> flag;
  std::optional<ColorChoice> config;
  std::string_view no_color;
  std::string_view force_color;
  std::string_view clicolor_force;
  std::string_view term;
  Terminal terminal = Terminal::no;
};

/// The first that speaks decides: the flag, the setting, NO_COLOR (off if not
/// empty), FORCE_COLOR or CLICOLOR_FORCE (on unless empty or 0), then on only for
/// a terminal whose TERM is set and not `dumb`.
[[nodiscard]] Color decide_color(const ColorInputs& inputs);

/// What the first non-empty of the three variables says, in the order of setlocale().
[[nodiscard]] Charset decide_charset(std::string_view lc_all, std::string_view lc_ctype,
                                     std::string_view lang);

enum class Role { plain, heading, error, warning, good, code, faint };
enum class Glyph { ok, fail, warn, none };

class Style {
 public:
  /// No colour, ASCII.
  Style() = default;
  Style(Color color, Charset charset) : color_(color), charset_(charset) {}
  /// For a step of GitHub's, whose runner reads along; see foreign(). The token is random.
  [[nodiscard]] Style with_stop_token(std::string token) const;

  /// `text` in the colours of `role`; unchanged without colour. The caller makes
  /// foreign text printable() first.
  [[nodiscard]] std::string paint(Role role, std::string_view text) const;
  /// ✓ ✗ ! – or ok FAIL warn -
  [[nodiscard]] std::string_view glyph(Glyph glyph) const;
  /// … or ...
  [[nodiscard]] std::string_view ellipsis() const;
  /// Our own words for this charset: dashes, dots and the like become ASCII where
  /// the terminal may not show them. Not for foreign text.
  [[nodiscard]] std::string words(std::string_view text) const;
  /// Whole lines that others wrote, such as what a test printed. Where a runner reads along it
  /// is told not to obey anything until they are over; harmless they are by outgoing() alone.
  [[nodiscard]] std::string foreign(std::string lines) const;
  /// What in a text of this style is ours.
  [[nodiscard]] Ours ours() const { return {color_ == Color::on, false, stop_token_}; }

 private:
  Color color_ = Color::off;
  Charset charset_ = Charset::ascii;
  std::string stop_token_;
};

/// The last thing that happens to a text before it leaves the program: `text`, a result in this
/// format or a message, without power over a terminal or a CI runner (base/base/defuse.h), whoever
/// had a hand in it. What style and format bring along stays: colours, the commands that GitHub's
/// annotations are. JSON stays the same values.
[[nodiscard]] std::string outgoing(std::string_view text, Format format, const Style& style);

/// Code points in well-formed UTF-8. Wide characters count as one for now.
[[nodiscard]] std::size_t width(std::string_view text);

/// `text` cut to `max` code points, the last of them the ellipsis.
[[nodiscard]] std::string cut(std::string_view text, std::size_t max, const Style& style);

/// As wide as help is.
inline constexpr std::size_t kColumns = 80;

/// `text` in lines of at most `columns`, broken at spaces, each after `indent`
/// spaces and ended by a newline. A longer word gets a line of its own.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

enum class Align { left, right };

struct Column {
  std::string_view title = {};  // if all are empty there is no title line
  Align align = Align::left;
  std::size_t max_width = 0;  // 0: as wide as its widest cell
};

struct Cell {
  std::string text;  // made printable by layout()
  Role role = Role::plain;
};

/// Rows as lines after `indent` spaces, two spaces between columns, no spaces at
/// line ends. A row may be shorter than the columns, not longer.
[[nodiscard]] std::string layout(const std::vector<Column>& columns,
                                 const std::vector<std::vector<Cell>>& rows, const Style& style,
                                 std::size_t indent = 0);

/// Pairs of a short and a longer text in two columns, the second one wrapped.
using Entries = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string two_columns(const Entries& entries, const Style& style);

}  // namespace cg::cli
