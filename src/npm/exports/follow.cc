#include "npm/exports/follow.h"

#include "base/json/json.h"
#include "npm/exports/entries.h"
#include "npm/exports/names.h"
#include "npm/syntax/language.h"
#include "npm/syntax/syntax.h"

namespace cg::exports {

namespace {

constexpr int kMaxFollowed = 32;  // files that hand on to each other

Module unknown() {
  Module out;
  out.complete = false;
  return out;
}

void add_all(Module& module, const Module* from) {
  if (from == nullptr || !from->complete) module.complete = false;
  if (from == nullptr) return;
  for (const auto& [name, what] : from->names) {
    if (name != "default") module.names.try_emplace(name, what);
  }
}

}  // namespace

bool Types::is_modular(const std::string& file) {
  std::string folder = file;
  do {
    folder.resize(folder.find('/') == std::string::npos ? 0 : folder.rfind('/'));
    const auto known = files_.find(folder + (folder.empty() ? "" : "/") + "package.json");
    if (known == files_.end()) continue;
    const auto [at, is_new] = modular_.try_emplace(folder);
    if (is_new) {
      const auto value = json::parse_json(known->second);
      at->second = value && value->text("type") == "module";
    }
    return at->second;
  } while (!folder.empty());
  return false;
}

/// The ending says, then the nearest manifest; who has neither is what it has in it.
void Follower::set_style(Module& module, const std::string& file) {
  if (module.style == Style::declarations) return;
  if (file.ends_with(".cjs")) module.style = Style::commonjs;
  const bool modular = file.ends_with(".js") && types_.is_modular(file);
  if (file.ends_with(".mjs") || modular) module.style = Style::esm;
}

const Module& Follower::read(const std::string& file) { return module_of(file, 0); }

const Module& Follower::module_of(const std::string& file, int depth) {
  const auto known = done_.find(file);
  if (known != done_.end()) return known->second;
  open_.insert(file);
  Module module = read_one(file, depth);
  open_.erase(file);
  set_style(module, file);
  return done_.emplace(file, std::move(module)).first->second;
}

/// Nothing if it is another package's, is not there, or leads back to where we come from.
const Module* Follower::module_from(const std::string& file, const std::string& from, int depth) {
  if (!from.starts_with('.')) return nullptr;
  const auto path = beside(file, from);
  if (!path) return nullptr;
  const auto found = is_declaration(file) ? find_types(files_, *path) : find_file(files_, *path);
  if (!found || open_.contains(*found)) return nullptr;
  return &module_of(*found, depth + 1);
}

Module Follower::read_one(const std::string& file, int depth) {
  const auto language = syntax::language_of(file);
  const auto text = files_.find(file);
  if (!language || text == files_.end() || depth > kMaxFollowed) return unknown();
  if (done_.size() + open_.size() > limits_.modules) return unknown();
  if (text->second.size() > limits_.parsed - parsed_) return unknown();
  parsed_ += text->second.size();
  const auto parsed = syntax::Syntax::parse(text->second, *language);
  if (!parsed) return unknown();
  FileNames found = names_in(*parsed, is_declaration(file));
  Module& out = found.module;
  for (const Forward& forward : found.forwards) {
    out.names.try_emplace(forward.name, target_of(file, forward, depth));
  }
  for (const std::string& star : found.stars) add_all(out, module_from(file, star, depth));
  return out;
}

Export Follower::target_of(const std::string& file, const Forward& forward, int depth) {
  if (forward.original == "*") return {};
  const Module* from = module_from(file, forward.from, depth);
  if (from == nullptr) return {};
  const auto known = from->names.find(forward.original);
  return known == from->names.end() ? Export{} : known->second;
}

}  // namespace cg::exports
