#include "npm/semver/desugar.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "npm/semver/identifiers.h"
#include "npm/semver/range_text.h"
#include "npm/semver/scan.h"

namespace cg::semver {
namespace {

bool is_x(std::string_view part) { return part.empty() || is_wildcard(part.front()); }

/// What JavaScript writes for the number after `digits`: from 1e21 on with an exponent,
/// which is not always refused: loose mode reads "1.2.1e+24" as 1.2.1-e with a build.
std::string after(std::string_view digits) {
  constexpr std::size_t kExact = 17;
  constexpr double kExponentFrom = 1e21;
  digits = without_zeros(digits);
  if (digits.size() > kExact) {
    const double value = to_double(digits) + 1;
    if (std::isinf(value)) return "Infinity";
    // Below that, any digits will do that are refused as too large.
    if (value < kExponentFrom) return std::string(kExact + 1, '9');
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    return {text.data(), end.ptr};
  }
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return std::to_string(value + 1);
}

void append_version(std::string& out, std::string_view major, std::string_view minor,
                    std::string_view patch) {
  out += major;
  out += '.';
  out += minor;
  out += '.';
  out += patch;
}

/// " <2.0.0-0": below the first prerelease of what comes next.
void below_next_major(const Parts& parts, std::string& out) {
  out += " <";
  append_version(out, after(parts.major), "0", "0-0");
}
void below_next_minor(const Parts& parts, std::string& out) {
  out += " <";
  append_version(out, parts.major, after(parts.minor), "0-0");
}
void below_next_patch(const Parts& parts, std::string& out) {
  out += " <";
  append_version(out, parts.major, parts.minor, after(parts.patch) + "-0");
}

/// ">=1.2.0": the least version that fits. Prereleases of it fit too if `options` say so.
void from_least(const Parts& parts, const Options& options, std::string& out) {
  out += ">=";
  const bool no_minor = is_x(parts.minor);
  const bool no_patch = no_minor || is_x(parts.patch);
  append_version(out, parts.major, no_minor ? "0" : parts.minor, no_patch ? "0" : parts.patch);
  if (no_patch) {
    if (options.include_prerelease) out += "-0";
  } else if (!parts.prerelease.empty()) {
    out += '-';
    out += parts.prerelease;
  }
}

void desugar_tilde(const Parts& parts, const Options& options, std::string& out) {
  if (is_x(parts.major)) return;
  from_least(parts, options, out);
  is_x(parts.minor) ? below_next_major(parts, out) : below_next_minor(parts, out);
}

void desugar_caret(const Parts& parts, const Options& options, std::string& out) {
  if (is_x(parts.major)) return;
  from_least(parts, options, out);
  // By spelling, as node does: a loose "00" is not "0".
  if (parts.major != "0" || is_x(parts.minor)) return below_next_major(parts, out);
  if (parts.minor != "0" || is_x(parts.patch)) return below_next_minor(parts, out);
  below_next_patch(parts, out);
}

/// `op` before an x-range: ">1.2.x" is ">=1.3.0", "<=1.x" is "<2.0.0-0".
void desugar_bound(std::string_view op, const Parts& parts, const Options& options,
                   std::string& out) {
  const bool no_minor = is_x(parts.minor);
  const bool next = op == ">" || op == "<=";
  const bool upper = op.starts_with('<');
  out += upper ? "<" : ">=";
  if (no_minor) {
    append_version(out, next ? after(parts.major) : std::string(parts.major), "0", "0");
  } else {
    append_version(out, parts.major, next ? after(parts.minor) : std::string(parts.minor), "0");
  }
  if (upper || options.include_prerelease) out += "-0";
}

std::string_view take_sign(std::string_view& text) {
  std::size_t length = text.starts_with('<') || text.starts_with('>') ? 1 : 0;
  if (text.substr(length).starts_with('=')) ++length;
  const std::string_view op = text.substr(0, length);
  text.remove_prefix(length);
  return op;
}

std::string_view skip_signs(std::string_view text) {
  while (!text.empty() && (text.front() == 'v' || text.front() == '=' || text.front() == ' ')) {
    text.remove_prefix(1);
  }
  return text;
}

bool is_out_of_order(const Parts& parts) {
  const bool no_minor = is_x(parts.minor);
  return (is_x(parts.major) && !no_minor) || (no_minor && !is_x(parts.patch));
}

/// False if `word` is no x-range, or a whole version and thus none.
bool desugar_x(std::string_view word, const Options& options, std::string& out) {
  const std::string_view op = take_sign(word);
  const auto parts = match_partial(skip_signs(word), options);
  if (!parts || is_out_of_order(*parts)) return false;
  if (is_x(parts->major)) {
    if (op == "<" || op == ">") out += "<0.0.0-0";
    return true;
  }
  if (!is_x(parts->minor) && !is_x(parts->patch)) return false;
  if (!op.empty() && op != "=") {
    desugar_bound(op, *parts, options, out);
    return true;
  }
  from_least(*parts, options, out);
  is_x(parts->minor) ? below_next_major(*parts, out) : below_next_minor(*parts, out);
  return true;
}

/// Node removes the first star of whatever is left, with the operator before it.
void append_without_star(std::string_view word, std::string& out) {
  const std::size_t star = word.find('*');
  if (star == std::string_view::npos) {
    out += word;
    return;
  }
  std::size_t from = star;
  if (from > 0 && word[from - 1] == '=') --from;
  if (from > 0 && (word[from - 1] == '<' || word[from - 1] == '>')) --from;
  out += word.substr(0, from);
  out += word.substr(star + 1);
}

/// Takes one side of a hyphen range off the front of `text`.
struct HyphenSide {
  std::string_view text;
  Parts parts;
};
std::optional<HyphenSide> take_side(std::string_view& text, const Options& options) {
  const std::string_view core = skip_signs(text);
  const std::string_view word = core.substr(0, core.find(' '));
  const auto parts = match_partial(word, options);
  if (!parts) return std::nullopt;
  const std::size_t length = text.size() - core.size() + word.size();
  HyphenSide side{text.substr(0, length), *parts};
  text.remove_prefix(length);
  return side;
}

void append_from(const HyphenSide& from, const Options& options, std::string& out) {
  const Parts& parts = from.parts;
  if (is_x(parts.major)) return;
  if (is_x(parts.minor) || is_x(parts.patch)) return from_least(parts, options, out);
  out += ">=";
  out += from.text;
  if (parts.prerelease.empty() && options.include_prerelease) out += "-0";
}

void append_to(const HyphenSide& to, const Options& options, std::string& out) {
  const Parts& parts = to.parts;
  if (is_x(parts.major)) return;
  if (is_x(parts.minor)) return below_next_major(parts, out);
  if (is_x(parts.patch)) return below_next_minor(parts, out);
  if (!parts.prerelease.empty()) {
    out += " <=";
    append_version(out, parts.major, parts.minor, parts.patch);
    out += '-';
    out += parts.prerelease;
  } else if (options.include_prerelease) {
    below_next_patch(parts, out);
  } else {
    out += " <=";
    out += to.text;
  }
}

}  // namespace

void desugar(std::string_view word, const Options& options, std::string& out) {
  if (word.starts_with('^')) {
    if (const auto parts = match_partial(skip_signs(word.substr(1)), options)) {
      return desugar_caret(*parts, options, out);
    }
  } else if (word.starts_with('~')) {
    const std::size_t sign = word.starts_with("~>") ? 2 : 1;
    if (const auto parts = match_partial(skip_signs(word.substr(sign)), options)) {
      return desugar_tilde(*parts, options, out);
    }
  } else if (desugar_x(word, options, out)) {
    return;
  }
  append_without_star(word, out);
}

bool desugar_hyphen(std::string_view text, const Options& options, std::string& out) {
  constexpr std::string_view kHyphen = " - ";
  if (text.starts_with(' ')) text.remove_prefix(1);
  const auto from = take_side(text, options);
  if (!from || !text.starts_with(kHyphen)) return false;
  text.remove_prefix(kHyphen.size());
  const auto to = take_side(text, options);
  if (!to || !(text.empty() || text == " ")) return false;
  out.clear();
  append_from(*from, options, out);
  append_to(*to, options, out);
  if (out.starts_with(' ')) out.erase(0, 1);
  out = strip_builds(out);  // of "1e+24", if a number was that large
  return true;
}

}  // namespace cg::semver
