#include "npm/upgrade/code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "npm/upgrade/pair_test.h"

namespace cg::upgrade {
namespace {

using test::two;

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// What is said of the code; empty if nothing is.
std::string code_of(const exports::Files& before, const exports::Files& after,
                    const std::string& ours, std::size_t cap = kMaxText) {
  const std::string text = two(before, after).whole(ours, cap);
  const std::size_t at = text.find("\nLines of code that changed");
  return at == text.npos ? "" : text.substr(at + 1);
}

TEST(Code, HowAModuleHandsOutWhatItHas) {
  EXPECT_EQ(
      code_of({{"index.js", "'use strict';\n\nconst a = (x) =>\n\tx;\nmodule.exports = a;\n"}},
              {{"index.js", "// now\nconst a = (x) =>\n  x;\nexports.a = a;\n"}},
              "const p = require('p'); p(1);"),
      "Lines of code that changed (- before, + now):\n"
      "  index.js\n"
      "    + // now\n"
      "    - module.exports = a\n"
      "    + exports.a = a\n");
}

TEST(Code, WhatAFunctionDidThatIsGone) {
  const std::string text = code_of(
      {{"index.js",
        "exports.tidy = (path) => {\n  return path.replace(/\\/+/g, '/');\n};\nexports.b = 1;\n"}},
      {{"index.js", "exports.b = 1;\n"}}, "const { tidy } = require('p'); tidy('a');");
  EXPECT_THAT(text, HasSubstr("    - exports.tidy = (path) => {\n"
                              "    - return path.replace(/\\/+/g, '/')\n"));
  EXPECT_THAT(text, Not(HasSubstr("exports.b")));
}

TEST(Code, OfTheFilesThatDefineIt) {
  const exports::Files before = {
      {"index.js", "exports.a = require('./old/a');\nexports.z = require('./z');"},
      {"old/a.js", "module.exports = function a(x) { return x.one }"},
      {"z.js", "exports.z = 1"},
      {"never.js", "exports.never = 1"}};
  const exports::Files after = {
      {"index.js", "exports.a = require('./new/a');\nexports.z = require('./z');"},
      {"new/a.js", "module.exports = async function a(x) { return x.two }"},
      {"z.js", "exports.z = 1\nexports.y = x.three"},
      {"never.js", "exports.never = 2"}};
  const std::string text = code_of(before, after, "const { a } = require('p'); a({});");
  EXPECT_THAT(text, HasSubstr("  old/a.js -> new/a.js\n"
                              "    - module.exports = function a(x) { return x.one }\n"
                              "    + module.exports = async function a(x) { return x.two }\n"));
  EXPECT_THAT(text, HasSubstr("  z.js\n    + exports.y = x.three\n"));
  EXPECT_LT(text.find("new/a.js"), text.find("z.js"));
  EXPECT_THAT(text, Not(HasSubstr("never")));
}

TEST(Code, WhatIsUsedBeforeTheRest) {
  std::string before = "exports.a = (options) => {\n";
  std::string after = before;
  for (int i = 0; i < 2000; ++i) {
    before += "  step(" + std::to_string(i) + ");\n";
    after += "  step(" + std::to_string(i) + ", now);\n";
  }
  before += "  if (options.strict) fail();\n};\n";
  after +=
      "  if (options.lenient !== true) fail(options.strict);\n};\nexports.default = exports.a;\n";
  const std::string text = code_of({{"index.js", before}}, {{"index.js", after}},
                                   "const p = require('p'); p.a({ strict: true });", 4096);
  EXPECT_THAT(text, AllOf(HasSubstr("- if (options.strict) fail()\n"),
                          HasSubstr("+ if (options.lenient !== true) fail(options.strict)\n"),
                          HasSubstr("+ exports.default = exports.a\n"),
                          HasSubstr("(- before, + now, not all of them):\n")));
  EXPECT_LE(text.size(), 4096U);
}

/// Of a function that both versions have, with its comment; of one that is new its head.
TEST(Code, WhatAFunctionThatIsUsedDoesOtherwise) {
  const std::string before = "exports.stop = (now) => {\n  first();\n};\n";
  std::string after =
      "/** Waits for all of them. */\nexports.stop = (now) => {\n  wait();\n  first();\n};\n";
  for (int i = 0; i < 200; ++i) after += "step(" + std::to_string(i) + ");\n";
  after += "exports.open = (x) => {\n  own(x);\n};\n";
  const std::string text = code_of({{"index.js", before}}, {{"index.js", after}},
                                   "const p = require('p'); p.stop(p.open(1));", 2048);
  EXPECT_THAT(text, AllOf(HasSubstr("+ /** Waits for all of them. */\n"), HasSubstr("+ wait()\n"),
                          HasSubstr("+ exports.open = (x) => {\n")));
  EXPECT_THAT(text, Not(HasSubstr("own(x)")));
}

/// What only went from one place to another is no change.
TEST(Code, NothingOfWhatMoved) {
  const std::string one = "const one = () => {\n  return 'the first of two';\n};\n";
  const std::string two = "const other = () => {\n  return 'the second of two';\n};\n";
  const std::string last = "exports.a = [one, other];\n";
  EXPECT_EQ(code_of({{"index.js", one + two + last}}, {{"index.js", two + one + last}},
                    "const p = require('p'); p.a();"),
            "");
}

TEST(Code, NothingOfWhatNobodyWrote) {
  const std::string long_line = "exports.a=" + std::string(6000, '1') + ";";
  EXPECT_EQ(code_of({{"index.js", long_line}}, {{"index.js", long_line + "exports.b=2"}},
                    "const p = require('p'); p.a();"),
            "");
  EXPECT_EQ(code_of({{"index.js", "exports.a = 1;"}}, {{"index.js", "  exports.a = 1;\n\n"}},
                    "const p = require('p'); p.a();"),
            "");
}

/// `module.exports = () => new Server()`: who calls it has a Server.
TEST(Code, WhatAFunctionMakesIsReached) {
  const std::string manifest = R"("main":"index.js","types":"index.d.ts"})";
  const exports::Files files = {
      {"index.js",
       "class Server { rooms() {} }\nmodule.exports = (o) => new Server(o);\n"
       "module.exports.Server = Server;\n"},
      {"index.d.ts", "export declare class Server { rooms(): Map<string, Set<string>>; }"}};
  const std::string text =
      test::Two{test::package({{"index.js", files.at("index.js")}},
                              R"({"name":"p","version":"1.0.0",)" + manifest),
                test::package(files, R"({"name":"p","version":"2.0.0",)" + manifest)}
          .text("const p = require('p'); p(1).rooms();");
  EXPECT_THAT(text, HasSubstr("rooms(): Map<string, Set<string>>"));
}

/// The parts of a name and of what it was in may come together again.
TEST(Code, WhatBecameOfAMemberWhoseOwnerIsGone) {
  const std::string text = two({{"index.js", "exports.JWT = { sign(a) {}, verify(a) {} };"}},
                               {{"index.js",
                                 "class SignJWT { sign(a) {} }\nexports.SignJWT = SignJWT;\n"
                                 "exports.jwtVerify = (token) => token;\nexports.other = 1;\n"}})
                               .text("const { JWT } = require('p'); JWT.sign(1); JWT.verify(2);");
  EXPECT_THAT(text, HasSubstr("- JWT.verify: REMOVED\n    was: verify(a)\n"
                              "    there is: function jwtVerify(token)\n"));
  EXPECT_THAT(text, HasSubstr("there is: class SignJWT"));
}

TEST(Code, WhatWentToAnotherPath) {
  const std::string manifest =
      R"("type":"module","exports":{".":"./index.js","./href":"./href.js"}})";
  const exports::Files before = {{"index.js", "export const build = (a, b) => a;\n"}};
  const exports::Files after = {{"index.js", "export const other = 1;\n"},
                                {"href.js", "export const build = (a, { search }) => a;\n"}};
  const std::string text =
      test::Two{test::package(
                    before, R"({"name":"p","version":"1.0.0","type":"module","main":"index.js"})"),
                test::package(after, R"({"name":"p","version":"2.0.0",)" + manifest)}
          .whole("import { build } from 'p'; build(1, 2);");
  EXPECT_THAT(text, HasSubstr("    it can be had from 'p/href' now\n"));
  EXPECT_THAT(text, HasSubstr("    + export const build = (a, { search }) => a\n"));
}

/// Names that there is no room to declare are said all the same.
TEST(Code, NamesOfWhatDoesNotFit) {
  std::string after;
  for (int i = 100; i < 400; ++i) {
    after += "exports.added" + std::to_string(i) + " = function (first, second, third) {};\n";
  }
  const std::string text = two({{"index.js", "exports.a = 1;"}}, {{"index.js", after}})
                               .text("const p = require('p'); p.a();", 4096);
  EXPECT_THAT(text, HasSubstr("Added:\n- not used here: added100, added101, "));
  EXPECT_GT(std::count(text.begin(), text.end(), ','), 40);
}

TEST(Code, LinesThatOnlyDeclareOtherwiseSayNothing) {
  EXPECT_EQ(code_of({{"index.js", "var a = require(\"a\");\nexports.b = 1;"}},
                    {{"index.js", "const a = require('a')\nexports.b = 1;\nexports.c = 1;"}},
                    "const p = require('p'); p.b;"),
            "Lines of code that changed (- before, + now):\n"
            "  index.js\n"
            "    + exports.c = 1\n");
}

TEST(Code, StringsThatOurSourcesSay) {
  std::string before = "exports.a = (x) => {\n  if (x) throw coded('E_GONE_CODE');\n";
  std::string after = "exports.a = (x) => {\n  if (x) throw coded('E_GONE');\n";
  for (int i = 0; i < 500; ++i) {
    before += "  step(" + std::to_string(i) + ");\n";
    after += "  step(" + std::to_string(i) + ", now);\n";
  }
  after += "  const curves = {\n    ES256: 'p256',\n    HS1: 'x'\n  };\n";
  const std::string text =
      code_of({{"index.js", before + "};"}}, {{"index.js", after + "};"}},
              "const p = require('p'); f('ES256'); if (e.code === 'E_GONE_CODE') p.a(1);", 2048);
  EXPECT_THAT(text, HasSubstr("throw coded('E_GONE_CODE')"));
  EXPECT_THAT(text, HasSubstr("throw coded('E_GONE')"));  // in the place of that
  EXPECT_THAT(text, HasSubstr("ES256: 'p256'"));
  EXPECT_THAT(text, Not(HasSubstr("HS1")));
}

TEST(Code, WhatIsHandedOutInSeveralLines) {
  std::string after = "exports.tools = {\n  first: require('./first'),\n  second\n};\n";
  for (int i = 0; i < 500; ++i) after += "step(" + std::to_string(i) + ", now);\n";
  const std::string text = code_of({{"index.js", "exports.a = 1;"}}, {{"index.js", after}},
                                   "const p = require('p'); p.a;", 2048);
  EXPECT_THAT(text, HasSubstr("    + exports.tools = {\n"
                              "    + first: require('./first')\n"
                              "    + second\n"));
}

TEST(Code, KeysOfAnObjectThatIsUsed) {
  std::string fresh = "const logger = {\n  level: 'info',\n  levelOf: (x) => x,\n};\n";
  for (int i = 0; i < 500; ++i) fresh += "step(" + std::to_string(i) + ");\n";
  const std::string text = code_of({{"index.js", "exports.logger = { level: 1 };"}},
                                   {{"index.js", "exports.logger = require('./logger');"},
                                    {"logger.js", fresh + "module.exports = logger;"}},
                                   "const p = require('p'); p.logger.level = 2;", 2048);
  EXPECT_THAT(text, HasSubstr("    + levelOf: (x) => x\n"));
}

}  // namespace
}  // namespace cg::upgrade
