#include "npm/upgrade/facts.h"

#include <algorithm>

#include "base/base/text.h"
#include "npm/upgrade/head.h"
#include "npm/upgrade/paths.h"

namespace cg::upgrade {

using exports::Style;
using exports::Way;
using exports::Why;
using json::Value;

namespace {

constexpr std::size_t kMaxField = 420;   // bytes of one field
constexpr std::size_t kMaxRanges = 900;  // of one that lists packages
constexpr std::size_t kMaxListed = 24;

std::string text_of(const Value& value, int depth) {
  constexpr int kMaxShown = 5;
  if (const auto* text = value.as_string()) return *text;
  if (const auto flag = value.as_bool()) return *flag ? "true" : "false";
  if (value.is_null()) return "null";
  if (depth > kMaxShown) return "...";
  std::string out;
  if (const auto* list = value.as_array()) {
    for (const Value& each : *list) out += (out.empty() ? "" : ", ") + text_of(each, depth + 1);
    return "[" + out + "]";
  }
  if (const auto* object = value.as_object()) {
    for (const auto& [key, each] : *object) {
      if (out.size() > kMaxField) break;
      out += (out.empty() ? "" : ", ") + key + ": " + text_of(each, depth + 1);
    }
    return "{ " + out + " }";
  }
  return "...";
}

std::string field_of(const Value& manifest, const char* key) {
  const Value* value = manifest.find(key);
  return value == nullptr ? "(none)" : one_line(text_of(*value, 0), kMaxField);
}

/// The paths that `exports` lists, patterns as they are.
std::string exported_paths(const Value& manifest) {
  const Value* exports = manifest.find("exports");
  const auto* object = exports == nullptr ? nullptr : exports->as_object();
  if (object == nullptr || object->empty() || !object->front().first.starts_with('.')) return ".";
  std::string out;
  std::size_t count = 0;
  for (const auto& [key, value] : *object) {
    if (value.is_null()) continue;
    if (++count > kMaxListed) return out + ", ...";
    out += (out.empty() ? "" : ", ") + one_line(key, 80);
  }
  return out;
}

/// "a, b" of what one section has and the other has not, or has otherwise.
std::string differing(const Value& before, const Value& after, const char* section) {
  const Value* old = before.find(section);
  const Value* now = after.find(section);
  std::string out;
  std::size_t count = 0;
  const auto add = [&](const std::string& text) {
    if (++count <= kMaxListed) out += (out.empty() ? "" : ", ") + one_line(text, 100);
  };
  const auto* was = old == nullptr ? nullptr : old->as_object();
  const auto* is = now == nullptr ? nullptr : now->as_object();
  if (was != nullptr) {
    for (const auto& [name, range] : *was) {
      const Value* other = is == nullptr ? nullptr : now->find(name);
      if (other == nullptr) add(name + " " + text_of(range, 0) + " -> (none)");
      if (other != nullptr && !(*other == range)) {
        add(name + " " + text_of(range, 0) + " -> " + text_of(*other, 0));
      }
    }
  }
  if (is != nullptr) {
    for (const auto& [name, range] : *is) {
      if (was == nullptr || old->find(name) == nullptr) {
        add(name + " (none) -> " + text_of(range, 0));
      }
    }
  }
  return out;
}

std::string called(const Value& manifest, std::string_view path) {
  std::string out = one_line(manifest.text("name"), 100);
  if (!path.empty()) out += "/" + one_line(path, 120);
  return out;
}

/// What others may import, where the manifest says that.
std::string open_paths(const Lister& after) {
  const auto exports = after.manifest().find("exports");
  if (exports == nullptr || exports->is_null()) return {};
  return std::string(kOpenPaths) + exported_paths(after.manifest());
}

std::string why_not(Why why, const Lister& after) {
  switch (why) {
    case Why::path_gone:
      return "there is no such file any more" + open_paths(after);
    case Why::not_exported:
      return "no longer exported" + open_paths(after);
    case Why::esm_only:
      return "an ES module now, require() of it fails below node 22.12: use import, or import()";
    case Why::name_gone:
      break;
  }
  return "gone";
}

}  // namespace

std::vector<std::string> facts_of(const Lister& before, const Lister& after) {
  const Value& old = before.manifest();
  const Value& now = after.manifest();
  std::vector<std::string> out;
  for (const char* key :
       {"type", "main", "module", "browser", "exports", "types", "typings", "bin"}) {
    const std::string was = field_of(old, key);
    const std::string is = field_of(now, key);
    if (was != is) out.push_back(std::string(key) + ": " + was + " -> " + is);
  }
  for (const char* section : {"engines", "peerDependencies", "dependencies"}) {
    const std::string text = differing(old, now, section);
    if (!text.empty()) out.push_back(std::string(section) + ": " + one_line(text, kMaxRanges));
  }
  return out;
}

std::vector<std::string> facts_of_path(const Used::Path& path, Lister& before, const Listing& old,
                                       Lister& after, const Listing& now) {
  std::vector<std::string> out;
  const std::string name = called(before.manifest(), path.path);
  const std::string way =
      path.way == Way::require ? "require('" + name + "')" : "import '" + name + "'";
  const bool root = path.path.empty();
  if (now.shut == Why::esm_only && old.shut != Why::esm_only) {
    out.push_back((root ? "ES modules only: " : name + ": ES modules only: ") + way +
                  " fails below node 22.12; use import, or await import()");
  } else if (now.shut && !old.shut) {
    // Styles and such are no sources: the path is the file.
    const std::string file =
        old.file.empty() && before.all().contains(path.path) ? path.path : old.file;
    const bool said = root || file.empty() || path.path.ends_with(file.substr(file.rfind('/') + 1));
    out.push_back(way + ": " + (said ? "" : "which was " + file + ": ") +
                  why_not(*now.shut, after));
    if (!file.empty() && !root) {
      for (std::string& line : in_place_of(file, before, after)) {
        out.push_back("of " + path.path + ": " + std::move(line));
      }
    }
  } else if (!root && !now.shut) {
    out.push_back(way + ": still there, as " + now.file);
  } else if (now.shut && old.shut) {
    out.push_back(way + ": " + why_not(*now.shut, after) + " (nor was it before)");
  }
  const bool knows_both = !old.file.empty() && !now.file.empty();
  if (knows_both && old.style == Style::esm && now.style == Style::commonjs) {
    out.push_back(name + " is CommonJS now");
  }
  if (!old.typed() && now.typed())
    out.push_back(name + " brings its own declarations: " + now.types);
  if (old.typed() && !now.typed() && !now.shut) {
    out.push_back(
        name +
        ": no declarations are known of the new version; signatures are those of its JavaScript");
  }
  if (now.minified)
    out.push_back(name + " is minified (" + now.file + "): of its code there are names alone");
  if (!now.complete && !now.typed() && syntax::language_of(now.file)) {
    out.push_back(name + ": not all names that it exports can be read");
  }
  return out;
}

}  // namespace cg::upgrade
