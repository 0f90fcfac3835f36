// Files of a commit on disk: the bytes that are stored, and only plain files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bench.h"

namespace cg::gitrepo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

struct Export {
  Export(Bench& bench, Filter filter, const std::string& rev = "main", ExportLimits limits = {})
      : folder(bench.path("out")) {
    fs::remove_all(folder);
    fs::create_directory(folder);
    auto made = bench.program.export_files(
        {bench.repo(), bench.id(rev), std::move(filter), folder, limits});
    if (made) {
      exported = *std::move(made);
    } else {
      error = made.error();
    }
  }
  [[nodiscard]] std::vector<std::string> paths() const {
    std::vector<std::string> out;
    for (const ExportedFile& file : exported.files) out.push_back(file.path);
    return out;
  }
  std::string folder;
  Exported exported;
  Error error{Error::Kind::stopped, ""};
};

TEST(Export, NamesGlobsOrEverything) {
  Bench bench;
  EXPECT_THAT(Export(bench, kManifests).paths(),
              ElementsAre("apps/x/package.json", "package-lock.json", "package.json"));
  EXPECT_THAT(Export(bench, {{}, {"apps/**"}, {}}).paths(), ElementsAre("apps/x/package.json"));
  EXPECT_THAT(Export(bench, {{"package.json"}, {}, {"apps"}}).paths(), ElementsAre("package.json"));
  const Export all(bench, {});
  EXPECT_EQ(all.exported.files.size(), 7U);
  EXPECT_EQ(test::read(all.folder + "/picture.bin"), std::string("\0\1\2\3", 4));
  const auto mode = fs::status(all.folder + "/bin/run").permissions();
  EXPECT_EQ(mode, fs::perms::owner_all);
}

TEST(Export, AttributesAndFiltersDoNothing) {
  Bench bench;
  bench.write("repo/.gitattributes", "* text eol=crlf filter=evil ident\n");
  bench.git({"config", "filter.evil.smudge", "touch " + bench.path("ran")});
  bench.git({"config", "filter.evil.clean", "cat"});
  bench.git({"config", "core.autocrlf", "true"});
  bench.commit("fix: attributes");
  fs::remove(bench.path("ran"));
  const Export all(bench, kManifests);
  EXPECT_EQ(test::read(all.folder + "/package.json"), "{\n  \"name\": \"a\"\n}\n");
  EXPECT_FALSE(fs::exists(bench.path("ran")));
}

TEST(Export, LinksSubmodulesAndHugeFilesAreSkippedAndListed) {
  Bench bench;
  fs::create_symlink("/etc/passwd", bench.path("repo/apps/package-lock.json"));
  bench.write("repo/big/package.json", std::string(2U << 20U, ' '));
  bench.git({"update-index", "--add", "--cacheinfo", "160000," + bench.id("main").hex() + ",sub"});
  bench.git({"add", "-A", "apps", "big"});
  bench.git({"commit", "-q", "-m", "fix: odd things"});
  ExportLimits limits;
  limits.max_file_bytes = 1U << 20U;
  const Export made(bench, kManifests, "HEAD", limits);
  ASSERT_EQ(made.exported.skipped.size(), 3U) << made.error.what;
  EXPECT_EQ(made.exported.skipped[0].path, "apps/package-lock.json");
  EXPECT_EQ(made.exported.skipped[0].why, Skipped::Why::symlink);
  EXPECT_EQ(made.exported.skipped[1].why, Skipped::Why::too_big);
  EXPECT_EQ(made.exported.skipped[2].why, Skipped::Why::submodule);
  EXPECT_FALSE(fs::exists(fs::symlink_status(made.folder + "/apps/package-lock.json")));
}

/// A chain of repositories, each a submodule of the one before: repo, s1, s2 and so on.
void add_submodules(const Bench& bench, unsigned count) {
  const auto allowed = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"-c", "protocol.file.allow=always"});
    return words;
  };
  const auto name = [](unsigned i) { return "s" + std::to_string(i); };
  for (unsigned i = count; i > 0; --i) {
    fs::create_directory(bench.path(name(i)));
    bench.git({"init", "-q", "-b", "main"}, name(i));
    bench.write(name(i) + "/file", "of " + name(i) + "\n");
    if (i < count) {
      bench.git(allowed({"submodule", "--quiet", "add", bench.path(name(i + 1)), name(i + 1)}),
                name(i));
    }
    bench.commit("fix: " + name(i), name(i));
  }
  bench.git(allowed(
      {"submodule", "--quiet", "add", "--name", "other name", bench.path("s1"), "third/party"}));
  bench.git(allowed({"submodule", "--quiet", "update", "--init", "--recursive"}));
  bench.commit("fix: submodules");
}

struct WithSubmodules {
  explicit WithSubmodules(Bench& bench, const std::string& folder = "repo")
      : out(bench.path("out")) {
    fs::remove_all(out);
    fs::create_directory(out);
    auto made = bench.program.export_files({bench.path(folder),
                                            bench.id("HEAD", folder),
                                            {{"file"}, {"**/link"}, {}},
                                            out,
                                            {},
                                            Links::told,
                                            Submodules::exported});
    EXPECT_TRUE(made.has_value()) << made.error().what;
    if (!made) return;
    for (const ExportedFile& file : made->files) paths.push_back(file.path);
    for (const TreeLink& link : made->links) paths.push_back(link.path + " -> " + link.target);
    for (const Skipped& skipped : made->skipped) {
      EXPECT_EQ(skipped.why, Skipped::Why::submodule);
      paths.push_back("without " + skipped.path);
    }
  }
  std::string out;
  std::vector<std::string> paths;
};

TEST(Export, SubmodulesThatAreHereAreExportedThreeDeep) {
  Bench bench;
  add_submodules(bench, 4);
  const WithSubmodules made(bench);
  EXPECT_THAT(made.paths, ElementsAre("third/party/file", "third/party/s2/file",
                                      "third/party/s2/s3/file", "without third/party/s2/s3/s4"));
  EXPECT_EQ(test::read(made.out + "/third/party/s2/file"), "of s2\n");
  EXPECT_THAT(WithSubmodules(bench, "repo/third/party").paths,
              ElementsAre("file", "s2/file", "s2/s3/file", "s2/s3/s4/file"));
  // Nobody who does not ask gets them.
  EXPECT_THAT(Export(bench, {{"file"}, {}, {}}, "HEAD").paths(), testing::IsEmpty());
}

TEST(Export, LinksOfSubmodulesAreToldWithTheirWholePath) {
  Bench bench;
  fs::create_directory(bench.path("s1"));
  bench.git({"init", "-q", "-b", "main"}, "s1");
  fs::create_symlink("../../package.json", bench.path("s1/link"));
  bench.commit("fix: a link", "s1");
  bench.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", bench.path("s1"),
             "third/party"});
  bench.commit("fix: a submodule");
  EXPECT_THAT(WithSubmodules(bench).paths, ElementsAre("third/party/link -> ../../package.json"));
}

TEST(Export, SubmodulesThatAreNotHereAreSkippedAsAWhole) {
  Bench bench;
  add_submodules(bench, 2);
  const std::string module = bench.path("repo/.git/modules/other name");
  const std::string commit = bench.id("HEAD", "s2").hex();
  const std::string tree = bench.git({"rev-parse", "HEAD^{tree}"}, "s2");
  const std::string blob = bench.git({"rev-parse", "HEAD:file"}, "s2");
  const auto object = [&](const std::string& id) {
    return module + "/modules/s2/objects/" + id.substr(0, 2) + "/" + id.substr(2);
  };
  for (const std::string& id : {commit, tree, blob}) {
    ASSERT_TRUE(fs::exists(object(id)));
    fs::rename(object(id), object(id) + "-kept");
    EXPECT_THAT(WithSubmodules(bench).paths,
                ElementsAre("third/party/file", "without third/party/s2"));
    fs::rename(object(id) + "-kept", object(id));
  }
  EXPECT_EQ(WithSubmodules(bench).paths.size(), 2U);
  fs::rename(module, bench.path("elsewhere"));
  EXPECT_THAT(WithSubmodules(bench).paths, ElementsAre("without third/party"));
  fs::create_symlink(bench.path("elsewhere"), module);
  EXPECT_THAT(WithSubmodules(bench).paths, ElementsAre("without third/party"));
}

TEST(Export, LinksAreToldAndNotMade) {
  Bench bench;
  fs::create_symlink("../bin/run", bench.path("repo/apps/run"));
  fs::create_symlink("/etc/passwd", bench.path("repo/apps/out"));
  fs::create_symlink(std::string(2'000, 'x'), bench.path("repo/apps/long"));
  bench.git({"add", "-A", "apps"});
  bench.git({"commit", "-q", "-m", "fix: links"});
  const std::string folder = bench.path("told");
  fs::create_directory(folder);
  const auto made = bench.program.export_files(
      {bench.repo(), bench.id("HEAD"), {{}, {"apps/*"}, {}}, folder, {}, Links::told});
  ASSERT_TRUE(made.has_value()) << made.error().what;
  ASSERT_EQ(made->links.size(), 2U);
  EXPECT_EQ(made->links[0].path + " -> " + made->links[0].target, "apps/out -> /etc/passwd");
  EXPECT_EQ(made->links[1].path + " -> " + made->links[1].target, "apps/run -> ../bin/run");
  ASSERT_EQ(made->skipped.size(), 1U);
  EXPECT_EQ(made->skipped[0].path, "apps/long");
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(Export, CountAndBytesAreBounded) {
  Bench bench;
  ExportLimits few;
  few.max_files = 2;
  EXPECT_EQ(Export(bench, {}, "main", few).error.kind, Error::Kind::too_large);
  ExportLimits small;
  small.max_bytes = 20;
  EXPECT_EQ(Export(bench, {}, "main", small).error.kind, Error::Kind::too_large);
}

TEST(Export, AFolderThatIsNotEmptyIsRefused) {
  Bench bench;
  bench.write("full/x", "");
  const auto made = bench.program.export_files(
      {bench.repo(), bench.id("main"), kManifests, bench.path("full"), {}});
  EXPECT_EQ(made.error().kind, Error::Kind::bad_request);
}

/// A commit whose tree is `entries`, written as git never would.
std::string hostile_commit(Bench& bench, const std::string& entries) {
  const std::string tree =
      bench.git({"hash-object", "-t", "tree", "-w", "--stdin", "--literally"}, "repo", entries);
  return bench.git({"commit-tree", tree, "-m", "x"});
}

std::string entry(Bench& bench, const std::string& mode, const std::string& name,
                  const std::string& rev) {
  const auto id = bench.id(rev).bytes();
  return mode + " " + name + '\0' + std::string(id.begin(), id.end());
}

TEST(Export, TreesWithHostileNamesAreRefused) {
  Bench bench;
  for (const std::string name :
       {".git", ".GIT", "..", ".", ".git ", "git~1", "a/b", ".gi\xe2\x80\x8ct"}) {
    SCOPED_TRACE(name);
    const std::string file =
        hostile_commit(bench, entry(bench, "100644", name, "main:package.json"));
    EXPECT_EQ(Export(bench, {}, file).error.kind, Error::Kind::hostile);
    const std::string folder = hostile_commit(bench, entry(bench, "40000", name, "main:apps"));
    EXPECT_EQ(Export(bench, kManifests, folder).error.kind, Error::Kind::hostile);
  }
}

TEST(Export, AFileThatIsAlsoAFolderIsRefused) {
  Bench bench;
  const std::string both = entry(bench, "100644", "apps", "main:package.json") +
                           entry(bench, "40000", "apps", "main:apps");
  const Export made(bench, {}, hostile_commit(bench, both));
  EXPECT_THAT(made.error.what, HasSubstr("apps"));
  const std::string twice = entry(bench, "100644", "package.json", "main:package.json") +
                            entry(bench, "100644", "package.json", "main:README");
  EXPECT_EQ(Export(bench, kManifests, hostile_commit(bench, twice)).error.kind,
            Error::Kind::hostile);
}

TEST(Export, ATreeThatContainsItselfManyTimesEnds) {
  Bench bench;
  std::string tree = bench.git({"rev-parse", "main^{tree}"});
  for (int level = 0; level < 12; ++level) {
    std::string lines;
    for (int i = 0; i < 10; ++i) lines += "040000 tree " + tree + "\t" + std::to_string(i) + "\n";
    tree = bench.git({"mktree"}, "repo", lines);
  }
  const std::string commit = bench.git({"commit-tree", tree, "-m", "bomb"});
  EXPECT_EQ(Export(bench, {{"nosuch"}, {}, {}}, commit).error.kind, Error::Kind::too_large);
}

TEST(Export, WhatIsWatchedForIsToldWhereverItLies) {
  Bench bench;
  for (const char* path : {"node_modules/a/package-lock.json", "x/node_modules/b/c/yarn.lock",
                           "node_modules/a/package.json", "x/yarn.lock"}) {
    bench.write("repo/" + std::string(path), "{}");
    bench.git({"add", "-f", path});
  }
  bench.commit("fix: locks");
  const Filter filter{
      {"package.json", "yarn.lock"}, {}, {"node_modules"}, {"package-lock.json", "yarn.lock"}};
  const Export made(bench, filter);
  EXPECT_THAT(made.paths(), ElementsAre("apps/x/package.json", "package.json", "x/yarn.lock"));
  std::vector<std::string> left_out;
  for (const Skipped& skipped : made.exported.skipped) {
    EXPECT_EQ(skipped.why, Skipped::Why::left_out);
    left_out.push_back(skipped.path);
  }
  EXPECT_THAT(left_out,
              ElementsAre("node_modules/a/package-lock.json", "x/node_modules/b/c/yarn.lock"));
}

}  // namespace
}  // namespace cg::gitrepo
