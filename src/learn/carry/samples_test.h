// Samples for tests: what became of the sources of tests/ask/projects by the right answers.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json/diff.h"
#include "base/json/json.h"
#include "base/json/placing.h"
#include "learn/carry/carry.h"
#include "support/support.h"

namespace cg::carry {

struct Sample {
  std::string project;
  std::string package;
  std::string path;
  std::string before;
  std::string after;
  [[nodiscard]] File file() const { return {before, *syntax::language_of(path), package}; }
};

/// All of them, in the order of the answers' names; the shop's own break is the last.
inline std::vector<Sample> samples() {
  const std::pair<const char*, const char*> kProjects[] = {
      {"backup", "tar"},           {"badges", "express-jwt"},     {"desk", "nanoid"},
      {"finder", "jsonpath-plus"}, {"invites", "nanoid"},         {"ledger", "csv-parse"},
      {"library", "lodash"},       {"listing", "xml2js"},         {"parcel", "jszip"},
      {"press", "marked"},         {"rates", "fast-xml-parser"},  {"signout", "passport"},
      {"stripes", "nth-check"},    {"transit", "path-to-regexp"}, {"shop", "tinyshop-session"}};
  std::vector<Sample> out;
  const std::string root = CG_SOURCE_DIR;
  for (const auto& [project, package] : kProjects) {
    const bool shop = std::string_view(project) == "shop";
    const std::string answer = shop ? root + "/examples/model/session.json"
                                    : root + "/tests/ask/answers/" + project + ".right.json";
    const std::string folder =
        shop ? root + "/examples/shop/" : root + "/tests/ask/projects/" + project + "/";
    const auto said = json::parse_json(test::read(answer));
    if (!said) continue;
    const auto patch = json::parse_loose_diff(said->text("diff"));
    if (!patch) continue;
    for (const json::FilePatch& one : patch->files) {
      const std::string before = test::read(folder + one.path);
      const auto after = json::place(one, before);
      if (after) out.push_back({project, package, one.path, before, *after});
    }
  }
  return out;
}

inline Sample sample(std::string_view project, std::string_view path) {
  for (Sample& one : samples()) {
    if (one.project == project && one.path.ends_with(path)) return std::move(one);
  }
  ADD_FAILURE() << "no sample " << project << " " << path;
  return {};
}

/// All that the answers use of the new versions.
inline const exports::Api& api() {
  static const exports::Api all =
      exports::read_files(
          {{"package.json", R"({"exports": {".": "./a.js", "./lib/sync": "./a.js"}})"},
           {"a.js",
            "exports.list = exports.create = exports.nanoid = exports.customAlphabet = 1;"
            "exports.orderBy = exports.keyBy = exports.includes = exports.map = 1;"
            "exports.marked = exports.XMLParser = exports.XMLValidator = exports.XMLBuilder = 1;"
            "exports.parse = exports.compile = exports.match = exports.openSession = 1;"
            "exports.loadAsync = 1;"}})
          .value();
  return all;
}

inline std::string said(const Result<std::string, Refusal>& result) {
  return result ? *result : "refused: " + describe(result.error());
}

}  // namespace cg::carry
