#include "npm/exports/novelty.h"

#include <algorithm>
#include <map>

#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/exports/loaded.h"
#include "npm/exports/unpack.h"

namespace cg::exports {

namespace {

constexpr std::size_t kMostNamed = 5;
constexpr std::size_t kLongest = 120;

using Words = std::map<std::string, std::string>;

Words words_in(const json::Value& manifest, const char* key) {
  Words out;
  const json::Value* section = manifest.find(key);
  if (section == nullptr) return out;
  if (const auto* text = section->as_string()) out[manifest.text("name")] = *text;
  if (const auto* object = section->as_object()) {
    for (const auto& [name, value] : *object) {
      if (const auto* text = value.as_string()) out[name] = *text;
    }
  }
  return out;
}

/// Scripts that run when somebody installs it.
Words hooks_in(const json::Value& manifest) {
  Words out = words_in(manifest, "scripts");
  std::erase_if(out, [](const auto& script) {
    return script.first != "preinstall" && script.first != "install" &&
           script.first != "postinstall";
  });
  return out;
}

std::vector<std::string> changed(const Words& before, const Words& after, const char* between) {
  std::vector<std::string> out;
  for (const auto& [name, text] : after) {
    const auto old = before.find(name);
    if (old == before.end() || old->second != text) out.push_back(name + between + text);
  }
  return out;
}

struct Side {
  Unpacked files;
  json::Value manifest;
  std::uint64_t bytes = 0;
};

Result<Side, Error> read_side(std::string_view tarball, const Limits& limits) {
  Side out;
  CG_TRY_ASSIGN(out.files, unpack(tarball, limits));
  const auto manifest = out.files.sources.find("package.json");
  if (manifest == out.files.sources.end()) return fail(Error::bad_manifest);
  auto value = json::parse_json(manifest->second);
  if (!value || !value->is_object()) return fail(Error::bad_manifest);
  out.manifest = *std::move(value);
  for (const auto& [path, file] : out.files.all) out.bytes += file.bytes;
  return out;
}

/// "2 WHAT: a, b and 3 more"
void add_line(std::vector<std::string>& out, const std::vector<std::string>& things,
              const char* one, const char* many) {
  if (things.empty()) return;
  std::string line = counted(things.size(), one, many) + ": ";
  for (std::size_t i = 0; i < std::min(things.size(), kMostNamed); ++i) {
    line += (i == 0 ? "" : ", ") + printable(cut_utf8(things[i], kLongest));
  }
  if (things.size() > kMostNamed) {
    line += " and " + std::to_string(things.size() - kMostNamed) + " more";
  }
  out.push_back(std::move(line));
}

}  // namespace

Result<Novelty, Error> compare(std::string_view before, std::string_view after,
                               const Limits& limits) {
  CG_TRY_ASSIGN(const Side old, read_side(before, limits));
  CG_TRY_ASSIGN(const Side now, read_side(after, limits));
  Novelty out;
  for (const std::string& file : loaded_files(now.manifest, now.files.sources, limits)) {
    if (!old.files.all.contains(file)) out.loaded.push_back(file);
  }
  for (const auto& [path, file] : now.files.all) {
    const auto was = old.files.all.find(path);
    const bool is_new = was == old.files.all.end() || !was->second.native;
    if (file.native && is_new) out.native.push_back(path);
  }
  out.programs = changed(words_in(old.manifest, "bin"), words_in(now.manifest, "bin"), " -> ");
  out.scripts = changed(hooks_in(old.manifest), hooks_in(now.manifest), ": ");
  out.files_before = old.files.all.size();
  out.files_after = now.files.all.size();
  out.bytes_before = old.bytes;
  out.bytes_after = now.bytes;
  return out;
}

std::vector<std::string> describe(const Novelty& novelty) {
  std::vector<std::string> out;
  add_line(out, novelty.native, "new native file", "new native files");
  add_line(out, novelty.programs, "new program", "new programs");
  add_line(out, novelty.scripts, "new or changed install script", "new or changed install scripts");
  add_line(out, novelty.loaded, "new file runs when it is imported",
           "new files run when it is imported");
  if (novelty.bytes_before != novelty.bytes_after) {
    out.push_back("size " + grouped(novelty.bytes_before) + " -> " + grouped(novelty.bytes_after) +
                  " bytes, files " + grouped(novelty.files_before) + " -> " +
                  grouped(novelty.files_after));
  }
  return out;
}

}  // namespace cg::exports
