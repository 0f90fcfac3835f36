#include <algorithm>
#include <set>
#include <utility>

#include "base/base/text.h"
#include "fix/report/document.h"
#include "fix/report/report.h"

namespace cg::report {

Span ours(std::string text) { return {Span::Kind::ours, std::move(text)}; }
Span strong(std::string text) { return {Span::Kind::strong, std::move(text)}; }
Span words(std::string_view text) { return {Span::Kind::words, std::string(text)}; }
Span code(std::string_view text) { return {Span::Kind::code, std::string(text)}; }
Span quote(std::string_view text) { return {Span::Kind::quote, std::string(text)}; }

Line codes(const std::vector<std::string>& texts, std::size_t most) {
  Line out;
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) {
    if (i > 0) out.push_back(ours(", "));
    out.push_back(code(texts[i]));
  }
  if (texts.size() > most) out.push_back(ours(" and " + grouped(texts.size() - most) + " more"));
  return out;
}

Line& operator+=(Line& line, const Line& more) {
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

std::string spoken(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::vector<std::string> recipes(const Case& c) {
  std::vector<std::string> out;
  for (const Fix& fix : c.fixes) {
    if (!fix.recipe.empty()) add_once(out, fix.recipe);
  }
  return out;
}

std::vector<const Copy*> fixed_copies(const Case& c) {
  std::vector<const Copy*> out;
  for (const Copy& copy : c.copies) {
    if (copy.fate == plan::Fate::fixed) out.push_back(&copy);
  }
  return out;
}

std::vector<const Copy*> open_copies(const Case& c) {
  std::vector<const Copy*> out;
  for (const Copy& copy : c.copies) {
    if (copy.fate != plan::Fate::fixed) out.push_back(&copy);
  }
  return out;
}

std::string counted_copies(const std::vector<const Copy*>& copies) {
  std::set<std::pair<std::string_view, std::string_view>> places;
  for (const Copy* copy : copies) places.emplace(copy->lockfile, copy->location);
  std::string out = counted(places.size(), "copy", "copies");
  if (places.size() != copies.size()) {
    out += " (" + counted(copies.size(), "finding", "findings") + ")";
  }
  return out;
}

std::string label(const Case& c, std::string_view advisory) {
  for (const Advisory& a : c.advisories) {
    if (a.id != advisory || a.id.starts_with("CVE-")) continue;
    for (const std::string& alias : a.aliases) {
      if (alias.starts_with("CVE-")) return alias;
    }
  }
  return std::string(advisory);
}

namespace {

constexpr std::string_view kAlnum =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

std::string word(std::string_view text, std::string_view first, std::string_view others,
                 std::size_t max) {
  if (text.empty() || text.size() > max) return "";
  const auto allowed = [&](char c, std::string_view extra) {
    return kAlnum.find(c) != std::string_view::npos || extra.find(c) != std::string_view::npos;
  };
  if (!allowed(text.front(), first)) return "";
  for (const char c : text) {
    if (!allowed(c, others)) return "";
  }
  return std::string(text);
}

}  // namespace

std::string package_word(std::string_view text) { return word(text, "@_", "@/._-", 214); }
std::string version_word(std::string_view text) { return word(text, "", ".+-", 100); }
std::string path_word(std::string_view text) { return word(text, "/._", "/._-@+", 1000); }

}  // namespace cg::report
