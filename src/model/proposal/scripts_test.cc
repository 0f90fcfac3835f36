#include "model/proposal/scripts.h"

#include <gtest/gtest.h>

namespace cg::proposal {
namespace {

std::vector<std::string> commands_of(const std::string& manifest) {
  return script_commands(npm::parse_manifest("package.json", manifest).value());
}

TEST(Scripts, NameTheFilesThatTheyRun) {
  const auto commands = commands_of(R"json({"scripts": {
    "test": "npm run unit && yarn lint:all", "pretest": "node prepare.js", "preunit": "node early.js",
    "unit": "mocha --require './lib/hook' ", "lint:all": "eslint src/x.js", "build": "node build.js",
    "start": "node --import=./start/hooks.mjs server", "postinstall": "cd tools && node ../bin/fetch",
    "weird": "FOO=1 node scripts\\\\win.js; (ts-node src/gen/../make.ts)"}})json");
  for (const char* run :
       {"prepare.js", "early.js", "lib/hook.ts", "packages/a/lib/hook.js", "src/x.js", "build.js",
        "server.js", "server.ts", "start/hooks.mjs", "bin/fetch.js", "bin/fetch/index.js",
        "scripts/win.js", "src/make.ts", "lib/hook/index.js", "server/index.js"}) {
    EXPECT_TRUE(names_file(commands, run)) << run;
  }
  for (const char* other : {"hook.js", "src/node.js", "x.jsx", "src/hooks.ts", "fetch.js", "win.ts",
                            "src/eslint.js", "src/yarn.js"}) {
    EXPECT_FALSE(names_file(commands, other)) << other;
  }
}

TEST(Scripts, AFolderIsItsMain) {
  EXPECT_TRUE(names_file(commands_of(R"({"scripts": {"start": "node ."}})"), "index.js"));
  const auto commands = commands_of(R"({"main": "lib/app", "scripts": {"start": "node ."}})");
  EXPECT_TRUE(names_file(commands, "lib/app.js"));
  EXPECT_FALSE(names_file(commands, "index.js"));
}

TEST(Scripts, WithoutStartNpmTakesAFile) {
  EXPECT_TRUE(names_file(commands_of("{}"), "server.js"));
  EXPECT_FALSE(names_file(commands_of(R"({"scripts": {"start": "node x.js"}})"), "server.js"));
}

}  // namespace
}  // namespace cg::proposal
