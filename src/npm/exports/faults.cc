#include "npm/exports/faults.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/exports/asks.h"
#include "npm/exports/loaded.h"

namespace cg::exports {

namespace {

constexpr std::size_t kLongestShown = 120;

/// What a file asks for; `modular`: node runs it as an ES module.
struct Asking {
  std::string file;
  bool modular = false;
  std::vector<Ask> asks;
};

bool is_script(std::string_view file) {
  return file.ends_with(".js") || file.ends_with(".cjs") || file.ends_with(".mjs");
}

/// Others than those who use the package run it.
bool is_aside(std::string_view file) {
  static constexpr std::array<std::string_view, 10> kFolders = {
      "__mocks__", "__tests__", "benchmark", "example", "examples",
      "fixtures",  "spec",      "test",      "tests",   "node_modules"};
  const auto parts = split(file, '/');
  return std::any_of(parts.begin(), parts.end() - 1, [](std::string_view part) {
    return std::find(kFolders.begin(), kFolders.end(), part) != kFolders.end();
  });
}

/// By those of `files` that are there.
std::vector<Asking> askings_in(const std::set<std::string>& files, const Files& sources,
                               std::string_view package, const Limits& limits) {
  Types types(sources);
  std::vector<Asking> out;
  std::size_t parsed = 0;
  for (const std::string& file : files) {
    const auto text = sources.find(file);
    const auto language = syntax::language_of(file);
    if (!language || text == sources.end()) continue;
    // Most files do not, and parsing costs a thousand times as much as looking.
    if (text->second.find(package) == std::string::npos) continue;
    parsed += text->second.size();
    if (parsed > limits.parsed) break;
    const auto syntax = syntax::Syntax::parse(text->second, *language);
    if (!syntax) continue;
    const bool modular =
        file.ends_with(".mjs") || (file.ends_with(".js") && types.is_modular(file));
    std::vector<Ask> asks = asks_in(*syntax, package);
    if (*language != syntax::Language::javascript) {
      for (Ask& ask : asks) ask.wanted.clear();
    }
    if (!asks.empty()) out.push_back({file, modular, std::move(asks)});
  }
  return out;
}

Result<std::vector<Asking>, Error> askings_of(const Unpacked& dependent, std::string_view package,
                                              const Limits& limits) {
  const auto manifest = dependent.sources.find("package.json");
  if (manifest == dependent.sources.end()) return fail(Error::bad_manifest);
  const auto value = json::parse_json(manifest->second);
  if (!value || !value->is_object()) return fail(Error::bad_manifest);
  std::set<std::string> files = loaded_files(*value, dependent.sources, limits);
  if (files.empty()) {
    for (const auto& [path, text] : dependent.sources) {
      if (!is_aside(path) && files.size() < limits.modules) files.insert(path);
    }
  }
  std::erase_if(files, [](const std::string& file) { return !is_script(file); });
  return askings_in(files, dependent.sources, package, limits);
}

/// Whether a name is known not to be there.
bool is_gone(const Wanted& wanted, const Module& module, const Ask& ask, bool modular) {
  if (module.names.contains(wanted.name)) return false;
  // What the default export of an ES module is has names of its own.
  if (module.style == Style::esm) return !wanted.by_default;
  if (wanted.name == "default") return false;
  // What compilers and bundlers take for the default of CommonJS is theirs to say; node takes all.
  return !wanted.by_default || (ask.way == Way::import && modular);
}

class FaultFinder {
 public:
  FaultFinder(std::string_view package, const Offer& offer) : package_(package), offer_(offer) {}

  std::vector<Fault> run(const std::vector<Asking>& askings) {
    for (const Asking& asking : askings) {
      for (const Ask& ask : asking.asks) judge(asking, ask);
    }
    const auto key = [](const Fault& f) { return std::tie(f.file, f.line, f.import, f.name); };
    std::stable_sort(out_.begin(), out_.end(),
                     [&](const Fault& a, const Fault& b) { return key(a) < key(b); });
    out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
    return std::move(out_);
  }

 private:
  void judge(const Asking& asking, const Ask& ask) {
    std::string import(package_);
    if (!ask.path.empty()) import += "/" + ask.path;
    const bool exact = ask.way == Way::import && asking.modular;
    const auto file = offer_.resolve(ask.path, ask.way, exact ? Paths::exact : Paths::loose);
    if (!file) {
      out_.push_back({asking.file, ask.line, import, "", file.error()});
      return;
    }
    const Module* module = offer_.module(*file);
    if (module == nullptr) return;
    if (ask.way == Way::require && module->style == Style::esm) {
      out_.push_back({asking.file, ask.line, import, "", Why::esm_only});
      return;
    }
    if (!module->complete) return;
    for (const Wanted& wanted : ask.wanted) {
      if (is_gone(wanted, *module, ask, asking.modular)) {
        out_.push_back({asking.file, wanted.line, import, wanted.name, Why::name_gone});
      }
    }
  }

  std::string_view package_;
  const Offer& offer_;
  std::vector<Fault> out_;
};

Result<std::vector<Fault>, Error> faults_with(const std::vector<Asking>& askings,
                                              std::string_view package, const Unpacked& dependency,
                                              const Limits& limits) {
  CG_TRY_ASSIGN(const Offer offer, Offer::of(dependency, limits));
  return FaultFinder(package, offer).run(askings);
}

/// Those with `after` that are none with `before`.
Result<std::vector<Fault>, Error> new_faults_with(const std::vector<Asking>& askings,
                                                  std::string_view package, const Unpacked& before,
                                                  const Unpacked& after, const Limits& limits) {
  CG_TRY_ASSIGN(const std::vector<Fault> old, faults_with(askings, package, before, limits));
  CG_TRY_ASSIGN(std::vector<Fault> out, faults_with(askings, package, after, limits));
  // Whoever could not have a path could not have its names either.
  std::set<std::tuple<std::string, std::string, std::string>> known;
  for (const Fault& fault : old) known.emplace(fault.file, fault.import, fault.name);
  std::erase_if(out, [&](const Fault& fault) {
    return known.contains({fault.file, fault.import, fault.name}) ||
           known.contains({fault.file, fault.import, ""});
  });
  if (out.size() > kMaxFaults) out.resize(kMaxFaults);
  return out;
}

std::string shown_part(std::string_view text) { return printable(cut_utf8(text, kLongestShown)); }

}  // namespace

std::string describe(const Fault& fault) {
  const std::string at = shown_part(fault.file) + ":" + std::to_string(fault.line) + " ";
  const std::string import = shown_part(fault.import);
  switch (fault.why) {
    case Why::path_gone:
      return at + "imports " + import + ", which is not there";
    case Why::not_exported:
      return at + "imports " + import + ", which is not exported";
    case Why::esm_only:
      return at + "requires " + import + ", which is an ES module";
    case Why::name_gone:
      return at + "uses " + shown_part(fault.name) + " of " + import + ", which does not have it";
  }
  CG_ASSERT(false);
}

Result<std::vector<Fault>, Error> faults(const Unpacked& dependent, std::string_view package,
                                         const Unpacked& dependency, const Limits& limits) {
  CG_TRY_ASSIGN(const std::vector<Asking> askings, askings_of(dependent, package, limits));
  CG_TRY_ASSIGN(std::vector<Fault> out, faults_with(askings, package, dependency, limits));
  if (out.size() > kMaxFaults) out.resize(kMaxFaults);
  return out;
}

Result<std::vector<Fault>, Error> new_faults(const Unpacked& dependent, std::string_view package,
                                             const Unpacked& before, const Unpacked& after,
                                             const Limits& limits) {
  CG_TRY_ASSIGN(const std::vector<Asking> askings, askings_of(dependent, package, limits));
  return new_faults_with(askings, package, before, after, limits);
}

Result<std::vector<Fault>, Error> new_faults_of(const Files& sources, std::string_view package,
                                                const Unpacked& before, const Unpacked& after,
                                                const Limits& limits) {
  std::set<std::string> files;
  for (const auto& [path, text] : sources) files.insert(path);
  return new_faults_with(askings_in(files, sources, package, limits), package, before, after,
                         limits);
}

}  // namespace cg::exports
