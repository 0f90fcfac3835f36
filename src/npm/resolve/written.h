// For tests: locks, manifests and packuments in a few words.
//
// A package is "1.1.0 a=^1.0.0 peer:b=^2.0.0 +script": a version, then words. `a=range` is
// a dependency; `dev:`, `opt:`, `peer:` and `maybe:` (an optional peer) before the name say
// of which kind; an underscore in a range is a space. `engine:node=>=18`, `bundle:a`,
// `real:name` (of an alias), `from:url`, `link:folder`, `workspaces:packages/*`, `at:2024-01-31`
// (when it was published) and `+script`, `+deprecated`, `+shrinkwrap`, `+bundled`, `+dev`, … are
// fields. In a lock the place comes first: "a 1.0.0", "a>b 1.0.0" for a copy of b inside a's
// folder, or a folder of the repository, "packages/w -" (no version).
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/text.h"

namespace cg::resolve::test {

using Written = std::vector<std::string>;

inline std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

/// The fields that the words say, as JSON, each with a comma before it.
inline std::string fields(const std::vector<std::string_view>& words, std::size_t first) {
  static const std::map<std::string_view, std::string_view> kKinds = {
      {"", "dependencies"},         {"dev", "devDependencies"},    {"opt", "optionalDependencies"},
      {"peer", "peerDependencies"}, {"maybe", "peerDependencies"}, {"engine", "engines"}};
  static const std::map<std::string_view, std::string_view> kTrue = {{"script", "hasInstallScript"},
                                                                     {"bundled", "inBundle"}};
  std::map<std::string, std::string> objects;
  std::string bundle;
  std::string out;
  for (std::size_t i = first; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word.starts_with("from:")) {
      out += ",\"resolved\":" + in_quotes(word.substr(5));
    } else if (word.starts_with("link:")) {
      out += ",\"link\":true,\"resolved\":" + in_quotes(word.substr(5));
    } else if (word.starts_with("real:")) {
      out += ",\"name\":" + in_quotes(word.substr(5));
    } else if (word.starts_with("workspaces:")) {
      out += ",\"workspaces\":[" + in_quotes(word.substr(11)) + "]";
    } else if (word.starts_with("bundle:")) {
      bundle += (bundle.empty() ? "" : ",") + in_quotes(word.substr(7));
    } else if (word == "+deprecated") {
      out += ",\"deprecated\":\"no\"";
    } else if (word == "+shrinkwrap") {
      out += ",\"hasShrinkwrap\":true,\"_hasShrinkwrap\":true";
    } else if (word.starts_with('+')) {
      const auto known = kTrue.find(word.substr(1));
      out += "," + in_quotes(known == kTrue.end() ? word.substr(1) : known->second) + ":true";
    } else if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
      const std::string_view left = word.substr(0, equals);
      const std::size_t colon = left.find(':');
      const bool plain = colon == std::string_view::npos;
      const std::string_view kind = plain ? std::string_view() : left.substr(0, colon);
      const std::string name(plain ? left : left.substr(colon + 1));
      std::string range(word.substr(equals + 1));
      std::replace(range.begin(), range.end(), '_', ' ');
      std::string& object = objects[std::string(kKinds.at(kind))];
      object += (object.empty() ? "" : ",") + in_quotes(name) + ":" + in_quotes(range);
      if (kind == "maybe") {
        std::string& meta = objects["peerDependenciesMeta"];
        meta += (meta.empty() ? "" : ",") + in_quotes(name) + ":{\"optional\":true}";
      }
    }
  }
  for (const auto& [key, inner] : objects) out += "," + in_quotes(key) + ":{" + inner + "}";
  if (!bundle.empty()) out += ",\"bundleDependencies\":[" + bundle + "]";
  return out;
}

/// "a>b" as "node_modules/a/node_modules/b"; folders of the repository as they are.
inline std::string place(std::string_view text) {
  std::string out;
  for (const std::string_view part : split(text, '>')) {
    const bool folder = out.empty() && part.starts_with("packages/");
    out +=
        (out.empty() ? "" : "/") + std::string(folder ? "" : "node_modules/") + std::string(part);
  }
  return out;
}

/// package-lock.json of version 3.
inline std::string package_lock(const std::string& root, const Written& entries) {
  std::string out = R"({"name":"r","lockfileVersion":3,"packages":{"":{"name":"r")";
  out += fields(split(root, ' '), 0) + "}";
  for (const std::string& entry : entries) {
    const auto words = split(entry, ' ');
    std::string inner = fields(words, 2);
    if (words[1] != "-") inner = ",\"version\":" + in_quotes(words[1]) + inner;
    out += "," + in_quotes(place(words[0])) + ":{" + inner.substr(inner.empty() ? 0 : 1) + "}";
  }
  return out + "}}\n";
}

/// A packument; a word `tag:latest` says what the tag stands for.
inline std::string packument(const std::string& name, const Written& versions) {
  std::string list, tags, times;
  const auto add = [](std::string& to, const std::string& what) {
    to += (to.empty() ? "" : ",") + what;
  };
  for (const std::string& text : versions) {
    const auto words = split(text, ' ');
    const std::string version = in_quotes(words[0]);
    for (const std::string_view word : words) {
      if (word.starts_with("tag:")) add(tags, in_quotes(word.substr(4)) + ":" + version);
      if (word.starts_with("at:"))
        add(times, version + ":" + in_quotes(std::string(word.substr(3)) + "T00:00:00.000Z"));
    }
    add(list, version + ":{\"name\":" + in_quotes(name) + ",\"version\":" + version +
                  fields(words, 1) + R"(,"dist":{"integrity":"sha512-)" + std::string(86, 'A') +
                  R"(==","shasum":")" + std::string(40, '0') +
                  R"(","tarball":"https://registry.example/)" + name + "/-/" + name + "-" +
                  std::string(words[0]) + R"(.tgz"}})");
  }
  return "{\"name\":" + in_quotes(name) + ",\"dist-tags\":{" + tags + "},\"time\":{" + times +
         "},\"versions\":{" + list + "}}";
}

}  // namespace cg::resolve::test
