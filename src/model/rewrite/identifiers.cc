#include "model/rewrite/identifiers.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/base/text.h"
#include "model/canary/letter.h"

namespace cg::rewrite {

namespace {

struct Script {
  char32_t first;
  char32_t last;
  int number;
};

constexpr int kLatin = 1;
/// Scripts whose letters look like those of another, and those that are written together. Other
/// characters count by blocks of 128.
constexpr Script kScripts[] = {
    {0x0041, 0x024F, kLatin}, {0x1E00, 0x1EFF, kLatin},                         // Latin
    {0x0370, 0x03FF, 2},      {0x1F00, 0x1FFF, 2},                              // Greek
    {0x0400, 0x052F, 3},      {0x1C80, 0x1C8F, 3},                              // Cyrillic
    {0x2DE0, 0x2DFF, 3},      {0xA640, 0xA69F, 3},                              //
    {0x0530, 0x058F, 4},      {0x0590, 0x05FF, 5},                              // Armenian, Hebrew
    {0x0600, 0x06FF, 6},      {0x0750, 0x077F, 6},                              // Arabic
    {0x10A0, 0x10FF, 7},      {0x1C90, 0x1CBF, 7},      {0x2D00, 0x2D2F, 7},    // Georgian
    {0x1100, 0x11FF, 8},      {0xAC00, 0xD7AF, 8},                              // Hangul
    {0x13A0, 0x13FF, 9},      {0xAB70, 0xABBF, 9},                              // Cherokee
    {0x3005, 0x30FF, 10},     {0x3400, 0x9FFF, 10},     {0x20000, 0x3FFFF, 10}  // Han and kana
};

int script_of(char32_t rune) {
  const auto* found = std::find_if(std::begin(kScripts), std::end(kScripts), [&](const Script& s) {
    return rune >= s.first && rune <= s.last;
  });
  if (found != std::end(kScripts)) return found->number;
  return 1000 + static_cast<int>(rune >> 7U);
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

template <class Each>
void for_each_rune(std::string_view text, const Each& each) {
  while (!text.empty()) {
    const canary::Rune rune = canary::first_rune(text);
    each(rune.value);
    text.remove_prefix(rune.size);
  }
}

bool mixes_scripts(std::string_view name) {
  std::set<int> scripts;
  for_each_rune(name, [&](char32_t rune) {
    const bool letter = (rune >= 'a' && rune <= 'z') || (rune >= 'A' && rune <= 'Z') || rune > 0x7F;
    if (letter) scripts.insert(script_of(rune));
  });
  return scripts.size() > 1;
}

/// The same for names of ASCII that many fonts show alike: I l 1, O 0, rn m, vv w.
std::string look_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const char seen = c == 'I' || c == '1' ? 'l' : c == '0' ? 'O' : c;
    if (seen == 'n' && out.ends_with('r')) {
      out.back() = 'm';
    } else if (seen == 'v' && out.ends_with('v')) {
      out.back() = 'w';
    } else {
      out += seen;
    }
  }
  return out;
}

/// The same for names that look alike once letters of all scripts are taken for Latin ones.
std::string folded_look(std::string_view name) {
  std::string out;
  for_each_rune(name, [&](char32_t rune) {
    if (rune < 0x80) {
      out += static_cast<char>(rune);
    } else {
      out += canary::fold(rune).text();
    }
  });
  return lower_ascii(look_of(out));
}

bool is_name(Kind kind) {
  switch (kind) {
    case Kind::identifier:
    case Kind::property_identifier:
    case Kind::private_property_identifier:
    case Kind::shorthand_property_identifier:
    case Kind::shorthand_property_identifier_pattern:
    case Kind::statement_identifier:
    case Kind::type_identifier:
      return true;
    default:
      return false;
  }
}

/// The looks of a file's names, and who has them.
class Looks {
 public:
  void add(const std::string& name) {
    by_look_.emplace(look_of(name), name);
    by_folded_.emplace(folded_look(name), name);
  }
  /// Some other name looks like this one.
  [[nodiscard]] bool has_twin(const std::string& name) const {
    if (has_other(by_look_, look_of(name), name, Compare::all)) return true;
    // Case is folded here, which ASCII names may differ by.
    const Compare which = is_ascii(name) ? Compare::foreign : Compare::all;
    return has_other(by_folded_, folded_look(name), name, which);
  }

 private:
  enum class Compare { all, foreign };
  using Names = std::multimap<std::string, std::string>;
  static bool has_other(const Names& names, const std::string& look, const std::string& name,
                        Compare which) {
    const auto [first, last] = names.equal_range(look);
    return std::any_of(first, last, [&](const auto& entry) {
      return entry.second != name && (which == Compare::all || !is_ascii(entry.second));
    });
  }
  Names by_look_;
  Names by_folded_;
};

}  // namespace

Identifiers identifiers_of(const File& file) {
  Identifiers out;
  for (Index i = 1; i < file.syntax.nodes().size(); ++i) {
    if (!is_name(file.kind(i))) continue;
    out.try_emplace(std::string(file.syntax.text_of(i)), file.syntax.at(i).begin);
  }
  return out;
}

std::optional<std::uint32_t> find_disguised(const Identifiers& before, const Identifiers& after) {
  std::set<char32_t> letters;
  Looks looks;
  for (const auto& [name, at] : before) {
    looks.add(name);
    for_each_rune(name, [&](char32_t rune) { letters.insert(rune); });
  }
  for (const auto& [name, at] : after) {
    if (before.contains(name)) continue;
    bool strange = name.find('\\') != std::string::npos;
    for_each_rune(name, [&](char32_t rune) {
      strange = strange || (rune > 0x7F && !letters.contains(rune));
    });
    if (strange || mixes_scripts(name) || looks.has_twin(name)) return at;
    looks.add(name);
  }
  return std::nullopt;
}

}  // namespace cg::rewrite
