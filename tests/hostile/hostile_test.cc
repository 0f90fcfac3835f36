// A model that was taken over says what it likes: none of it is accepted, each for a reason from
// a closed list, and neither the tree nor what lies beside it changes by a byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "answers.h"
#include "base/base/match.h"
#include "base/os/dir.h"
#include "hostile/table.h"
#include "model/proposal/judge.h"
#include "model/proposal/world.h"
#include "npm/edit/edit.h"
#include "support/support.h"

namespace cg::hostile {
namespace {

namespace fs = std::filesystem;
using proposal::Accepted;
using proposal::Bump;
using proposal::Declined;
using proposal::Force;
using proposal::Known;
using proposal::Rewrite;
using testing::StartsWith;

using Snapshot = std::map<std::string, std::string>;

/// A repository in a folder, secrets beside it, and links from one to the other.
class Tree {
 public:
  Tree() {
    for (const auto& [path, text] : shown_files()) put("tree/" + path, text);
    put("tree/package.json", R"({"name":"a","dependencies":{"menu":"^2.0.0","cafe":"^1.0.0"}})"
                             "\n");
    put("tree/packages/site/package.json", R"({"name":"site","dependencies":{"menu":"1.0.0"}})"
                                           "\n");
    put("tree/package-lock.json", "{}\n");
    put("tree/.npmrc", "ignore-scripts=true\n");
    put("tree/.git/config", "[core]\n");
    put("tree/.github/workflows/ci.js", "x\n");
    put("tree/src/secret.js", "module.exports = 1;\n");
    put("tree/src/menu.d.ts", "x\n");
    put("tree/test/app.test.js", "x\n");
    put("tree/jest.config.js", "x\n");
    put("tree/node_modules/menu/index.js", "x\n");
    put("outside/secret.js", "secret\n");
    put("outside/package.json", "{}\n");
    put("package.json", "{}\n");
    put("app.js", "x\n");
    fs::create_symlink("../../outside/secret.js", scratch_ / "tree/src/link.js");
    fs::create_directory_symlink("../outside", scratch_ / "tree/away");
    world_.files = shown_files();
  }

  /// What is said of an answer; carried out if it was accepted.
  std::string answer(const std::string& json) {
    const auto proposal = proposal::parse(json);
    if (!proposal) {
      check_where(proposal.error().where);
      return std::string(name(proposal.error().fault)) + " " + proposal.error().where;
    }
    const Known known = world_.known();
    const auto accepted = proposal::judge(*proposal, known);
    if (!accepted) return "rejected " + std::string(name(accepted.error().reason));
    carry_out(*accepted);
    return "accepted";
  }

  /// Everything in the tree and beside it: contents, modes, times, targets of links.
  [[nodiscard]] Snapshot snapshot() const {
    Snapshot out;
    for (const auto& entry : fs::recursive_directory_iterator(scratch_.path())) {
      const std::string name = entry.path().lexically_relative(scratch_.path());
      const auto mode = static_cast<unsigned>(entry.symlink_status().permissions());
      std::string what = std::to_string(mode) + " ";
      if (entry.is_symlink()) {
        what += "-> " + fs::read_symlink(entry.path()).string();
      } else if (entry.is_regular_file()) {
        const auto time = entry.last_write_time().time_since_epoch().count();
        what += std::to_string(time) + " " + test::read(entry.path());
      }
      out[name] = what;
    }
    return out;
  }

  [[nodiscard]] std::string read(const std::string& path) const {
    return test::read(scratch_ / ("tree/" + path));
  }

 private:
  void put(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(scratch_ / path).parent_path());
    test::write(scratch_ / path, text);
  }

  /// One of our own words, so that nothing of the answer gets into a log by this way.
  static void check_where(const std::string& where) {
    static const std::set<std::string, std::less<>> keys = {
        "",      "kind", "manifest_path", "package", "target_version", "forced_version",
        "files", "diff", "rationale",     "reason"};
    EXPECT_TRUE(keys.contains(where.substr(0, where.find('.')))) << where;
    EXPECT_LE(where.size(), 30U);
  }

  /// As the program does it: beneath the root, by folders that are no links.
  void carry_out(const Accepted& accepted) {
    const auto root = os::Dir::open(scratch_ / "tree");
    ASSERT_TRUE(root);
    const auto edit = [&](const std::string& path, const edit::ManifestEdit& change) {
      const auto text = edit::edit_manifest(root->read(path, 1 << 20).value(), change);
      ASSERT_TRUE(text) << text.error().what;
      EXPECT_TRUE(root->write_atomic(path, *text));
    };
    match(
        accepted.what(),
        [&](const Bump& bump) {
          const std::string folder = bump.manifest.str() == "package.json" ? "" : "packages/site";
          const char* from = !folder.empty()                ? "1.0.0"
                             : bump.package.str() == "menu" ? "^2.0.0"
                                                            : "^1.0.0";
          edit(
              bump.manifest.str(),
              {bump.manifest.str(), {{folder, bump.package.str(), from, "^" + bump.to.str()}}, {}});
        },
        [&](const Force& force) {
          edit(force.manifest.str(),
               {force.manifest.str(), {}, {{{force.package.str()}, force.to.str()}}});
        },
        [&](const Rewrite& rewrite) {
          for (const auto& [path, text] : rewrite.texts) {
            EXPECT_TRUE(root->write_atomic(path, text)) << path;
          }
        },
        [](const Declined&) {});
  }

  test::ScratchDir scratch_;
  proposal::test::World world_;
};

class Hostile : public testing::Test {
 protected:
  void refuse(const std::vector<Answer>& answers, std::size_t at_least) {
    std::set<std::size_t> seen;  // hashes: some answers are large
    for (const Answer& each : answers) {
      SCOPED_TRACE(each.name + ": " + each.json.substr(0, 400));
      EXPECT_TRUE(seen.insert(std::hash<std::string>()(each.json)).second) << "said twice";
      EXPECT_THAT(tree_.answer(each.json), StartsWith(each.expected));
      EXPECT_FALSE(each.expected.empty());
      ASSERT_EQ(tree_.snapshot(), before_);
    }
    std::cout << "hostile answers refused: " << seen.size() << "\n";
    EXPECT_GE(seen.size(), at_least);
  }

  Tree tree_;
  Snapshot before_ = tree_.snapshot();
};

TEST_F(Hostile, PathsLeadNowhere) { refuse(path_answers(), 380); }
TEST_F(Hostile, VersionsAreNotTaken) { refuse(version_answers(), 150); }
TEST_F(Hostile, PackagesAreNotMoved) { refuse(package_answers(), 90); }
TEST_F(Hostile, DiffsChangeNothing) { refuse(diff_answers("diffs.txt"), 180); }
TEST_F(Hostile, RewritesAreSeenThrough) { refuse(diff_answers("rewrites.txt"), 100); }
TEST_F(Hostile, ShapesAreNoAnswers) { refuse(shape_answers(), 110); }
TEST_F(Hostile, SizesAreBounded) { refuse(size_answers(), 20); }

TEST_F(Hostile, HonestAnswersAreCarriedOut) {
  std::size_t count = 0;
  for (const Answer& each : honest_answers()) {
    SCOPED_TRACE(each.name + ": " + each.json);
    Tree tree;
    const Snapshot before = tree.snapshot();
    EXPECT_EQ(tree.answer(each.json), "accepted");
    const bool refusal = each.json.find("\"refuse\"") != std::string::npos;
    EXPECT_EQ(tree.snapshot() == before, refusal);
    ++count;
  }
  std::cout << "honest answers accepted: " << count << "\n";
  EXPECT_GE(count, 20U);
}

/// A project whose whole way to a branch is tried elsewhere, and a recorded answer for it.
struct Project {
  std::string answer;  // beneath the repository
  std::string folder;
  std::string package;
  std::string exports;  // of the new version
};

std::string judged(const Project& project) {
  const std::string root = std::string(CG_SOURCE_DIR) + "/";
  proposal::test::World world;
  for (const auto& entry : fs::recursive_directory_iterator(root + project.folder)) {
    if (!entry.is_regular_file()) continue;
    world.files[entry.path().lexically_relative(root + project.folder)] = test::read(entry.path());
  }
  Known known = world.known();
  known.packages.front().package = project.package;
  known.script_commands = {"tsc", "node --test"};
  known.api = exports::read_files({{"package.json", "{}"}, {"index.js", project.exports}}).value();
  const auto said = proposal::parse(test::read(root + project.answer));
  if (!said) return std::string(name(said.error().fault));
  const auto accepted = proposal::judge(*said, known);
  return accepted ? "accepted" : std::string(name(accepted.error().reason));
}

TEST(HonestProjects, AreRewrittenAsRecorded) {
  const std::string ask = "tests/ask/answers/";
  const std::string projects = "tests/ask/projects/";
  const std::string ids = "export { nanoid, customAlphabet }; let nanoid, customAlphabet;";
  const std::string xml = "module.exports = { XMLParser: 1, XMLValidator: 1, XMLBuilder: 1 };";
  for (const char* right : {".right.json", ".wrong.json"}) {  // wrong for the tests, not for rules
    EXPECT_EQ(judged({ask + "press" + right, projects + "press", "marked", "exports.marked = 1"}),
              "accepted");
    EXPECT_EQ(judged({ask + "invites" + right, projects + "invites", "nanoid", ids}), "accepted");
    EXPECT_EQ(judged({ask + "rates" + right, projects + "rates", "fast-xml-parser", xml}),
              "accepted");
  }
  EXPECT_EQ(judged({"examples/model/session.json", "examples/shop", "tinyshop-session",
                    "exports.openSession = () => 1;"}),
            "accepted");
  EXPECT_EQ(judged({"examples/model/session.json", "examples/shop", "tinyshop-session",
                    "exports.open = () => 1;"}),
            "not_exported");
}

TEST_F(Hostile, WhatIsCarriedOutIsWhatWasSaid) {
  const auto answers = honest_answers();
  const auto run = [&](const std::string& name) {
    for (const Answer& each : answers) {
      if (each.name != name) continue;
      EXPECT_EQ(tree_.answer(each.json), "accepted") << name;
    }
  };
  run("bump of the root");
  run("override of what brings it");
  EXPECT_EQ(tree_.read("package.json").find("^2.0.0"), std::string::npos);
  EXPECT_NE(tree_.read("package.json").find("^3.0.0"), std::string::npos);
  EXPECT_NE(tree_.read("package.json").find("overrides"), std::string::npos);
  run("carriage returns as in the file");
  EXPECT_EQ(tree_.read("src/win.js"), "var menu = require('menu');\r\nmenu.show();\r\n");
  run("no newline at the end");
  EXPECT_EQ(tree_.read("src/end.js"), "const m = require('menu')\nm.run()");
  run("path with a space");
  for (const char* same :
       {"one line", "counts too large", "one line off", "carriage returns everywhere"}) {
    Tree tree;
    for (const Answer& each : answers) {
      if (each.name != same) continue;
      EXPECT_EQ(tree.answer(each.json), "accepted") << same;
    }
    EXPECT_EQ(tree.read("src/app.js"),
              "const menu = require('menu');\n\nfunction list(items) {\n"
              "  return menu.draw(items);\n}\n\nmodule.exports = { list };\n")
        << same;
  }
  EXPECT_EQ(tree_.read("packages/site/src/my page.ts"), "import menu from 'menu';\nmenu.open();\n");
}

}  // namespace
}  // namespace cg::hostile
