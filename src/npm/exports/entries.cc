#include "npm/exports/entries.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/syntax/language.h"

namespace cg::exports {

namespace {

using json::Value;

constexpr std::size_t kMaxEntries = 4096;
constexpr int kMaxNesting = 16;

/// A row of `exports` before its pattern is made out. Without a target: nobody may import it.
struct Row {
  std::string subpath;
  std::vector<std::string> conditions;
  std::optional<std::string> target;
};

/// "./lib/a.js" to "lib/a.js"; nothing for what leads elsewhere.
std::optional<std::string> target_of(std::string_view text) {
  if (!text.starts_with("./")) return std::nullopt;
  return beside("package.json", text);
}

class Rows {
 public:
  void read(const Value& exports) {
    const auto* object = exports.as_object();
    const bool has_subpaths =
        object != nullptr && !object->empty() && object->front().first.starts_with('.');
    if (!has_subpaths) return add(".", exports, {}, 0);
    for (const auto& [key, value] : *object) add(key, value, {}, 0);
  }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  void add(const std::string& subpath, const Value& value,
           const std::vector<std::string>& conditions, int depth) {
    if (depth > kMaxNesting || rows_.size() >= kMaxEntries) return;
    if (const auto* text = value.as_string()) {
      if (auto target = target_of(*text)) rows_.push_back({subpath, conditions, std::move(target)});
    } else if (value.is_null() && conditions.empty()) {
      rows_.push_back({subpath, conditions, std::nullopt});
    } else if (const auto* list = value.as_array()) {
      for (const Value& each : *list) add(subpath, each, conditions, depth + 1);
    } else if (const auto* object = value.as_object()) {
      for (const auto& [key, inner] : *object) {
        std::vector<std::string> more = conditions;
        more.push_back(key);
        add(subpath, inner, more, depth + 1);
      }
    }
  }
  std::vector<Row> rows_;
};

/// What stands for the star where `text` fits the pattern.
std::optional<std::string_view> star_of(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  const std::string_view before = pattern.substr(0, star);
  const std::string_view behind = pattern.substr(star + 1);
  if (text.size() <= before.size() + behind.size()) return std::nullopt;
  if (!text.starts_with(before) || !text.ends_with(behind)) return std::nullopt;
  return text.substr(before.size(), text.size() - before.size() - behind.size());
}

std::string with_star(std::string_view pattern, std::string_view star) {
  std::string out;
  for (const char c : pattern) {
    if (c == '*') {
      out += star;
    } else {
      out += c;
    }
  }
  return out;
}

/// A longer pattern without a target takes `subpath` away again.
bool is_shut(const std::vector<Row>& rows, std::string_view subpath, std::string_view pattern) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
    if (row.target) return false;
    if (row.subpath == subpath) return true;
    return row.subpath.size() > pattern.size() && row.subpath.find('*') != std::string::npos &&
           star_of(row.subpath, subpath).has_value();
  });
}

class Finder {
 public:
  explicit Finder(const Files& files) : files_(files) {}

  void add_exports(const Value& exports) {
    Rows rows;
    rows.read(exports);
    for (const Row& row : rows.rows()) {
      if (!row.target) continue;
      if (row.subpath.find('*') == std::string::npos) {
        if (!is_shut(rows.rows(), row.subpath, row.subpath)) {
          add({row.subpath, row.conditions, *row.target});
        }
        continue;
      }
      add_pattern(rows.rows(), row);
    }
  }

  /// What there is without `exports`.
  void add_fields(const Value& manifest) {
    const auto main = find_file(files_, manifest.text("main"));
    add_file(".", "main", main ? main : find_file(files_, ""));
    if (const std::string field = manifest.text("module"); !field.empty()) {
      add_file(".", "module", find_file(files_, field));
    }
    for (const char* key : {"types", "typings"}) {
      const std::string field = manifest.text(key);
      if (field.empty()) continue;
      const auto exact = find_types(files_, field);
      add_file(".", "types", exact ? exact : find_file(files_, field));
    }
    for (const auto& [path, text] : files_) {
      if (syntax::language_of(path)) add({"./" + path, {"path"}, path});
    }
  }

  void add_programs(const Value& manifest) {
    const Value* bin = manifest.find("bin");
    if (bin == nullptr) return;
    if (const auto* text = bin->as_string()) {
      add_file("bin:" + manifest.text("name"), "bin", beside("package.json", *text));
    }
    if (const auto* object = bin->as_object()) {
      for (const auto& [program, path] : *object) {
        const auto* text = path.as_string();
        if (text == nullptr) continue;
        add_file("bin:" + program, "bin", beside("package.json", *text));
      }
    }
  }

  /// Declarations that lie beside a source are its own, though no field names them.
  void add_types_beside() {
    const std::vector<Entry> known = out_;
    for (const Entry& entry : known) {
      if (entry.subpath.starts_with("bin:") || is_declaration(entry.file)) continue;
      add_file(entry.subpath, "types", find_types(files_, entry.file));
    }
  }

  std::vector<Entry> take() && { return std::move(out_); }

 private:
  void add(Entry entry) {
    if (out_.size() >= kMaxEntries || !files_.contains(entry.file)) return;
    if (std::find(out_.begin(), out_.end(), entry) == out_.end()) out_.push_back(std::move(entry));
  }
  void add_file(const std::string& subpath, const char* field, std::optional<std::string> file) {
    if (file) add({subpath, {field}, *std::move(file)});
  }
  void add_pattern(const std::vector<Row>& rows, const Row& row) {
    if (row.target->find('*') == std::string::npos) return;  // one file under many names
    for (const auto& [path, text] : files_) {
      const auto star = star_of(*row.target, path);
      if (!star || with_star(*row.target, *star) != path) continue;
      const std::string subpath = with_star(row.subpath, *star);
      if (!is_shut(rows, subpath, row.subpath)) add({subpath, row.conditions, path});
    }
  }

  const Files& files_;
  std::vector<Entry> out_;
};

std::optional<std::string> first_there(const Files& files, std::string_view stem,
                                       std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings) {
    std::string path(stem);
    path += ending;
    if (files.contains(path)) return path;
  }
  return std::nullopt;
}

std::string plain(std::string_view path) {
  return beside("package.json", path).value_or(std::string(path));
}

}  // namespace

bool is_declaration(std::string_view path) {
  return path.ends_with(".d.ts") || path.ends_with(".d.mts") || path.ends_with(".d.cts");
}

std::optional<std::string> beside(std::string_view file, std::string_view relative) {
  std::vector<std::string_view> parts = split(file, '/');
  parts.pop_back();
  for (const std::string_view part : split(relative, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  std::string out;
  for (const std::string_view part : parts) {
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

std::optional<std::string> find_file(const Files& files, std::string_view path) {
  const std::string stem = plain(path);
  if (stem.empty()) return first_there(files, "index", {".js", ".cjs", ".mjs"});
  if (auto found = first_there(files, stem, {"", ".js", ".cjs", ".mjs", ".ts", ".d.ts", ".tsx"})) {
    return found;
  }
  if (const auto manifest = files.find(stem + "/package.json"); manifest != files.end()) {
    const auto value = json::parse_json(manifest->second);
    const std::string main = value ? value->text("main") : "";
    const auto target = main.empty() ? std::nullopt : beside(stem + "/package.json", main);
    if (target && *target != stem) {
      if (auto found = first_there(files, *target, {"", ".js", ".cjs", "/index.js"})) return found;
    }
  }
  return first_there(files, stem, {"/index.js", "/index.cjs", "/index.mjs", "/index.d.ts"});
}

std::optional<std::string> find_types(const Files& files, std::string_view path) {
  std::string stem = plain(path);
  if (is_declaration(stem)) return files.contains(stem) ? std::optional(stem) : std::nullopt;
  for (const auto& [ending, types] : {std::pair(".mjs", ".d.mts"), std::pair(".cjs", ".d.cts"),
                                      std::pair(".js", ".d.ts"), std::pair(".jsx", ".d.ts")}) {
    if (!stem.ends_with(ending)) continue;
    stem.resize(stem.size() - std::string_view(ending).size());
    return first_there(files, stem, {types, ".d.ts"});
  }
  return first_there(files, stem, {".d.ts", "/index.d.ts", ".d.mts", ".d.cts"});
}

std::vector<Entry> find_entries(const json::Value& manifest, const Files& files) {
  Finder finder(files);
  const Value* exports = manifest.find("exports");
  const bool sealed = exports != nullptr && !exports->is_null();
  if (sealed) {
    finder.add_exports(*exports);
  } else {
    finder.add_fields(manifest);
  }
  finder.add_types_beside();
  finder.add_programs(manifest);
  return std::move(finder).take();
}

}  // namespace cg::exports
