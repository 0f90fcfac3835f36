// For the tests of this module: trees from small locks, and releases to put into them.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "npm/lockfile/lock.h"
#include "npm/registry/packument.h"
#include "npm/resolve/place.h"
#include "npm/resolve/written.h"

namespace cg::resolve::test {

inline npm::Graph read(const std::string& packages) {
  auto graph = lockfile::read_package_lock(
      npm::LockKind::package_lock,
      R"({"name":"r","lockfileVersion":3,"packages":{)" + packages + "}}", nullptr);
  EXPECT_TRUE(graph.has_value());
  return *std::move(graph);
}

inline npm::Graph written(const std::string& root, const Written& entries) {
  auto graph = lockfile::read_package_lock(npm::LockKind::package_lock, package_lock(root, entries),
                                           nullptr);
  EXPECT_TRUE(graph.has_value());
  return *std::move(graph);
}

/// Releases that a test publishes; every range is served from the highest.
class Shop : public Choice {
 public:
  void publish(const std::string& name, const std::string& version, const std::string& more = "") {
    versions_[name].push_back(
        "\"" + version + R"(":{"name":")" + name + R"(","version":")" + version + "\"" + more +
        R"(,"dist":{"tarball":"https://registry.example/x.tgz","integrity":"sha512-)" +
        std::string(86, 'A') + "==\"}}");
  }
  void stock(const std::string& name, const Written& versions) {
    auto parsed = registry::Packument::parse(name, test::packument(name, versions));
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().what);
    packuments_[name] = std::make_unique<registry::Packument>(*std::move(parsed));
    versions_[name];
  }
  const registry::Packument& packument(const std::string& name) {
    auto& slot = packuments_[name];
    if (slot == nullptr) {
      std::string json = R"({"name":")" + name + R"(","versions":{)";
      for (std::size_t i = 0; i < versions_[name].size(); ++i)
        json += (i > 0 ? "," : "") + versions_[name][i];
      auto parsed = registry::Packument::parse(name, json + "}}");
      EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().what);
      slot = std::make_unique<registry::Packument>(*std::move(parsed));
    }
    return *slot;
  }
  Candidate at(const std::string& name, const std::string& version) {
    const auto& all = packument(name);
    const std::size_t i = *all.find(*semver::Version::parse(version));
    return {&all.release(i), &all.version(i)};
  }
  std::vector<Candidate> candidates(std::string_view package, const Want& want) override {
    std::vector<Candidate> out;
    if (!versions_.contains(std::string(package))) return out;
    const auto& all = packument(std::string(package));
    for (std::size_t i = all.size(); i-- > 0;) {
      if (want.takes(all.version(i))) out.push_back({&all.release(i), &all.version(i)});
    }
    return out;
  }

 private:
  std::map<std::string, std::vector<std::string>> versions_;
  std::map<std::string, std::unique_ptr<registry::Packument>> packuments_;
};

inline CopyId at(const Tree& tree, const std::string& location) {
  for (CopyId id = 0; id < tree.size(); ++id) {
    if (!tree.copy(id).gone && tree.location(id) == location) return id;
  }
  return kNone;
}

inline std::vector<std::string> locations(const Tree& tree) {
  std::vector<std::string> out;
  for (CopyId id = 0; id < tree.size(); ++id) {
    const Copy& copy = tree.copy(id);
    if (copy.gone || copy.is_importer()) continue;
    out.push_back(tree.location(id) + " " + (copy.version == nullptr ? "" : copy.version->str()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace cg::resolve::test
