// For the tests of this module: advisories and packuments in memory.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/base/text.h"
#include "fix/plan/advisories.h"
#include "npm/registry/packument.h"
#include "vuln/advisory/affects.h"
#include "vuln/advisory/osv.h"
#include "vuln/advisory/rule.h"
#include "vuln/findings/match.h"

namespace cg::plan::test {

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void read_lines(const std::filesystem::path& path,
                       const std::function<void(std::string)>& take) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) take(std::move(line));
}

/// One record: the package from `introduced` on, up to and without `fixed` (empty: for ever).
inline std::string osv(const std::string& name, const std::string& fixed,
                       const std::string& introduced = "0",
                       const std::string& id = "GHSA-aaaa-aaaa-aaaa") {
  return R"({"id":")" + id + R"(","modified":"2024-01-01T00:00:00Z","affected":[{"package":)" +
         R"({"ecosystem":"npm","name":")" + name + R"("},"ranges":[{"type":"SEMVER","events":[)" +
         R"({"introduced":")" + introduced + "\"}" +
         (fixed.empty() ? "" : R"(,{"fixed":")" + fixed + "\"}") + "]}]}]}";
}

class World : public registry::Source, public Advisories {
 public:
  /// One OSV record; withdrawn ones and other ecosystems are passed over.
  void advise(std::string_view osv) {
    auto record = advisory::parse_osv(osv);
    if (!record) return;
    const auto* found = std::get_if<advisory::Advisory>(&*record);
    if (found == nullptr) return;
    for (const auto& [package, rule] : advisory::rules_of(*found)) {
      bytes_.push_back(std::make_unique<std::string>(advisory::encode_rule(rule)));
      rules_[package].push_back(*advisory::RuleView::parse(*bytes_.back()));
    }
  }
  void publish(std::string name, std::string json) { texts_[std::move(name)] = std::move(json); }

  const registry::Packument* get(std::string_view name) override {
    const auto known = packuments_.find(name);
    if (known != packuments_.end()) return known->second.get();
    auto& slot = packuments_[std::string(name)];
    const auto text = texts_.find(name);
    if (text == texts_.end()) {
      ++missing;
      return nullptr;
    }
    auto packument = registry::Packument::parse(name, text->second);
    if (packument) slot = std::make_unique<registry::Packument>(*std::move(packument));
    return slot.get();
  }
  bool affected(std::string_view package, const semver::Version& version) override {
    const auto rules = rules_.find(package);
    if (rules == rules_.end()) return false;
    const advisory::VersionKey key(version);
    for (const advisory::RuleView& rule : rules->second) {
      if (rule.evaluate(key)) return true;
    }
    return false;
  }
  const findings::RuleSet& rules() const { return rules_; }

  std::size_t missing = 0;

 private:
  std::map<std::string, std::string, std::less<>> texts_;
  std::map<std::string, std::unique_ptr<registry::Packument>, std::less<>> packuments_;
  std::vector<std::unique_ptr<std::string>> bytes_;
  findings::RuleSet rules_;
};

}  // namespace cg::plan::test
