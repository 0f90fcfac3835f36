#include "npm/upgrade/listing.h"

#include <algorithm>
#include <deque>

#include "base/json/json.h"
#include "npm/exports/entries.h"
#include "npm/exports/loaded.h"

namespace cg::upgrade {

using exports::Error;
using exports::Limits;
using json::Value;
using syntax::kNone;

namespace {

constexpr std::size_t kMaxItems = 24'000;
constexpr std::size_t kMaxMentioned = 80;  // types that others cannot import
constexpr std::size_t kMaxNamed = 20;      // of an object
constexpr std::size_t kMaxReaders = 200;   // functions whose options are looked for
constexpr std::size_t kMaxTold = 2000;
constexpr std::size_t kMaxTellers = 128;  // files
constexpr std::size_t kMaxTellingBytes = 3U << 20U;

const exports::Files& no_files() {
  static const exports::Files nothing;
  return nothing;
}

Result<Value, Error> manifest_of(const exports::Unpacked& package) {
  const auto found = package.sources.find("package.json");
  if (found == package.sources.end()) return fail(Error::bad_manifest);
  auto value = json::parse_json(found->second);
  if (!value || !value->is_object()) return fail(Error::bad_manifest);
  return *std::move(value);
}

/// For other readers of a package than node and compilers.
bool is_foreign(const exports::Entry& entry) {
  return std::any_of(entry.conditions.begin(), entry.conditions.end(), [](const auto& condition) {
    return condition == "deno" || condition == "browser" || condition == "react-native";
  });
}

std::string declarations_for(const exports::Unpacked& package, const std::string& path,
                             const std::string& file) {
  const auto manifest = manifest_of(package);
  if (!manifest) return {};
  const std::string wanted = path.empty() ? "." : "./" + path;
  for (const exports::Entry& entry : exports::find_entries(*manifest, package.sources)) {
    const bool here = entry.subpath == wanted || entry.subpath == wanted + ".d.ts" ||
                      entry.subpath == wanted + "/index.d.ts";
    if (here && exports::is_declaration(entry.file) && !is_foreign(entry)) return entry.file;
  }
  const std::string beside = file.empty() ? path : file;
  return exports::find_types(package.sources, beside).value_or("");
}

std::string object_head(const std::set<std::string, std::less<>>& names) {
  std::string out = "{ ";
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (name == "default") continue;
    if (++count > kMaxNamed) return out + ", ... }";
    out += (count == 1 ? "" : ", ") + name;
  }
  return out + " }";
}

}  // namespace

Lister::Lister(const Side& side, const Limits& limits, Value manifest, exports::Offer offer)
    : side_(side),
      limits_(limits),
      manifest_(std::move(manifest)),
      offer_(std::move(offer)),
      sources_(side.package->sources, limits),
      other_types_(side.types == nullptr ? no_files() : side.types->sources, limits),
      finder_(sources_),
      own_types_finder_(sources_),
      types_finder_(other_types_) {}

Result<std::unique_ptr<Lister>, Error> Lister::of(const Side& side, const Limits& limits) {
  CG_TRY_ASSIGN(Value manifest, manifest_of(*side.package));
  CG_TRY_ASSIGN(exports::Offer offer, exports::Offer::of(*side.package, limits));
  return std::unique_ptr<Lister>(new Lister(side, limits, std::move(manifest), std::move(offer)));
}

std::vector<Told> Lister::told(const Used& used) {
  std::vector<Told> out;
  std::set<std::string> known;
  std::vector<std::string> entries;
  const auto add = [&](const std::string& path, exports::Way way) {
    const auto file = offer_.resolve(path, way, exports::Paths::loose);
    const bool is_new = file && std::find(entries.begin(), entries.end(), *file) == entries.end();
    if (is_new) entries.push_back(*file);
    return file.has_value();
  };
  // What is imported by its path, then from the package's main file on: what else can be imported
  // may be a thousand files.
  for (const auto& [path, names] : used.paths) {
    if (!path.path.empty()) add(path.path, path.way);
  }
  if (!add("", exports::Way::require)) add("", exports::Way::import);
  exports::Limits most = limits_;
  most.modules = std::min(most.modules, kMaxTellers);
  most.parsed = std::min(most.parsed, kMaxTellingBytes);
  std::set<std::string> read;
  for (const std::string& entry : entries) {
    const Value manifest(Value::Object{{"main", "./" + entry}});
    for (const std::string& file : exports::loaded_files(manifest, files(), most)) {
      const Source* source = read.insert(file).second ? sources_.get(file) : nullptr;
      if (source == nullptr || source->minified()) continue;
      for (Told& each : told_in(*source)) {
        if (out.size() < kMaxTold && known.insert(each.text).second) out.push_back(std::move(each));
      }
    }
  }
  return out;
}

Lister::Files Lister::files_behind(const Used& used) {
  Files out;
  const auto add = [&](const std::string& file, const std::string& key) {
    const Source* source = sources_.get(file);
    if (source == nullptr || source->minified()) return;
    const bool known =
        std::any_of(out.begin(), out.end(), [&](const File& one) { return one.file == file; });
    if (!known) out.push_back({file, key});
  };
  // What is gone of a path is looked for in the package itself, and in its other half.
  std::set<Used::Path> paths;
  for (const auto& [path, names] : used.paths) paths.insert(path);
  for (const exports::Way way : {exports::Way::require, exports::Way::import}) {
    paths.insert({"", way});
  }
  struct Entry {
    std::string file, types;
    const Used::Path* path;
  };
  std::vector<Entry> entries;
  for (const Used::Path& path : paths) {
    const auto file = offer_.resolve(path.path, path.way, exports::Paths::loose);
    const Source* source = file ? sources_.get(*file) : nullptr;
    if (source == nullptr) continue;
    entries.push_back({*file, declarations_for(*side_.package, path.path, *file), &path});
    const auto names = used.paths.find(path);
    if (names == used.paths.end()) continue;
    Used::Names wanted = names->second;
    wanted.insert("default");
    for (const std::string& name : wanted) {
      for (const Place& place : settled(finder_, finder_.exported(*source, name))) {
        if (!place.source->typed()) add(place.source->file(), path.path + " " + name);
      }
    }
  }
  for (const bool asked : {true, false}) {
    for (const Entry& entry : entries) {
      if (used.paths.contains(*entry.path) != asked) continue;
      add(entry.file, "of " + entry.path->path);
      if (!entry.types.empty()) add(entry.types, "types of " + entry.path->path);
    }
  }
  // What bundlers read instead.
  const std::string module = manifest_.text("module");
  if (const auto bundled = module.empty() ? std::nullopt : exports::find_file(files(), module)) {
    add(*bundled, "of module");
  }
  for (const Entry& entry : entries) {
    const Value manifest(Value::Object{{"main", "./" + entry.file}});
    exports::Limits most = limits_;
    most.modules = std::min(most.modules, kMaxTellers);
    most.parsed = std::min(most.parsed, kMaxTellingBytes);
    for (const std::string& file : exports::loaded_files(manifest, files(), most)) add(file, "");
  }
  return out;
}

const Source* Lister::types_of(const std::string& path, const Listing& listing) {
  const std::string own = declarations_for(*side_.package, path, listing.file);
  if (!own.empty()) {
    if (const Source* found = sources_.get(own)) return found;
  }
  if (side_.types == nullptr) return nullptr;
  const std::string other = declarations_for(*side_.types, path, "");
  return other.empty() ? nullptr : other_types_.get(other);
}

Listing Lister::list(const Used::Path& path, const Used& used) {
  Listing out;
  said_in_.clear();
  names_ = used.names(path.path);
  const auto file = offer_.resolve(path.path, path.way, exports::Paths::loose);
  if (file) {
    out.file = *file;
  } else {
    out.shut = file.error();
    // What the other way in would give.
    const bool required = path.way == exports::Way::require;
    const auto other = offer_.resolve(
        path.path, required ? exports::Way::import : exports::Way::require, exports::Paths::loose);
    if (other) out.file = *other;
  }
  if (const exports::Module* module = offer_.module(out.file)) out.style = module->style;
  if (path.way == exports::Way::require && !out.shut && out.style == exports::Style::esm) {
    out.shut = exports::Why::esm_only;
  }
  if (out.file.empty() && out.shut == exports::Why::not_exported) return out;
  const Source* source = out.file.empty() ? nullptr : sources_.get(out.file);
  if (source == nullptr) out.complete = false;
  if (source != nullptr) add_all(out, finder_, *source);
  if (const Source* types = types_of(path.path, out)) {
    out.types = types->file();
    const bool own =
        side_.package->sources.contains(types->file()) && sources_.get(types->file()) == types;
    add_all(out, own ? own_types_finder_ : types_finder_, *types);
    add_mentioned(out, *types);
  }
  return out;
}

void Lister::add_all(Listing& out, Finder& finder, const Source& source) {
  Finder::Names names = finder.names(source);
  if (!source.typed()) {
    out.complete = names.complete;
    out.minified = source.minified();
  }
  const bool commonjs = !source.typed() && out.style == exports::Style::commonjs;
  if (commonjs) names.names.insert("default");
  std::map<Places, std::string> first_named;
  std::size_t readers = 0;
  // Names before the default, which is often one of them.
  for (const bool by_default : {false, true}) {
    for (const std::string& name : names.names) {
      if ((name == "default") != by_default || out.items.size() > kMaxItems) continue;
      if (name.starts_with('_') && name.size() > 1 && !names_.contains(name)) continue;
      const Places places = settled(finder, finder.exported(source, name));
      const bool whole =
          by_default && std::any_of(places.begin(), places.end(),
                                    [](const Place& place) { return place.node == 0; });
      // All of another file is told like any value: what is in it is there by the default alone.
      const bool other = places.size() == 1 && places[0].source != &source && !commonjs;
      if (whole && other) out.object = true;
      if (whole && !other) {
        out.object = true;
        out.items[name].source = {object_head(names.names)};
        continue;
      }
      // Of what has several names, members are told once.
      const auto [same, is_new] = first_named.try_emplace(places, name);
      const bool again = !is_new && !places.empty();
      add_one(out, finder, source, name, places, names.names,
              again ? &out.items.find(same->second)->second : nullptr);
      if (again) {
        out.bases[name].push_back(same->second);
        out.twins[name].push_back(same->second);
        out.twins[same->second].push_back(name);
      }
      if (by_default && commonjs) lift_members(out, places);
      const bool callable = std::any_of(places.begin(), places.end(), [](const Place& place) {
        return place.node != 0 && (is_callable(kind_at(place)) || is_class(kind_at(place)));
      });
      // A function: what it has is written down with it, as a rule.
      if (by_default && commonjs && callable) out.complete = true;
      if (whole) {
        Lines& heads = source.typed() ? out.items[name].types : out.items[name].source;
        heads = {object_head(finder.names(*places[0].source).names)};
      }
      if (source.typed()) said_in_.emplace(name, places.empty() ? &source : places[0].source);
      const bool asked = names_.contains(name) || by_default;
      if (source.typed() || (!asked && ++readers > kMaxReaders)) continue;
      for (const Place& place : places) {
        Lines& options = out.items[name].options;
        for (std::string& option : options_of(finder, place)) {
          if (std::find(options.begin(), options.end(), option) == options.end()) {
            options.push_back(std::move(option));
          }
        }
      }
    }
  }
}

void Lister::add_one(Listing& out, Finder& finder, const Source& source, const std::string& name,
                     const Places& places, const std::set<std::string, std::less<>>& others,
                     const Item* same) {
  Shaper shaper(finder);
  Shape shape = same == nullptr ? shaper.shape(name, places) : shaper.again(name, places, *same);
  const bool typed = !shape.item.types.empty();
  const auto add = [&](const std::string& key, Item&& item) {
    const auto [known, is_new] = out.items.try_emplace(key, std::move(item));
    if (is_new) return;
    Item& had = known->second;
    had.outside = had.outside && item.outside;
    if (typed || had.types.empty()) had.erased = item.erased && had.erased;
    if (had.types.empty()) had.types = std::move(item.types);
    if (had.source.empty()) had.source = std::move(item.source);
    had.mentions.insert(had.mentions.end(), item.mentions.begin(), item.mentions.end());
    if (had.deprecated.empty()) had.deprecated = std::move(item.deprecated);
    if (had.warnings.empty()) had.warnings = std::move(item.warnings);
    if (had.throws.empty()) had.throws = std::move(item.throws);
    if (typed && !item.summary.empty()) had.summary = std::move(item.summary);
  };
  if (shape.item.types.empty() && shape.item.source.empty()) {
    if (places.empty()) static_cast<void>(finder.exported(source, name));
    const bool other = places.empty() && !finder.outside().empty();
    shape.item.outside = other;
    shape.item.source = {other ? name + ", which is of the package " + finder.outside() : name};
  }
  add(name, std::move(shape.item));
  for (auto& [member, item, place] : shape.members) {
    // What a function has can often be had from the package as well.
    bool known = name == "default" && others.contains(member);
    if (!known && item.at_owner && others.contains(member)) {
      const Places there = finder.exported(source, member);
      known = std::find(there.begin(), there.end(), place) != there.end();
    }
    if (!known && out.items.size() < kMaxItems) add(name + "." + member, std::move(item));
  }
  Lines& bases = out.bases[name];
  bases.insert(bases.end(), shape.bases.begin(), shape.bases.end());
}

/// `module.exports = api`: what is in api can be had by its name.
void Lister::lift_members(Listing& out, const Places& places) {
  for (const Place& place : places) {
    const auto kind = place.node == 0 ? syntax::Kind::program : kind_at(unwrapped(place));
    if (is_class(kind) || is_callable(kind)) return;
  }
  const std::string prefix = "default.";
  for (auto i = out.items.lower_bound(prefix); i != out.items.end() && i->first.starts_with(prefix);
       i = out.items.erase(i)) {
    out.items.try_emplace(i->first.substr(prefix.size()), std::move(i->second));
  }
}

/// Types that what is used speaks of, and that nobody can import: options, most of all.
void Lister::add_mentioned(Listing& out, const Source& source) {
  struct Wanted {
    std::string name;
    const Source* in;
    int depth;
  };
  std::deque<Wanted> open;
  const auto add_words = [&](const std::string& key, const Source* in, int depth) {
    const auto item = out.items.find(key);
    if (item == out.items.end() || in == nullptr) return;
    for (const std::string& word : item->second.mentions) open.push_back({word, in, depth});
    for (const std::string& base : out.bases[key]) {
      open.push_back({base, in, std::max(depth - 1, 0)});
    }
    const std::string prefix = key + ".";
    for (auto i = out.items.lower_bound(prefix);
         i != out.items.end() && i->first.starts_with(prefix); ++i) {
      for (const std::string& word : i->second.mentions) open.push_back({word, in, depth});
    }
  };
  for (const auto& [key, in] : said_in_) {
    const bool first = names_.contains(key) || key == "default";
    if (first) add_words(key, in, 0);
  }
  for (const auto& [key, in] : said_in_) add_words(key, in, 1);
  const bool own = side_.package->sources.contains(source.file());
  Finder& finder = own ? own_types_finder_ : types_finder_;
  constexpr int kMaxMentioning = 3;
  std::set<std::string, std::less<>> seen;
  while (!open.empty() && out.inner.size() < kMaxMentioned) {
    const Wanted wanted = open.front();
    open.pop_front();
    if (wanted.depth > kMaxMentioning || !seen.insert(wanted.name).second) continue;
    const auto known = out.items.find(wanted.name);
    if (known != out.items.end() && !known->second.types.empty()) continue;
    const bool can_be_had = known != out.items.end();
    const Places places = finder.local(*wanted.in, wanted.name);
    if (places.empty() || places[0].node == 0) continue;
    add_one(out, finder, source, wanted.name, places, {}, nullptr);
    if (!can_be_had) out.inner.insert(wanted.name);
    add_words(wanted.name, places[0].source, wanted.depth + 1);
  }
}

}  // namespace cg::upgrade
