#include "npm/exports/offer.h"

#include <iterator>

#include "base/json/json.h"
#include "npm/exports/entries.h"
#include "npm/syntax/language.h"

namespace cg::exports {

namespace {

using json::Value;

constexpr int kMaxConditions = 16;  // within each other

/// `exports` as node reads it. Nothing: no such key or condition; an empty text: it is shut.
class Targets {
 public:
  explicit Targets(Way way) : way_(way) {}

  [[nodiscard]] std::optional<std::string> find(const Value& exports,
                                                const std::string& subpath) const {
    const auto* object = exports.as_object();
    const bool has_subpaths =
        object != nullptr && !object->empty() && object->front().first.starts_with('.');
    if (!has_subpaths) return subpath == "." ? of(exports, "", 0) : std::nullopt;
    const Value* target = nullptr;
    std::string_view best;
    std::string_view star;
    for (const auto& [key, value] : *object) {
      const std::size_t at = key.find('*');
      if (at == std::string::npos) {
        if (key == subpath) return of(value, "", 0);
        continue;
      }
      const std::string_view behind = std::string_view(key).substr(at + 1);
      const bool fits = subpath.size() >= key.size() && subpath.starts_with(key.substr(0, at)) &&
                        subpath.ends_with(behind);
      // The longest before the star; of two such the longest.
      const std::size_t most = best.find('*');
      const bool better =
          target == nullptr || at > most || (at == most && key.size() > best.size());
      if (!fits || !better) continue;
      target = &value;
      best = key;
      star = std::string_view(subpath).substr(at, subpath.size() - at - behind.size());
    }
    return target == nullptr ? std::nullopt : of(*target, star, 0);
  }

 private:
  [[nodiscard]] std::optional<std::string> of(const Value& target, std::string_view star,
                                              int depth) const {
    if (depth > kMaxConditions) return std::nullopt;
    if (const auto* text = target.as_string()) {
      std::string out;
      for (const char c : *text) c == '*' ? out.append(star) : out.append(1, c);
      // Anything else is no path that node takes.
      const auto file = out.starts_with("./") ? beside("package.json", out) : std::nullopt;
      return file.value_or("");
    }
    if (target.is_null()) return "";
    if (const auto* list = target.as_array()) {
      for (const Value& each : *list) {
        auto found = of(each, star, depth + 1);
        if (found && !found->empty()) return found;
      }
      return "";
    }
    const auto* object = target.as_object();
    if (object == nullptr) return "";
    for (const auto& [condition, inner] : *object) {
      const bool holds = condition == "node" || condition == "default" ||
                         condition == (way_ == Way::require ? "require" : "import");
      if (!holds) continue;
      if (auto found = of(inner, star, depth + 1)) return found;
    }
    return std::nullopt;
  }

  Way way_;
};

std::string beneath(const std::string& folder, const std::string& file) {
  return folder.empty() ? file : folder + "/" + file;
}

}  // namespace

std::string_view name(Why why) {
  constexpr std::string_view kNames[] = {"path_gone", "not_exported", "esm_only", "name_gone"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Why::name_gone) + 1);
  return kNames[static_cast<std::size_t>(why)];
}

Offer::Offer(const Unpacked& package, json::Value manifest, const Limits& limits)
    : package_(&package),
      manifest_(std::move(manifest)),
      follower_(std::make_unique<Follower>(package.sources, limits)) {}

Result<Offer, Error> Offer::of(const Unpacked& package, const Limits& limits) {
  const auto manifest = package.sources.find("package.json");
  if (manifest == package.sources.end()) return fail(Error::bad_manifest);
  auto value = json::parse_json(manifest->second);
  if (!value || !value->is_object()) return fail(Error::bad_manifest);
  return Offer(package, *std::move(value), limits);
}

std::optional<std::string> Offer::as_file(const std::string& stem) const {
  for (const char* ending : {"", ".js", ".json", ".node"}) {
    std::string file = stem + ending;
    if (has(file)) return file;
  }
  return std::nullopt;
}

std::optional<std::string> Offer::main_of(const json::Value& manifest,
                                          const std::string& folder) const {
  const std::string main = manifest.text("main");
  const auto stem = main.empty() ? std::nullopt : beside(beneath(folder, "package.json"), main);
  if (stem && !stem->empty()) {
    if (auto found = as_file(*stem)) return found;
    if (auto found = as_file(beneath(*stem, "index"))) return found;
  }
  return as_file(beneath(folder, "index"));
}

std::optional<std::string> Offer::as_folder(const std::string& stem) const {
  const auto manifest = package_->sources.find(stem + "/package.json");
  const auto value = manifest == package_->sources.end()
                         ? Result<json::Value, json::ParseError>(json::Value())
                         : json::parse_json(manifest->second);
  return main_of(value ? *value : json::Value(), stem);
}

Result<std::string, Why> Offer::resolve(std::string_view path, Way way, Paths paths) const {
  const Value* exports = manifest_.find("exports");
  if (exports != nullptr && !exports->is_null()) {
    const std::string subpath = path.empty() ? "." : "./" + std::string(path);
    const auto target = Targets(way).find(*exports, subpath);
    if (target && !target->empty() && has(*target)) return *target;
    if (target && !target->empty()) return fail(Why::path_gone);
    // The way in that is left is not open to who requires.
    const auto other = way == Way::require ? Targets(Way::import).find(*exports, subpath) : target;
    return fail(other && !other->empty() ? Why::esm_only : Why::not_exported);
  }
  auto stem = beside("package.json", path);
  if (!stem) return fail(Why::path_gone);
  std::optional<std::string> found;
  if (stem->empty()) {
    found = main_of(manifest_, "");
  } else if (paths == Paths::exact) {
    if (has(*stem)) found = stem;
  } else {
    found = as_file(*stem);
    if (!found) found = as_folder(*stem);
  }
  if (!found) return fail(Why::path_gone);
  return *std::move(found);
}

const Module* Offer::module(const std::string& file) const {
  if (!syntax::language_of(file) || is_declaration(file)) return nullptr;
  return &follower_->read(file);
}

}  // namespace cg::exports
