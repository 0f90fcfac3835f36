#include "bench.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace cg::gitrepo {

namespace fs = std::filesystem;

Bench::Bench() {
  git({"init", "-q", "-b", "main", "repo"}, ".");
  write("repo/package.json", "{\n  \"name\": \"a\"\n}\n");
  write("repo/package-lock.json", "{}\n");
  write("repo/lib/only.txt", "gone soon\n");
  write("repo/bin/run", "#!/bin/sh\n");
  fs::permissions(repo() + "/bin/run", fs::perms::owner_all);
  write("repo/picture.bin", std::string("\0\1\2\3", 4));
  commit("feat: start");
  write("repo/README", "a\nb\nc");
  commit("fix(docs): say more");
  write("repo/apps/x/package.json", "{}\n");
  commit("feat: an app");
}

test::Ran Bench::try_git(const std::vector<std::string>& words, const std::string& folder,
                         const std::string& input) const {
  std::vector<std::string> argv = {"/usr/bin/git", "-C", path(folder)};
  argv.insert(argv.end(), words.begin(), words.end());
  return test::run(
      argv,
      {"HOME=" + path("nohome"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=operator",
       "GIT_AUTHOR_EMAIL=operator@example.org", "GIT_COMMITTER_NAME=operator",
       "GIT_COMMITTER_EMAIL=operator@example.org", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
       "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"},
      input);
}

std::string Bench::git(const std::vector<std::string>& words, const std::string& folder,
                       const std::string& input) const {
  const test::Ran ran = try_git(words, folder, input);
  EXPECT_EQ(ran.exit, 0) << words[0] << ": " << ran.err;
  return ran.out.ends_with('\n') ? ran.out.substr(0, ran.out.size() - 1) : ran.out;
}

void Bench::write(const std::string& name, const std::string& bytes) const {
  fs::create_directories(fs::path(path(name)).parent_path());
  test::write(path(name), bytes);
}

void Bench::commit(const std::string& message, const std::string& folder) const {
  git({"add", "-A"}, folder);
  git({"commit", "-q", "-m", message}, folder);
}

ObjectId Bench::id(const std::string& rev, const std::string& folder) const {
  return ObjectId::parse(git({"rev-parse", rev}, folder)).value_or(ObjectId());
}

PrepareOrder Bench::order(const std::string& folder) const {
  PrepareOrder order;
  order.repo = path(folder);
  order.base = id("main", folder);
  order.changes = {{"package.json", "{\n  \"name\": \"b\"\n}\n"},
                   {"new/deep/file", std::string("\xff\0x", 3)},
                   {"lib/only.txt", std::nullopt},
                   {"README", "a\nB\nc\n"},
                   {"bin/run", "#!/bin/bash\n"}};
  order.message = "fix: clear an advisory\n\nAdvisory: CVE-1\n";
  order.author = order.committer = {"codegenie", "codegenie@example.org"};
  order.time = 1'767'225'600;
  order.offset_minutes = 90;
  return order;
}

WriteOrder Bench::write_order(const std::string& repo, const Prepared& prepared) {
  return {repo, prepared.text, prepared.objects, "", kBranch};
}

std::map<std::string, std::string> Bench::everything(const std::string& folder) const {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(path(folder))) {
    const std::string name = fs::relative(entry.path(), path(folder));
    const bool is_ours = name.find("objects/") != name.npos ||
                         name.find("refs/heads/codegenie") != name.npos ||
                         name.find("refs/codegenie") != name.npos;
    if (!is_ours) out[name] = entry.is_regular_file() ? test::read(entry.path()) : "";
  }
  return out;
}

std::string Bench::fsck(const std::string& folder) const {
  const test::Ran ran = try_git({"fsck", "--strict", "--full", "--no-dangling"}, folder);
  return ran.exit == 0 ? "" : ran.out + ran.err + "failed";
}

}  // namespace cg::gitrepo
