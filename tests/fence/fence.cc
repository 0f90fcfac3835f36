#include "fence.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "support/support.h"

namespace cg::fence {

namespace fs = std::filesystem;

std::vector<Module> parse_modules(std::string_view text) {
  std::vector<Module> found;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    const std::size_t slash = words[0].find('/');
    if (words.size() < 3 || slash == std::string::npos ||
        (words[1] != "pure" && words[1] != "shell")) {
      throw std::runtime_error("modules.txt: " + line);
    }
    found.push_back({words[0].substr(0, slash),
                     words[0].substr(slash + 1),
                     words[1] == "pure",
                     words[2],
                     {words.begin() + 3, words.end()}});
  }
  return found;
}

std::vector<Module> modules() { return parse_modules(test::read(CG_MODULES_FILE)); }

const Module* find(const std::vector<Module>& modules, std::string_view name) {
  const auto it =
      std::find_if(modules.begin(), modules.end(), [&](const Module& m) { return m.name == name; });
  return it == modules.end() ? nullptr : &*it;
}

fs::path source_dir() { return CG_SOURCE_DIR; }

std::vector<Source> files_in(const std::string& folder) {
  std::vector<Source> found;
  if (!fs::exists(source_dir() / folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
    if (!entry.is_regular_file()) continue;
    found.push_back({fs::relative(entry.path(), source_dir()), test::read(entry.path())});
  }
  std::sort(found.begin(), found.end(),
            [](const Source& a, const Source& b) { return a.path < b.path; });
  return found;
}

std::vector<Source> cpp_files_in(const std::vector<std::string>& folders) {
  std::vector<Source> found;
  for (const std::string& folder : folders) {
    for (Source& source : files_in(folder)) {
      if (is_cpp(source.path)) found.push_back(std::move(source));
    }
  }
  return found;
}

bool is_cpp(std::string_view path) { return path.ends_with(".h") || path.ends_with(".cc"); }
bool is_test(std::string_view path) {
  return path.ends_with("_test.cc") || path.ends_with("_test.h");
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string at(const Source& source, std::size_t line) {
  return source.path + ":" + std::to_string(line) + ": ";
}

std::vector<std::string> list_file(const std::string& name) {
  std::vector<std::string> kept;
  for (const std::string& line : lines_of(test::read(source_dir() / "tests/fence" / name))) {
    if (!line.empty() && !line.starts_with('#')) kept.push_back(line);
  }
  return kept;
}

bool fits(std::string_view text, std::string_view pattern) {
  if (!pattern.ends_with('*')) return text == pattern;
  pattern.remove_suffix(1);
  return text.starts_with(pattern);
}

std::string joined(const Complaints& complaints) {
  std::string text;
  for (const std::string& complaint : complaints) text += complaint + "\n";
  return text;
}

std::string output_of(const std::vector<std::string>& argv) {
  const test::Ran ran = test::run(argv);
  if (ran.exit == 0) return ran.out;
  throw std::runtime_error(argv[0] + " failed: " + ran.err);
}

std::optional<std::string> with_generated(const std::string& document,
                                          const std::string& generated) {
  const std::size_t marker = document.find("<!-- Generated from here on: CG_ACCEPT=1");
  const std::size_t line_end = document.find('\n', marker);
  if (marker == std::string::npos || line_end == std::string::npos) return std::nullopt;
  return document.substr(0, line_end + 1) + "\n" + generated;
}

Complaints check_document(const std::string& path, const std::string& generated) {
  const fs::path file = source_dir() / path;
  const std::string committed = fs::exists(file) ? test::read(file) : "";
  const std::optional<std::string> expected = with_generated(committed, generated);
  if (!expected) return {path + ": no line that marks the generated part"};
  if (committed == *expected) return {};
  const char* accept = std::getenv("CG_ACCEPT");
  if (accept == nullptr || std::string_view(accept) != "1") {
    return {path + ": not what the code says; CG_ACCEPT=1 rewrites it"};
  }
  test::write(file, *expected);
  return {path + ": rewritten, run again"};
}

}  // namespace cg::fence
