#include "corpus.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/base/text.h"
#include "base/json/json.h"
#include "flow/precedent/lesson.h"
#include "model/callsite/callsite.h"
#include "npm/upgrade/gist.h"
#include "npm/upgrade/upgrade.h"
#include "renamed.h"
#include "support/support.h"

// Nothing here knows which record answers which case but by the folder it is made from. Versions
// are not compared by anything that is measured; advisories of a package are shared by its records,
// so that an alias tells none of them from another.

namespace cg::quality {

namespace {

namespace fs = std::filesystem;
using example::Example;

struct Advisory {
  std::string id, package, summary, details, from, to;
  std::vector<std::string> aliases, weaknesses;
};

std::vector<Advisory> read_advisories(const fs::path& file) {
  std::vector<Advisory> out;
  const std::string all = test::read(file);
  for (const std::string_view line : split(std::string_view(all), '\n')) {
    const auto value = json::parse_json(line);
    if (!value) continue;
    Advisory one{
        value->text("id"), "", value->text("summary"), value->text("details"), "", "", {}, {}};
    if (const auto* affected = value->find("affected");
        affected != nullptr && affected->as_array()) {
      if (affected->as_array()->empty()) continue;
      const auto& first = affected->as_array()->front();
      if (const auto* package = first.find("package")) one.package = package->text("name");
      const auto* ranges = first.find("ranges");
      if (ranges != nullptr && ranges->as_array() != nullptr) {
        for (const auto& range : *ranges->as_array()) {
          const auto* events = range.find("events");
          if (events == nullptr || events->as_array() == nullptr) continue;
          for (const auto& event : *events->as_array()) {
            if (!event.text("introduced").empty()) one.from = event.text("introduced");
            if (!event.text("fixed").empty()) one.to = event.text("fixed");
          }
        }
      }
    }
    const auto names = [&](const json::Value* list, std::vector<std::string>& to) {
      if (list == nullptr || list->as_array() == nullptr) return;
      for (const auto& each : *list->as_array()) {
        if (each.as_string() != nullptr) to.push_back(*each.as_string());
      }
      std::sort(to.begin(), to.end());
    };
    names(value->find("aliases"), one.aliases);
    if (const auto* more = value->find("database_specific"))
      names(more->find("cwe_ids"), one.weaknesses);
    if (!one.package.empty() && !one.summary.empty()) out.push_back(std::move(one));
  }
  std::sort(out.begin(), out.end(),
            [](const Advisory& a, const Advisory& b) { return a.id < b.id; });
  return out;
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash ^ (hash >> 31U);
}

std::string file_of(std::string spec) {
  if (spec.starts_with('@')) spec.erase(0, 1);
  std::replace(spec.begin(), spec.end(), '/', '-');
  std::replace(spec.begin(), spec.end(), '@', '-');
  return spec + ".tgz";
}

struct Step {
  std::string folder, package, use, from, to;
};

std::vector<Step> read_steps(const fs::path& file) {
  std::vector<Step> out;
  const std::string all = test::read(file);
  for (const std::string_view line : split(std::string_view(all), '\n')) {
    const auto columns = split(line, '\t');
    if (line.empty() || line.starts_with('#') || columns.size() != 5) continue;
    out.push_back({std::string(columns[0]), std::string(columns[1]), std::string(columns[2]),
                   std::string(columns[3]), std::string(columns[4])});
  }
  return out;
}

class Maker {
 public:
  Maker(fs::path data, fs::path work) : work_(std::move(work)) {
    advisories_ = read_advisories(data / "osv-npm.jsonl");
    for (const Advisory& one : advisories_) by_package_[one.package].push_back(&one);
  }

  Corpus make(std::size_t others) {
    const auto steps = read_steps(fs::path(CG_SOURCE_DIR) / "tests/learn/versions.tsv");
    fetch(steps);
    Corpus out;
    for (const Step& step : steps) add(out, step);
    add_others(out, others);
    return out;
  }

 private:
  void fetch(const std::vector<Step>& steps) {
    fs::create_directories(work_);
    std::vector<std::string> missing;
    for (const Step& step : steps) {
      for (const std::string& version : {step.from, step.to}) {
        const std::string spec = step.package + "@" + version;
        if (!fs::exists(work_ / file_of(spec)) &&
            std::find(missing.begin(), missing.end(), spec) == missing.end())
          missing.push_back(spec);
      }
    }
    for (std::size_t i = 0; i < missing.size(); i += 12) {
      std::vector<std::string> words = {"npm", "pack", "--silent", "--pack-destination", work_};
      for (std::size_t k = i; k < std::min(i + 12, missing.size()); ++k)
        words.push_back(missing[k]);
      if (test::run(words).exit != 0) throw std::runtime_error(test::kNoPackages);
    }
  }
  exports::Unpacked unpacked(const std::string& spec) {
    auto out = exports::unpack(test::read(work_ / file_of(spec)), {});
    if (!out) throw std::runtime_error(spec + " cannot be unpacked");
    return *std::move(out);
  }
  /// What a package has in its files, each version that is looked at.
  const Words& vocabulary(const Step& step) {
    Words& words = vocabulary_[step.package];
    if (words.empty()) {
      for (const auto& [path, text] : unpacked(step.package + "@" + step.to).sources) {
        if (path.ends_with(".d.ts") || path.ends_with(".js") || path.ends_with("json"))
          words.merge(words_of(text));
      }
      for (const auto& [path, text] : unpacked(step.package + "@" + step.from).sources)
        words.merge(words_of(text));
    }
    return words;
  }
  static std::map<std::string, std::string> sources(const std::string& folder) {
    std::map<std::string, std::string> out;
    const fs::path root = fs::path(CG_SOURCE_DIR) / "tests/ask/facts" / folder;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const std::string path = fs::relative(entry.path(), root).string();
      if (entry.is_regular_file() && syntax::language_of(path))
        out[path] = test::read(entry.path());
    }
    return out;
  }

  Example solve(const Step& step, const std::map<std::string, std::string>& files,
                const Advisory& advisory) {
    Example out;
    out.partition = {"vuln-remediation", "javascript", "npm"};
    out.advisory = advisory.id;
    out.aliases = advisory.aliases;
    out.weaknesses = advisory.weaknesses;
    out.package = step.package;
    out.from = step.from;
    out.to = step.to;
    out.kind = "callsite_rewrite";
    out.summary = advisory.summary;
    upgrade::Used used;
    for (const auto& [path, text] : files) {
      const auto language = *syntax::language_of(path);
      const auto uses = callsite::find_uses(text, language, step.package);
      if (!uses || uses->empty())
        throw std::runtime_error(step.folder + "/" + path + " uses nothing");
      for (const auto* pieces : {&uses->imports, &uses->functions}) {
        for (const auto& piece : *pieces) out.sites.push_back({"javascript", piece.text, ""});
      }
      used.add(upgrade::used_in(*syntax::Syntax::parse(text, language), step.package));
    }
    const auto before = unpacked(step.package + "@" + step.from);
    const auto after = unpacked(step.package + "@" + step.to);
    const auto difference = upgrade::compare({&before, nullptr}, {&after, nullptr}, used);
    if (!difference)
      throw std::runtime_error(
          step.package + " " + step.from + " and " + step.to +
          " cannot be compared: " + std::string(exports::name(difference.error())));
    out.difference = upgrade::describe(*difference);
    upgrade::Gist gist = upgrade::gist_of(*difference);
    out.breaks = precedent::break_of(gist.breaks);
    out.changed = std::move(gist.changed);
    return out;
  }
  /// The i-th of the package; of a package that has none another's, with its name in it.
  Advisory advisory_of(const std::string& package, std::size_t i) {
    const auto found = by_package_.find(package);
    if (found != by_package_.end()) return *found->second[i % found->second.size()];
    Advisory out = advisories_[(hash_of(package) + i * 977) % advisories_.size()];
    for (std::string* text : {&out.summary, &out.details})
      *text = replaced(*text, out.package, package);
    out.package = package;
    return out;
  }

  void add(Corpus& out, const Step& step) {
    const auto files = sources(step.folder);
    const Words& kept = vocabulary(step);
    const std::uint64_t seed = hash_of(step.folder + step.use + step.from);
    if (step.use == "record") {
      Example solved = solve(step, files, advisory_of(step.package, 0));
      add_twins(out, step, solved);
      out.records.push_back({Sort::solved, step.folder, std::move(solved)});
      return;
    }
    std::map<std::string, std::string> others;
    for (const auto& [path, text] : files) others[path] = renamed(text, kept, seed + others.size());
    if (step.use == "other") {
      // One for each file, as if several repositories had been through it: fewer than are asked
      // for would make it easy to be among the first.
      for (const auto& one : others) {
        out.records.push_back(
            {Sort::sibling, step.folder, solve(step, {one}, advisory_of(step.package, 0))});
      }
      return;
    }
    for (const auto& [path, text] : others) {
      out.asked.push_back(
          {step.folder, path, solve(step, {{path, text}}, advisory_of(step.package, 1))});
    }
  }

  /// Packages that are called otherwise, with its words: a fork; and one that is asked about in
  /// the words of this one's advisory.
  void add_twins(Corpus& out, const Step& step, const Example& solved) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Advisory& else_ = advisories_[(hash_of(step.folder) + i * 1409) % advisories_.size()];
      Example twin = solved;
      const bool fork = i < 2;
      const auto rename = [&](std::string& text) {
        text = replaced(text, step.package, else_.package);
      };
      rename(twin.summary);
      for (auto& site : twin.sites) {
        rename(site.before);
        if (i == 1) site.before = renamed(site.before, vocabulary(step), hash_of(else_.id));
      }
      rename(twin.difference);
      twin.package = else_.package;
      twin.advisory = else_.id;
      twin.aliases = else_.aliases;
      if (!fork) {
        twin.difference =
            else_.details + "\n" + twin.difference.substr(0, twin.difference.size() / 2);
        twin.changed = {};
      }
      out.records.push_back({Sort::twin, step.folder, std::move(twin)});
    }
  }

  void add_others(Corpus& out, std::size_t others) {
    std::map<std::string, int> taken;
    for (const Record& record : out.records) taken[record.example.package] = 9;
    std::vector<const Advisory*> list;
    for (const Advisory& one : advisories_) list.push_back(&one);
    std::sort(list.begin(), list.end(),
              [](const Advisory* a, const Advisory* b) { return hash_of(a->id) < hash_of(b->id); });
    for (const Advisory* one : list) {
      if (others == 0) return;
      if (taken[one->package]++ > 3) continue;
      --others;
      Example made;
      made.partition = {"vuln-remediation", "javascript", "npm"};
      made.advisory = one->id;
      made.aliases = one->aliases;
      made.weaknesses = one->weaknesses;
      made.package = one->package;
      made.from = one->from;
      made.to = one->to;
      made.summary = one->summary;
      made.breaks = static_cast<example::Break>(hash_of(one->id + "b") % 6);
      // Names that look like code, of what it says.
      for (const std::string& word : words_of(one->details)) {
        const bool camel =
            std::any_of(word.begin() + 1, word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
        if (camel && word.size() < 30 && made.changed.size() < 6) made.changed.push_back(word);
      }
      if (made.changed.empty()) {
        constexpr const char* kUsual[] = {"parse",  "create",  "get",  "load",
                                          "render", "default", "send", "run"};
        made.changed.push_back(kUsual[hash_of(one->id + "c") % 8]);
      }
      made.difference =
          one->package + " " + one->from + " -> " + one->to + "\n" + one->details + "\n";
      std::string site = "const it = require('" + one->package + "');\nfunction use(value) {\n";
      for (const std::string& name : made.changed) {
        made.difference +=
            "- " + name + ": REMOVED\n    was: function " + name + "(input, options)\n";
        site += "  value = it." + name + "(value);\n";
      }
      made.sites.push_back({"javascript",
                            renamed(site + "  return value;\n}\n",
                                    words_of(one->details + " " + one->package), hash_of(one->id)),
                            ""});
      out.records.push_back({Sort::other, "", std::move(made)});
    }
  }

  fs::path work_;
  std::vector<Advisory> advisories_;
  std::map<std::string, std::vector<const Advisory*>> by_package_;
  std::map<std::string, Words> vocabulary_;
};

}  // namespace

Corpus real_corpus(const fs::path& data, const fs::path& work, std::size_t others) {
  return Maker(data, work).make(others);
}

}  // namespace cg::quality
