#include "flow/propose/owners.h"

#include <gtest/gtest.h>

namespace cg::propose {
namespace {

TEST(OwnersOfFiles, AreTheNearestManifestsAboveThem) {
  Owners owners;
  for (const char* manifest : {"package.json", "packages/a/package.json",
                               "packages/a/inner/package.json", "packages/ab/package.json"}) {
    owners.add(manifest);
  }
  const struct {
    const char* file;
    const char* manifest;
  } rows[] = {{"index.js", "package.json"},
              {"src/deep/down/x.ts", "package.json"},
              {"packages/x.js", "package.json"},
              {"packages/c/x.js", "package.json"},
              {"packages/a/x.js", "packages/a/package.json"},
              {"packages/a/src/x.js", "packages/a/package.json"},
              {"packages/ab/x.js", "packages/ab/package.json"},
              {"packages/a/inner/x.js", "packages/a/inner/package.json"}};
  for (const auto& row : rows) {
    for (const char* manifest : {"package.json", "packages/a/package.json",
                                 "packages/a/inner/package.json", "packages/ab/package.json"}) {
      EXPECT_EQ(owners.owns(manifest, row.file), std::string(manifest) == row.manifest)
          << row.file << " " << manifest;
    }
  }
}

TEST(OwnersOfFiles, WithoutAManifestAboveThemAreTheRoots) {
  Owners owners;
  owners.add("packages/a/package.json");
  EXPECT_TRUE(owners.owns("package.json", "x.js"));
  EXPECT_FALSE(owners.owns("packages/a/package.json", "x.js"));
  EXPECT_TRUE(owners.owns("packages/a/package.json", "packages/a/x.js"));
}

}  // namespace
}  // namespace cg::propose
