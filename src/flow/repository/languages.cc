#include "flow/repository/languages.h"

#include <algorithm>

namespace cg::repository {

namespace {

struct Ending {
  std::string_view ending;
  std::string_view language;
};
constexpr Ending kEndings[] = {
    {".js", "JavaScript"},
    {".cjs", "JavaScript"},
    {".mjs", "JavaScript"},
    {".jsx", "JavaScript"},
    {".ts", "TypeScript"},
    {".cts", "TypeScript"},
    {".mts", "TypeScript"},
    {".tsx", "TypeScript"},
    {".vue", "Vue"},
    {".svelte", "Svelte"},
    {".coffee", "CoffeeScript"},
    {".html", "HTML"},
    {".htm", "HTML"},
    {".pug", "HTML"},
    {".ejs", "HTML"},
    {".hbs", "HTML"},
    {".css", "CSS"},
    {".scss", "CSS"},
    {".sass", "CSS"},
    {".less", "CSS"},
    {".json", "JSON"},
    {".yaml", "YAML"},
    {".yml", "YAML"},
    {".md", "Markdown"},
    {".mdx", "Markdown"},
    {".sh", "Shell"},
    {".bash", "Shell"},
    {".py", "Python"},
    {".rb", "Ruby"},
    {".php", "PHP"},
    {".go", "Go"},
    {".rs", "Rust"},
    {".java", "Java"},
    {".kt", "Kotlin"},
    {".swift", "Swift"},
    {".cs", "C#"},
    {".c", "C and C++"},
    {".h", "C and C++"},
    {".cc", "C and C++"},
    {".cpp", "C and C++"},
    {".hpp", "C and C++"},
    {".sql", "SQL"},
    {".graphql", "GraphQL"},
};

}  // namespace

std::string_view language_of(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view ending = file_name.substr(dot);
  const auto* found = std::find_if(std::begin(kEndings), std::end(kEndings),
                                   [&](const Ending& each) { return each.ending == ending; });
  return found == std::end(kEndings) ? std::string_view() : found->language;
}

void LanguageCount::add(const os::Dir& folder, const std::string& name) {
  const std::string_view language = language_of(name);
  if (language.empty()) return;
  auto share = std::find_if(shares_.begin(), shares_.end(),
                            [&](const LanguageShare& each) { return each.language == language; });
  if (share == shares_.end()) share = shares_.insert(share, {language, 0, 0});
  ++share->files;
  if (measured_ == kMaxMeasured) return;
  ++measured_;
  if (const auto info = folder.stat(name)) share->bytes += info->size;
}

std::vector<LanguageShare> LanguageCount::shares() const {
  std::vector<LanguageShare> out = shares_;
  std::sort(out.begin(), out.end(), [](const LanguageShare& a, const LanguageShare& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.language < b.language;
  });
  return out;
}

}  // namespace cg::repository
