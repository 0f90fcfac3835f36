#include "model/canary/letter.h"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "base/base/text.h"

namespace cg::canary {
namespace {

struct LookAlike {
  char32_t rune;
  char latin;
};
constexpr LookAlike kLookAlikes[] = {
#define CG_LOOK_ALIKE(rune, latin) {rune, latin},
#include "model/canary/look_alikes.def"
#undef CG_LOOK_ALIKE
};
static_assert(std::is_sorted(std::begin(kLookAlikes), std::end(kLookAlikes),
                             [](auto& a, auto& b) { return a.rune < b.rune; }));

char look_alike(char32_t rune) {
  const auto* const at =
      std::lower_bound(std::begin(kLookAlikes), std::end(kLookAlikes), rune,
                       [](const LookAlike& entry, char32_t wanted) { return entry.rune < wanted; });
  return at != std::end(kLookAlikes) && at->rune == rune ? at->latin : '\0';
}

/// Letters on tiles and flags, which Unicode calls symbols.
char letter_on_tile(char32_t rune) {
  constexpr char32_t kFirst[] = {0x1F110, 0x1F130, 0x1F150, 0x1F170, 0x1F1E6};
  for (const char32_t first : kFirst) {
    if (rune >= first && rune < first + 26) return static_cast<char>('a' + (rune - first));
  }
  return '\0';
}

Folded of(char c) {
  Folded out;
  out.size = 1;
  out.bytes[0] = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// A look-alike of what is left of `rune`, or itself; false if there is no more room.
bool append(Folded& out, char32_t rune) {
  if (rune < 0x80) {
    if (out.size + 1U > out.bytes.size()) return false;
    out.bytes[out.size++] = of(static_cast<char>(rune)).bytes[0];
    return true;
  }
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(rune), bytes.data());
  if (size < 0 || out.size + static_cast<std::size_t>(size) > out.bytes.size()) return false;
  for (int i = 0; i < size; ++i)
    out.bytes[out.size++] = static_cast<char>(bytes[static_cast<std::size_t>(i)]);
  return true;
}

Folded itself(char32_t rune) {
  Folded out;
  static_cast<void>(append(out, rune));
  return out;
}

Folded compatible(char32_t rune) {
  constexpr int kOptions = UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD |
                           UTF8PROC_IGNORE | UTF8PROC_STRIPMARK;
  std::array<utf8proc_int32_t, 4> parts{};
  int boundary = 0;
  const auto count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(rune), parts.data(), parts.size(),
                              static_cast<utf8proc_option_t>(kOptions), &boundary);
  // Some ligatures become whole phrases: a text must not grow by being folded.
  if (count < 0 || static_cast<std::size_t>(count) > parts.size()) return itself(rune);
  Folded out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const auto part = static_cast<char32_t>(parts[i]);
    const char latin = look_alike(part);
    if (!append(out, latin != 0 ? static_cast<char32_t>(latin) : part)) return itself(rune);
  }
  return out;
}

Folded computed(char32_t rune) {
  if (const char latin = look_alike(rune)) return of(latin);
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(rune))) {
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return of('\n');
    case UTF8PROC_CATEGORY_ZS:
      return of(' ');
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
      return {};
    default:
      break;
  }
  if (rune == 0x2800 || rune == 0x3164 || rune == 0xFFA0) return of(' ');  // blank, but letters
  return compatible(rune);
}

/// Ideographs and Hangul syllables are themselves; private characters too.
bool is_itself(char32_t rune) {
  return (rune >= 0x3400 && rune < 0xA000) || (rune >= 0xAC00 && rune < 0xD7A4) ||
         (rune >= 0xE000 && rune < 0xF900);
}

/// Two parts of Unicode are tables: all before the ideographs, and the presentation forms, which
/// take longest to compute.
constexpr char32_t kTable = 0x3400;
constexpr char32_t kForms = 0xF900;
constexpr char32_t kFormsEnd = 0xFFFD;
std::vector<Folded> computed(char32_t begin, char32_t end) {
  std::vector<Folded> out;
  for (char32_t rune = begin; rune < end; ++rune) out.push_back(computed(rune));
  return out;
}
const std::vector<Folded>& table() {
  static const std::vector<Folded> folded = computed(0, kTable);
  return folded;
}
const std::vector<Folded>& forms_table() {
  static const std::vector<Folded> folded = computed(kForms, kFormsEnd);
  return folded;
}

}  // namespace

Rune first_rune(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = utf8_sequence(text);
  switch (size) {
    case 1:
      return {byte(0), 1};
    case 2:
      return {(byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU), 2};
    case 3:
      return {(byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 3};
    case 4:
      return {(byte(0) & 0x07U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U |
                  (byte(3) & 0x3FU),
              4};
    default:
      return {kBadByte, 1};
  }
}

Folded fold(char32_t rune) {
  if (rune < 0x80) return of(static_cast<char>(rune));
  if (rune < kTable) return table()[rune];
  if (rune >= kForms && rune < kFormsEnd) return forms_table()[rune - kForms];
  if (rune > 0x10FFFF || rune == kBadByte) return {};
  if (is_itself(rune)) return itself(rune);
  if (const char letter = letter_on_tile(rune)) return of(letter);
  return computed(rune);
}

}  // namespace cg::canary
