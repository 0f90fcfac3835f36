// For tests: a registry with two packages, advisories about some of their versions, and a
// repository that uses them.
#pragma once

#include <map>
#include <set>
#include <string>

#include "fix/plan/advisories.h"
#include "model/proposal/judge.h"
#include "npm/registry/packument.h"

namespace cg::proposal::test {

inline semver::Version version(std::string_view text) {
  return semver::Version::parse(text).value();
}

/// `menu` is vulnerable below 3.0.0, and 3.1.0 is again. `cafe` brings it.
class World : public registry::Source, public plan::Advisories {
 public:
  World() {
    options.cooldown_days = 7;
    options.now = Time{1'800'000'000'000};
    options.new_scripts = plan::NewScripts::refuse;
    options.node = semver::Range::parse(">=18").value();
    options.tried.push_back({"menu", "3.0.4"});
    publish("menu",
            {{"1.0.0", ""},
             {"2.0.0", ""},
             {"2.1.0", ""},
             {"3.0.0", ""},
             {"3.0.1", R"("deprecated":"use 3.0.2",)"},
             {"3.0.2", ""},
             {"3.0.3", R"("scripts":{"install":"node x"},"hasInstallScript":true,)"},
             {"3.0.4", ""},
             {"3.0.5", R"("engines":{"node":"<10"},)"},
             {"3.0.6", R"("bundleDependencies":["cafe"],"dependencies":{"cafe":"^1.0.0"},)"},
             {"3.0.7", R"("_hasShrinkwrap":true,)"},
             {"3.1.0", ""},
             {"3.9.9", ""},
             {"4.0.0-beta.1", ""}});
    publish("cafe", {{"1.0.0", ""}, {"1.1.0", ""}, {"2.0.0-rc.1", ""}, {"2.0.0-rc.2", ""}});
    for (const char* bad : {"1.0.0", "2.0.0", "2.1.0", "3.1.0"}) {
      affected_.insert(std::string("menu ") + bad);
    }
  }

  const registry::Packument* get(std::string_view name) override {
    const auto found = packuments_.find(name);
    return found == packuments_.end() ? nullptr : &found->second;
  }
  bool affected(std::string_view package, const semver::Version& version) override {
    return affected_.contains(std::string(package) + " " + version.str());
  }

  [[nodiscard]] Known known() {
    return {
        .packages = {{"menu", {version("1.0.0"), version("2.0.0")}},
                     {"cafe", {version("1.0.0")}},
                     {"ghost", {version("1.0.0")}}},
        .manifests = {{"package.json", {{"menu", version("2.0.0")}, {"cafe", version("1.0.0")}}},
                      {"packages/site/package.json", {{"menu", version("1.0.0")}}}},
        .files = files,
        .script_commands = {"mocha --file src/prepare.js", "node ./run/all", "node tools/pack",
                            "eslint lib/rules.js && node serve"},
        .api = api(),
        .source = *this,
        .advisories = *this,
        .options = options};
  }

  plan::Options options;
  std::map<std::string, std::string, std::less<>> files;

  /// Of `menu` in its new version.
  [[nodiscard]] static exports::Api api() {
    return exports::read_files(
               {{"package.json", R"({"name":"menu","version":"3.0.0","exports":{
                  ".":"./index.js","./lite":"./lite.js"}})"},
                {"index.js",
                 "exports.Menu = class {};\nexports.createMenu = (options) => 1;\n"
                 "module.exports = { draw(items) {}, open() {}, show() {}, run() {}, b(x) {},\n"
                 "  render(items) {}, count() {}, Menu: exports.Menu };\n"},
                {"lite.js", "exports.draw = (items) => items;\n"}})
        .value();
  }

 private:
  void publish(const std::string& name,
               const std::vector<std::pair<std::string, std::string>>& versions) {
    std::string rows;
    std::string times;
    for (const auto& [number, more] : versions) {
      const std::string comma = rows.empty() ? "" : ",";
      rows += comma + "\"" + number + R"(":{"name":")" + name + R"(","version":")" + number +
              "\"," + more + R"("dist":{"tarball":"https://registry.example/)" + name + "/-/" +
              name + "-" + number + R"(.tgz","integrity":"sha512-)" + std::string(86, 'A') +
              R"(=="}})";
      // The youngest is a day old.
      const char* day = number == "3.9.9" ? "2027-01-14" : "2026-01-01";
      times += comma + "\"" + number + "\":\"" + day + R"(T08:00:00.000Z")";
    }
    const std::string json = R"({"name":")" + name + R"(","dist-tags":{},"versions":{)" + rows +
                             R"(},"time":{)" + times + "}}";
    packuments_.emplace(name, *registry::Packument::parse(name, json));
  }

  std::map<std::string, registry::Packument, std::less<>> packuments_;
  std::set<std::string> affected_;
};

}  // namespace cg::proposal::test
