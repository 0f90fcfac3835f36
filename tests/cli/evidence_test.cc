// Evidence that somebody has changed, as the finished program sees it: in the workspace, and
// in a copy that is all there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "binary.h"
#include "prove/evidence/manifest.h"
#include "trust/sign/sshsig.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using evidence::Files;
using ::testing::HasSubstr;

constexpr const char* kHome = "home/.local/state/codegenie";
/// Where there is no workspace.
const std::string kAlone = "CODEGENIE_HOME=nowhere codegenie ";

class Evidence : public testing::Test {
 protected:
  Evidence() { EXPECT_EQ(run_script("codegenie init", scratch_).exit, 0); }

  /// A workflow with evidence; its id.
  std::string made(const std::string& words = "") {
    const Ran ran = run_script("frame_probe evidence " + words, scratch_);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran.out.substr(0, 26);
  }
  std::string folder(const std::string& id) const {
    return scratch_ / (std::string(kHome) + "/evidence/" + id);
  }
  int exit_of(const std::string& script) const { return run_script(script, scratch_).exit; }

  void put(const Files& files, const std::string& place) const {
    fs::remove_all(place);
    for (const auto& [path, bytes] : files) {
      fs::create_directories(fs::path(place + "/" + path).parent_path());
      write(place + "/" + path, bytes);
    }
    fs::permissions(place, fs::perms::owner_all);
  }

  /// In the workspace and in a copy that is all there is; `more` also for who reads it otherwise.
  void expect_broken(const Files& files, const std::string& id,
                     std::vector<std::string> more = {}) const {
    put(files, folder(id));
    put(files, scratch_ / "copy");
    more.push_back("codegenie verify " + id);
    more.push_back(kAlone + "verify copy");
    for (const std::string& script : more) {
      const Ran ran = run_script(script, scratch_);
      EXPECT_EQ(ran.exit, 4) << script << "\n" << ran.out << ran.err;
    }
  }

  ScratchDir scratch_;
};

Files remade(Files files, bool sign) {
  const auto text = files.find("case.json");
  const auto c = text == files.end() ? Result<report::Case, std::string>(fail(std::string()))
                                     : report::from_json(text->second);
  files["manifest.json"] = evidence::manifest_text(files, c ? c->workflow : "", c ? c->tool : "");
  files.erase("manifest.json.sig");
  sign::Seed key{};
  key.fill(9);
  if (sign) {
    files["manifest.json.sig"] = sign::ssh_sign(key, evidence::kNamespace, files["manifest.json"]);
  }
  return files;
}

TEST_F(Evidence, HoldsWhereverItIsReadUnchanged) {
  const std::string id = made("--sign");
  fs::copy(folder(id), scratch_ / "copy", fs::copy_options::recursive);
  for (const std::string& script :
       {"codegenie verify " + id, std::string("codegenie verify latest"),
        "codegenie verify " + folder(id), "codegenie verify " + folder(id) + ".tar.zst",
        std::string("codegenie verify copy"), kAlone + "verify copy", "codegenie report " + id}) {
    const Ran ran = run_script(script, scratch_);
    EXPECT_EQ(ran.exit, 0) << script << "\n" << ran.out << ran.err;
  }
  EXPECT_THAT(run_script("codegenie verify copy", scratch_).out,
              HasSubstr("the log of this workspace has the same events"));
  EXPECT_THAT(run_script(kAlone + "verify copy", scratch_).out,
              HasSubstr("not checked: whose log it is"));
}

TEST_F(Evidence, EditedDroppedOrSwappedIsBroken) {
  const std::string id = made("--sign");
  const Files whole = *evidence::read_bundle(folder(id));
  const Files other = *evidence::read_bundle(folder(made("--sign")));
  bool sign = false;
  for (const auto& [path, bytes] : whole) {
    SCOPED_TRACE(path);
    Files edited = whole;
    edited[path] += "\n";
    Files dropped = whole;
    dropped.erase(path);
    Files swapped = whole;
    swapped[path] = other.at(path);
    expect_broken(edited, id);
    expect_broken(dropped, id);
    expect_broken(
        remade(edited, sign = !sign), id,
        {"codegenie report " + id, "codegenie workflow diff " + id, "codegenie verify copy"});
    expect_broken(remade(dropped, sign = !sign), id);
    if (swapped == whole) continue;
    expect_broken(swapped, id);
    expect_broken(remade(swapped, sign), id);
  }
}

TEST_F(Evidence, OfAnotherWorkflowDoesNotStandInItsPlace) {
  const std::string id = made();
  const Files other = *evidence::read_bundle(folder(made()));
  put(other, folder(id));
  EXPECT_EQ(exit_of("codegenie verify " + id), 4);
  EXPECT_EQ(exit_of("codegenie verify " + folder(id)), 4);
  EXPECT_EQ(exit_of("codegenie report " + id), 4);
}

/// All of it consistent, made with another log and another key.
TEST_F(Evidence, OfAnotherLogDoesNotStandInThisWorkspace) {
  const std::string id = made();
  ASSERT_EQ(exit_of("codegenie init --home other"), 0);
  const Ran ran = run_script("frame_probe evidence --home other", scratch_);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const std::string forged = ran.out.substr(0, 26);
  const std::string source = scratch_ / ("home/other/evidence/" + forged);
  fs::copy(fs::exists(source) ? source : scratch_ / ("other/evidence/" + forged), folder(forged),
           fs::copy_options::recursive);
  EXPECT_EQ(exit_of("codegenie verify " + forged), 4);
  EXPECT_EQ(exit_of("codegenie verify " + folder(forged)), 4);
  EXPECT_EQ(exit_of("codegenie report " + forged), 4);
  // What a copy alone cannot show: it is sound, and nobody says whose it is.
  fs::rename(folder(forged), scratch_ / "copy");
  const Ran copy = run_script("codegenie verify copy", scratch_);
  EXPECT_EQ(copy.exit, 0) << copy.err;
  EXPECT_THAT(copy.out, HasSubstr("not checked: whose log it is, it is not this workspace's"));
  EXPECT_EQ(exit_of("codegenie verify copy --strict"), 4);
  EXPECT_EQ(exit_of("codegenie verify " + id), 0);
}

TEST_F(Evidence, IsNotReadBesideALogThatIsBroken) {
  const std::string id = made();
  fs::copy(folder(id), scratch_ / "copy", fs::copy_options::recursive);
  const std::string state = scratch_ / (std::string(kHome) + "/events/state.json");
  write(state, read(state) + "x");
  for (const char* script :
       {"codegenie verify latest", "codegenie verify copy", "codegenie report latest"}) {
    EXPECT_EQ(exit_of(script), 4) << script;
  }
  fs::remove_all(scratch_ / (std::string(kHome) + "/events"));
  EXPECT_EQ(exit_of("codegenie verify copy"), 2) << "a workspace without a log";
  fs::remove_all(scratch_ / kHome);
  EXPECT_EQ(exit_of("codegenie verify copy"), 0);
}

/// From a commit to its plan, to the event, to the bundle.
class Behind : public Evidence {
 protected:
  Behind() {
    const Ran ran = run_script(
        "git init -q -b main repo && cd repo && git config user.name operator && "
        "git config user.email operator@example && echo '{}' > package.json && "
        "git add . && git commit -qm base && "
        "git rev-parse HEAD && git rev-parse 'HEAD^{tree}'",
        scratch_);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    workflow_ = made(ran.out.substr(0, 40) + " " + ran.out.substr(41, 40));
    EXPECT_EQ(exit_of("cd repo && git branch proven $(git hash-object -t commit -w " +
                      folder(workflow_) + "/commit.txt)"),
              0);
  }
  std::string workflow_;
};

TEST_F(Behind, ACommitThatWasProvenIsItsEvidence) {
  const Ran ran = run_script("codegenie verify --repo repo proven --json", scratch_);
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"workflow\": \"" + workflow_ + "\""));
  EXPECT_THAT(ran.out, HasSubstr("of the repository is the one of codegenie/cve-2021-44906"));
  EXPECT_EQ(exit_of("codegenie verify --repo repo $(git -C repo rev-parse proven)"), 0);
  EXPECT_EQ(exit_of("codegenie verify --repo repo nothing"), 2);
}

TEST_F(Behind, ACommitThatOnlySaysSoIsBroken) {
  const std::string forge =
      "cd repo && git checkout -q proven && echo '{\"scripts\":{}}' > package.json && "
      "git add . && git commit -q ";
  const struct {
    std::string name;
    std::string script;
  } cases[] = {
      {"another tree under the same message", forge + "--amend --no-edit"},
      {"a commit on top", forge + "-m more -m \"$(git log -1 --format=%B | grep Codegenie-Plan)\""},
      {"no plan", forge + "-m other"},
      {"two plans", forge + "-m other -m \"$(git log -1 --format=%B | grep Codegenie-Plan)\" -m "
                            "\"Codegenie-Plan: sha256:$(printf x | sha256sum | cut -d' ' -f1)\""},
      {"a plan of nobody", forge + "-m \"Codegenie-Plan: sha256:$(printf x | sha256sum | cut -d' ' "
                                   "-f1)\""},
  };
  const std::string proven = run_script("git -C repo rev-parse proven", scratch_).out;
  for (const auto& c : cases) {
    ASSERT_EQ(exit_of("git -C repo checkout -qf main && git -C repo branch -f proven " + proven),
              0);
    ASSERT_EQ(exit_of(c.script), 0) << c.name;
    const Ran ran = run_script("codegenie verify --repo repo proven", scratch_);
    EXPECT_EQ(ran.exit, 4) << c.name << "\n" << ran.out << ran.err;
  }
}

TEST_F(Behind, ABundleThatDoesNotHoldIsBrokenFromThereToo) {
  const std::string path = folder(workflow_) + "/SUMMARY.md";
  write(path, read(path) + "x");
  EXPECT_EQ(exit_of("codegenie verify --repo repo proven"), 4);
  fs::remove_all(folder(workflow_));
  EXPECT_EQ(exit_of("codegenie verify --repo repo proven"), 2);
  EXPECT_EQ(exit_of(kAlone + "verify --repo repo proven"), 2);
}

}  // namespace
}  // namespace cg::test
