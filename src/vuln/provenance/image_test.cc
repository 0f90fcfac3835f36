// Container images: SBOMs in three formats, what belongs to the runtime, and both sides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vuln/provenance/image_adapter.h"

namespace cg::provenance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kNpmPath = "/usr/local/lib/node_modules/npm/node_modules/tar/package.json";

const std::string kCycloneDx = R"({
  "bomFormat": "CycloneDX", "specVersion": "1.5",
  "metadata": {"component": {"type": "container", "name": "node", "version": "18-alpine"}},
  "components": [
    {"type": "library", "name": "tar", "version": "6.1.0", "purl": "pkg:npm/tar@6.1.0",
     "properties": [{"name": "syft:location:0:path", "value": ")" +
                               kNpmPath + R"("}]},
    {"type": "library", "group": "@scope", "name": "tool", "version": "1.0.0",
     "purl": "pkg:npm/%40scope/tool@1.0.0",
     "evidence": {"occurrences": [{"location": "/opt/tool/package.json"}]},
     "components": [{"type": "library", "name": "inner", "version": "2.0.0",
                     "purl": "pkg:npm/inner@2.0.0"}]},
    {"type": "library", "name": "openssl", "version": "3.0.0", "purl": "pkg:apk/alpine/openssl@3.0.0"}
  ]})";

const std::string kSpdx = R"({
  "spdxVersion": "SPDX-2.3", "name": "node:18",
  "packages": [
    {"name": "node", "SPDXID": "SPDXRef-Root", "primaryPackagePurpose": "CONTAINER"},
    {"name": "tar", "SPDXID": "SPDXRef-Package-1", "versionInfo": "6.1.0",
     "sourceInfo": "acquired from: /usr/lib/node_modules/npm/node_modules/tar/package.json, /srv/x",
     "externalRefs": [{"referenceType": "purl", "referenceLocator": "pkg:npm/tar@6.1.0"}]},
    {"name": "a", "SPDXID": "SPDXRef-Package-2", "versionInfo": "1.0.0",
     "externalRefs": [{"referenceType": "purl", "referenceLocator": "pkg:npm/a@1.0.0"}]}],
  "files": [{"SPDXID": "SPDXRef-File-9", "fileName": "/opt/a/package.json"}],
  "relationships": [{"spdxElementId": "SPDXRef-Package-2", "relationshipType": "OTHER",
                     "relatedSpdxElement": "SPDXRef-File-9"}]})";

const std::string kSyft = R"({
  "artifacts": [
    {"name": "tar", "version": "6.1.0", "type": "npm", "purl": "pkg:npm/tar@6.1.0",
     "locations": [{"path": ")" +
                          kNpmPath + R"("}]},
    {"name": "node", "version": "18.1.0", "type": "binary", "purl": "pkg:generic/node@18.1.0",
     "locations": [{"path": "/usr/local/bin/node"}]}],
  "source": {"type": "image", "metadata": {"userInput": "node:18"}},
  "descriptor": {"name": "syft", "version": "1.0.0"}, "schema": {"version": "16.0.0"}})";

Sbom read(const std::string& text) {
  const auto sbom = read_sbom(text);
  EXPECT_TRUE(sbom) << (sbom ? "" : sbom.error().what);
  return sbom ? *sbom : Sbom{};
}

std::vector<std::string> names(const Sbom& sbom) {
  std::vector<std::string> out;
  for (const Component& each : sbom.components) {
    out.push_back(each.type + ":" + each.name + "@" + each.version);
  }
  return out;
}

ImageLayer layer_of(const std::string& text) {
  return {{{"node:18", "Dockerfile", 3}}, read(text), "", {}};
}

TEST(Sbom, ReadsCycloneDx) {
  const Sbom sbom = read(kCycloneDx);
  EXPECT_EQ(sbom.format, Sbom::Format::cyclonedx);
  EXPECT_EQ(sbom.subject, "node:18-alpine");
  EXPECT_THAT(names(sbom), ElementsAre("npm:tar@6.1.0", "npm:@scope/tool@1.0.0", "npm:inner@2.0.0",
                                       "apk:openssl@3.0.0"));
  EXPECT_THAT(sbom.components[0].paths, ElementsAre(kNpmPath));
  EXPECT_THAT(sbom.components[1].paths, ElementsAre("/opt/tool/package.json"));
}

TEST(Sbom, ReadsSpdx) {
  const Sbom sbom = read(kSpdx);
  EXPECT_EQ(sbom.format, Sbom::Format::spdx);
  EXPECT_EQ(sbom.subject, "node:18");
  EXPECT_THAT(names(sbom), ElementsAre("npm:tar@6.1.0", "npm:a@1.0.0"));
  EXPECT_THAT(sbom.components[0].paths,
              ElementsAre("/usr/lib/node_modules/npm/node_modules/tar/package.json", "/srv/x"));
  EXPECT_THAT(sbom.components[1].paths, ElementsAre("/opt/a/package.json"));
}

TEST(Sbom, ReadsSyft) {
  const Sbom sbom = read(kSyft);
  EXPECT_EQ(sbom.format, Sbom::Format::syft);
  EXPECT_EQ(sbom.subject, "node:18");
  EXPECT_THAT(names(sbom), ElementsAre("npm:tar@6.1.0", "generic:node@18.1.0"));
}

TEST(Sbom, RefusesTheRestByName) {
  using Kind = SbomError::Kind;
  const struct {
    std::string text;
    Kind kind;
  } cases[] = {
      {"", Kind::syntax},
      {"[]", Kind::syntax},
      {"{\"bomFormat\": \"CycloneDX\"", Kind::syntax},
      {"{\"a\": 1, \"a\": 2}", Kind::syntax},
      {"{}", Kind::unknown_format},
      {R"({"artifacts": []})", Kind::unknown_format},
      {R"({"bomFormat": "CycloneDX", "specVersion": "1.3"})", Kind::version},
      {R"({"bomFormat": "CycloneDX"})", Kind::version},
      {R"({"spdxVersion": "SPDX-3.0"})", Kind::version},
      {R"({"bomFormat": "CycloneDX", "specVersion": "1.6", "components": {}})", Kind::shape},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const auto sbom = read_sbom(c.text);
    ASSERT_FALSE(sbom);
    EXPECT_EQ(sbom.error().kind, c.kind) << sbom.error().what;
  }
}

TEST(Sbom, SurvivesAnyCutAndAnyChangedByte) {
  for (const std::string& whole : {kCycloneDx, kSpdx, kSyft}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_FALSE(read_sbom(whole.substr(0, size)));
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x15);
      static_cast<void>(read_sbom(changed));
    }
  }
}

TEST(Runtime, IsKnownByItsFolder) {
  const std::pair<std::string, std::string> cases[] = {
      {"usr/local/lib/node_modules/npm/node_modules/tar/package.json", "npm"},
      {"/usr/lib/node_modules/npm/package.json", "npm"},
      {"/usr/local/lib/node_modules/corepack/dist/lib", "corepack"},
      {"/home/node/.nvm/versions/node/v18.0.0/lib/node_modules/npm/x", "npm"},
      {"/usr/share/nodejs/npm/package.json", "npm"},
      {"/opt/yarn-v1.22.19/lib/cli.js", "yarn"},
      {"/usr/local/bin/node", "node"},
      {"/usr/local/lib/node_modules/pm2/node_modules/tar/package.json", ""},
      {"/app/node_modules/npm/node_modules/tar/package.json", ""},
      {"/app/lib/node_modules/npm/package.json", ""},
      {"/app/bin/node", ""},
      {"", ""},
  };
  for (const auto& [path, runtime] : cases) EXPECT_EQ(runtime_of(path), runtime) << path;
}

TEST(Image, NpmsOwnPackagesAreTheRuntimes) {
  const auto found = find_in_image(layer_of(kSyft), {"npm", "tar", "6.1.0"});
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, Provenance(RuntimeBundled{"npm", kNpmPath}));
  EXPECT_EQ(find_in_image(layer_of(kSyft), {"npm", "tar", "6.1.1"}), std::nullopt);
  EXPECT_EQ(find_in_image(layer_of(kSyft), {"deb", "tar", "6.1.0"}), std::nullopt);
  EXPECT_EQ(kind_name(*find_in_image(layer_of(kSyft), {"generic", "node", "18.1.0"})),
            "runtime_bundled");
}

TEST(Image, OtherPackagesAreTheImages) {
  const ImageLayer layer = layer_of(kCycloneDx);
  EXPECT_EQ(*find_in_image(layer, {"npm", "@scope/tool", "1.0.0"}),
            Provenance(BaseImage{"node:18", "Dockerfile", 3, "/opt/tool/package.json"}));
  EXPECT_EQ(*find_in_image(layer, {"apk", "openssl", "3.0.0"}),
            Provenance(BaseImage{"node:18", "Dockerfile", 3, ""}));
  // A copy that the image's maker put there counts before the runtime's.
  EXPECT_EQ(kind_name(*find_in_image(layer_of(kSpdx), {"npm", "tar", "6.1.0"})), "base_image");
}

TEST(Image, WhatLiesInTheApplicationsFolderIsNotTheImages) {
  ImageLayer layer = layer_of(kCycloneDx);
  layer.app_folders = {"/opt/tool/"};
  EXPECT_EQ(find_in_image(layer, {"npm", "@scope/tool", "1.0.0"}), std::nullopt);
  layer.app_folders = {"/opt/too"};
  EXPECT_NE(find_in_image(layer, {"npm", "@scope/tool", "1.0.0"}), std::nullopt);
}

TEST(Image, OfSeveralImagesTheSbomsSubjectDecides) {
  ImageLayer layer = layer_of(kSpdx);
  layer.images = {{"busybox", "Dockerfile", 1}, {"node:18", "Dockerfile", 9}};
  EXPECT_EQ(std::get<BaseImage>(*find_in_image(layer, {"npm", "a", "1.0.0"})).line, 9U);
  layer.images.pop_back();
  layer.images.push_back({"node:20", "Dockerfile", 9});
  EXPECT_EQ(std::get<BaseImage>(*find_in_image(layer, {"npm", "a", "1.0.0"})).line, 0U);
}

TEST(Image, WithoutAnSbomNothingIsClaimedAndAFailureIsUnknown) {
  ImageLayer layer;
  layer.images = {{"node:18", "Dockerfile", 1}};
  EXPECT_EQ(find_in_image(layer, {"npm", "tar", "6.1.0"}), std::nullopt);
  layer.failure = "sbom.json: not JSON";
  const auto found = find_in_image(layer, {"npm", "tar", "6.1.0"});
  ASSERT_TRUE(found);
  EXPECT_THAT(std::get<Unknown>(*found).reason, HasSubstr("not JSON"));
}

TEST(Combine, BothSidesAndNeither) {
  const Provenance app = AppDirect{"package.json", 4};
  const Provenance image = BaseImage{"node:18", "Dockerfile", 1, ""};
  EXPECT_EQ(combine(app, std::nullopt), app);
  EXPECT_EQ(combine(std::nullopt, image), image);
  EXPECT_EQ(combine(app, image), Provenance(Both{"asked for by package.json:4",
                                                 "brought by the image node:18 of Dockerfile:1"}));
  EXPECT_EQ(kind_name(combine(std::nullopt, std::nullopt)), "unknown");
  EXPECT_EQ(combine(app, Unknown{"x"}), Provenance(Unknown{"x"}));
  EXPECT_EQ(combine(Unknown{"y"}, image), Provenance(Unknown{"y"}));
}

}  // namespace
}  // namespace cg::provenance
