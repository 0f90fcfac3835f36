#include "npm/exports/loaded.h"

#include <vector>

#include "npm/exports/entries.h"
#include "npm/syntax/syntax.h"

namespace cg::exports {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

/// Paths that a file imports: './b' of require('./b'), import './b', export … from './b'.
std::vector<std::string> imports_of(const Syntax& syntax) {
  std::vector<std::string> out;
  for (Index i = 1; i < syntax.nodes().size(); ++i) {
    const auto text = syntax.constant(i);
    if (!text || !text->starts_with('.')) continue;
    const bool is_source = syntax.at(i).field == Field::source;
    const Index call =
        syntax.parent_kind(i) == Kind::arguments ? syntax.at(syntax.at(i).parent).parent : kNone;
    const Index callee = call == kNone ? kNone : syntax.child(call, Field::function);
    const bool is_called = callee != kNone && (syntax.text_of(callee) == "require" ||
                                               syntax.at(callee).kind == Kind::import);
    if (is_source || is_called) out.push_back(*text);
  }
  return out;
}

}  // namespace

std::set<std::string> loaded_files(const json::Value& manifest, const Files& files,
                                   const Limits& limits) {
  std::set<std::string> seen;
  std::vector<std::string> open;
  const auto add = [&](const std::string& file) {
    if (!is_declaration(file) && seen.size() < limits.modules && seen.insert(file).second) {
      open.push_back(file);
    }
  };
  for (const Entry& entry : find_entries(manifest, files)) {
    if (entry.conditions != std::vector<std::string>{"path"}) add(entry.file);
  }
  std::size_t parsed = 0;
  while (!open.empty()) {
    const std::string file = std::move(open.back());
    open.pop_back();
    const auto text = files.find(file);
    const auto language = syntax::language_of(file);
    if (text == files.end() || !language) continue;
    parsed += text->second.size();
    if (parsed > limits.parsed) break;
    const auto syntax = Syntax::parse(text->second, *language);
    if (!syntax) continue;
    for (const std::string& path : imports_of(*syntax)) {
      const auto target = beside(file, path);
      const auto found = target ? find_file(files, *target) : std::nullopt;
      if (found) add(*found);
    }
  }
  return seen;
}

}  // namespace cg::exports
