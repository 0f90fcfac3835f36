// What is looked for is found in a small store of our own, the whole way: texts to vectors, vectors
// and fields to records. learn_quality does the same with real packages and thousands of records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/base/text.h"
#include "learn/lexical/lexical.h"
#include "learn/retrieve/retrieve.h"
#include "renamed.h"

namespace cg::quality {
namespace {

using example::Break;
using example::Example;

struct Solved {
  const char* package;
  const char* summary;
  const char* difference;
  const char* usage;
  std::vector<std::string> changed;
  Break breaks;
};

// Packages that nobody has, and how they broke.
const std::vector<Solved>& solved() {
  static const std::vector<Solved> all = {
      {"ledger-mail",
       "ledger-mail lets headers be injected by a newline in the subject",
       "- compose: REMOVED\n    there is: class Envelope { constructor(from, to) }\n- "
       "Envelope.seal: added",
       "const mail = require('ledger-mail');\nfunction notify(order) {\n  // tell them\n  return "
       "mail.compose({ subject: order.title, html: order.body });\n}",
       {"compose"},
       Break::name_gone},
      {"yarnball",
       "Denial of service by nested anchors in yarnball",
       "- unwindSafe: REMOVED\n    there is: function unwind(text, { schema })\n+ throws YarnError",
       "const { unwindSafe } = require('yarnball');\nfunction settings(text) {\n  return "
       "unwindSafe(text, { filename: 'settings' });\n}",
       {"unwindSafe"},
       Break::name_gone},
      {"tiny-digest",
       "tiny-digest compares digests in a time that depends on them",
       "ES modules only: require('tiny-digest') fails; use import\n- default: declared as before",
       "const digest = require('tiny-digest');\nexports.etag = function (content) {\n  return "
       "digest(content, { encoding: 'base64' });\n};",
       {"default"},
       Break::esm_only},
      {"sock-hub",
       "sock-hub takes frames of any length, which exhausts memory",
       "- Hub.attach: CHANGED\n    was: attach(server)\n    now: attach(server, { maxFrame })",
       "const { Hub } = require('sock-hub');\nfunction listen(server) {\n  const hub = new "
       "Hub();\n  "
       "hub.attach(server);\n  hub.on('frame', (frame) => frame.peer.reply(frame.bytes));\n}",
       {"Hub.attach"},
       Break::signature},
      {"globber",
       "Regular expression denial of service in globber",
       "globber/sync: no longer exported; exported paths are: .\n- globSync: added",
       "const globSync = require('globber/sync');\nfunction sources(folder) {\n  return "
       "globSync(folder + '/**/*.css', { nodir: true });\n}",
       {"default"},
       Break::path_gone},
      {"jot-token",
       "jot-token accepts tokens that are not signed",
       "- verify: CHANGED\n    options no longer read: allowNone\n    options read: algorithms",
       "const jot = require('jot-token');\nfunction session(token) {\n  const claims = "
       "jot.verify(token, process.env.SECRET, { allowNone: true });\n  return claims.subject;\n}",
       {"verify"},
       Break::options},
  };
  return all;
}

Example example_of(const Solved& from) {
  Example out;
  out.partition = {"vuln-remediation", "javascript", "npm"};
  out.package = from.package;
  out.summary = from.summary;
  out.difference = from.difference;
  out.sites.push_back({"javascript", from.usage, ""});
  out.changed = from.changed;
  out.breaks = from.breaks;
  return out;
}

struct Store {
  std::deque<std::string> ids;
  std::deque<Example> examples;
  std::deque<std::vector<float>> vectors;
  std::vector<retrieve::Candidate> candidates;

  void add(const std::string& id, Example one) {
    examples.push_back(std::move(one));
    vectors.push_back(lexical::embed(example::aspects_of(examples.back())));
    candidates.push_back(
        {ids.emplace_back(id), examples.back(), vectors.back(), retrieve::Standing::verified});
  }
};

/// Of each package another break beside its own, with the same call sites, and another package with
/// the same words.
Store store(bool with_solved) {
  Store out;
  for (const Solved& from : solved()) {
    const std::string package = from.package;
    const Example one = example_of(from);
    if (with_solved) out.add(package, one);
    Example sibling = one;
    sibling.difference =
        "- configure: REMOVED\n    there is: function setup(options)\n- engines: "
        "node >=4 -> >=8";
    sibling.changed = {"configure"};
    sibling.breaks = Break::behaviour;
    out.add(package + " another break", std::move(sibling));
    Example twin = one;
    twin.package = package + "-fork";
    for (std::string* text : {&twin.summary, &twin.difference, &twin.sites.front().before}) {
      *text = replaced(*text, package, twin.package);
    }
    out.add(package + " fork", std::move(twin));
  }
  return out;
}

/// Somebody else with the same break: other names, other versions around it, another advisory.
Example elsewhere(const Solved& from) {
  Example out = example_of(from);
  std::string known = from.package;
  for (const std::string& name : from.changed) known += " " + name;
  std::string& site = out.sites.front().before;
  site = renamed(site, words_of(known + " " + from.difference), 7);
  EXPECT_NE(site, from.usage);
  out.summary = std::string(from.package) + ": improper handling of what it is given";
  out.difference += "\n- engines: node >=8 -> >=10";
  return out;
}

retrieve::Retrieved ask(const Store& store, const Example& from) {
  const retrieve::Library library(retrieve::weights_of(lexical::kId), lexical::kDims,
                                  store.candidates);
  const std::vector<float> vector = lexical::embed(example::aspects_of(from));
  auto out = library.ask({from.partition,
                          {},
                          from.weaknesses,
                          from.package,
                          "1.0.0",
                          "2.0.0",
                          from.breaks,
                          from.changed,
                          vector});
  EXPECT_TRUE(out);
  return *std::move(out);
}

TEST(Small, EachBreakIsFoundFirstAndIsAHit) {
  const Store all = store(true);
  for (const Solved& from : solved()) {
    const auto out = ask(all, elsewhere(from));
    ASSERT_FALSE(out.nearest.empty()) << from.package;
    EXPECT_EQ(out.nearest.front().id, from.package);
    EXPECT_EQ(out.nearest.front().band, retrieve::Band::hit) << from.package;
    EXPECT_EQ(out.looked_at.size(), all.candidates.size());
  }
}

TEST(Small, WhatIsOnlyNearIsNoHit) {
  const Store others = store(false);
  for (const Solved& from : solved()) {
    for (const retrieve::Near& one : ask(others, elsewhere(from)).nearest) {
      EXPECT_EQ(one.band, retrieve::Band::degraded) << from.package << ": " << one.id;
    }
  }
}

TEST(Renamed, KeepsWhatThePackageSpeaksOfAndNothingElse) {
  const std::string source =
      "const { load } = require('left');\n// A comment.\nfunction read(file) {\n  return "
      "load(file.text, { strict: true, schemaName: 'core' });\n}\n";
  const std::string out = renamed(source, words_of("load schemaName"), 3);
  for (const char* kept : {"load", "schemaName", "strict: true", "\"core\"", "require(\"left\")"}) {
    EXPECT_THAT(out, testing::HasSubstr(kept));
  }
  for (const char* gone : {"read", "file", "comment", ";", "'left'"}) {
    EXPECT_THAT(out, testing::Not(testing::HasSubstr(gone)));
  }
  EXPECT_EQ(out, renamed(source, words_of("load schemaName"), 3));
  EXPECT_NE(out, renamed(source, words_of("load schemaName"), 4));
}

}  // namespace
}  // namespace cg::quality
