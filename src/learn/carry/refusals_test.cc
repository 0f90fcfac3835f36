// What is not carried, and why: files that look like the example's, but for one thing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/carry/samples_test.h"

namespace cg::carry {
namespace {

using testing::HasSubstr;

struct Twist {
  const char* project;
  const char* path;
  const char* from;  // a piece of the old text
  const char* to;
  const char* why;
};

const Twist kTwists[] = {
    // Other arguments.
    {"backup", "list.js", "entry.path) }", "entry.path) }, done",
     "the call has 2 arguments, the example's had 1"},
    {"badges", "door.js", "audience: 'door'", "audience: 'door', issuer: 'us'",
     "stands where the example had"},
    {"badges", "door.js", ", audience: 'door'", "", "stands where the example had"},
    {"badges", "door.js", "audience: 'door'", "audience: 'gate'",
     "`'gate'` stands where the example had `'door'`"},
    {"badges", "door.js", "{ secret: SECRET, audience: 'door' }", "{ ...OPTIONS }", "stands where"},
    {"badges", "door.js", "{ secret: SECRET, audience: 'door' }", "OPTIONS", "stands where"},
    {"badges", "door.js", "secret: SECRET", "'secret': SECRET, ['x']: 1", "stands where"},
    {"badges", "door.js", "secret: SECRET", "secret: () => SECRET", "had a value that says less"},
    {"badges", "door.js", "secret: SECRET", "secret: { key: SECRET }",
     "had a value that says less"},
    {"badges", "door.js", "= process.env.BADGE_SECRET ?? 'for tests alone'", "= { key: 1 }",
     "has other keys"},
    {"badges", "door.js", "jwt({", "jwt(...[], {", "the call has 2 arguments"},
    {"desk", "ticket.js", "nanoid(12)", "nanoid()",
     "the call has 0 arguments, the example's had 1"},
    {"desk", "ticket.js", "nanoid(12)", "nanoid(size)", "`size` stands where the example had"},
    {"desk", "ticket.js", "nanoid(12)", "nanoid(...[12])", "stands where"},
    {"desk", "ticket.js", "nanoid(12)", "nanoid?.(12)", "stands where"},
    {"desk", "ticket.js", "nanoid(12)", "nanoid(12).length", "stands where"},
    {"desk", "ticket.js", "nanoid(12)", "nanoid`12`", "stands where"},
    {"desk", "ticket.js", "nanoid(12)", "new nanoid(12)", "stands where"},
    {"desk", "ticket.js", "nanoid(12)", "nanoid.call(null, 12)", "stands where"},
    {"press", "article.js", "headerIds: false, mangle: false }",
     "headerIds: false, sanitize: true }", "has other keys"},
    {"press", "article.js", "headerIds: false, mangle: false }", "headerIds: false, ...more }",
     "has other keys"},
    {"press", "article.js", "({ depth, text }) => ({ depth, text })",
     "({ depth, raw }) => ({ depth, raw })", "0.raw"},
    {"press", "article.js", "({ depth, text }) => ({ depth, text })", "read", "had a function"},
    {"backup", "list.js", "(entry) => paths.push(entry.path)", "(entry) => paths.push(entry)",
     "uses its parameters otherwise"},
    {"backup", "list.js", "(entry) => paths.push(entry.path)",
     "async (entry) => paths.push(entry.path)", "is async, not both"},
    {"backup", "list.js", "(entry) => paths.push(entry.path)",
     "(entry, n) => paths.push(entry.path)", "the function has 2 parameters"},
    {"backup", "list.js", "(entry) => paths.push(entry.path)", "paths.add", "had a function"},
    {"ledger", "count.js", "(error) => {", "(error, rows) => {", "stands where"},
    {"ledger", "entries.js", "';\\n'", "';\\r\\n'", "stands where"},
    // Other ways to it.
    {"desk", "ticket.js", "nanoid(12)", "nanoid['call'](null, 12)", "stands where"},
    {"stripes", "Legend.jsx", "nthCheck.parse", "nthCheck['parse']", "stands where"},
    {"stripes", "Legend.jsx", "nthCheck.parse", "nthCheck[formula]", "stands where"},
    {"stripes", "Legend.jsx", "nthCheck.parse", "nthCheck?.parse", "stands where"},
    {"stripes", "Legend.jsx", "nthCheck.parse", "nthCheck.compile",
     "`compile` stands where the example had `parse`"},
    {"stripes", "Legend.jsx", "const [step", "const of = nthCheck.parse; const [step",
     "stands where"},
    {"stripes", "Legend.jsx", "const [step", "const all = nthCheck; const [step", "stands where"},
    {"stripes", "Legend.jsx",
     "const [step, offset] =", "const [step] =", "used for something else"},
    {"stripes", "Legend.jsx", "const [step, offset] =", "const pair =", "used for something else"},
    {"stripes", "Legend.jsx", "rows, from", "rows of {nthCheck.parse(formula).length}, from",
     "stands where"},
    {"listing", "read.js", "const { list }", "const { list, other }", "used for something else"},
    {"listing", "read.js", "const { list }", "const { ...list }", "used for something else"},
    {"parcel", "pack.js", "return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' })",
     "const all = zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' }); return all",
     "used for something else"},
    {"parcel", "pack.js", "export async function", "export function", "used for something else"},
    {"parcel", "unpack.js", "export async function", "export function",
     "waits in a function that is not async"},
    {"parcel", "unpack.js", "zip.file(path).asText()", "zip.file(path).asBinary()",
     "`asBinary` stands where the example had `asText`"},
    {"parcel", "unpack.js", "  return files", "  later(zip);\n  return files", "stands where"},
    {"parcel", "pack.js", "const zip = new JSZip();", "const zip = new JSZip(); zip.comment = 'x';",
     "stands where"},
    {"parcel", "pack.js", "const zip = new JSZip();", "let zip = new JSZip(); zip = files.zip;",
     "is given another value"},
    {"invites", "invite.js", "letters.slice(4)", "letters.at(4)",
     "`at` stands where the example had `slice`"},
    {"invites", "invite.js", "return generate(PIN_DIGITS, length)",
     "if (generate(PIN_DIGITS, length)) return 1", "used for something else"},
    {"transit", "lookup.js", "found.params", "found.index",
     "`index` stands where the example had `params`"},
    {"signout", "leave.js", "req.logout();", "req.logout(); count(req);", "stands where"},
    {"signout", "leave.js", "req.logout()", "res.logout()", "stands where"},
    {"listing", "names.js", "root.hasOwnProperty(name)", "root[name].hasOwnProperty(name)",
     "stands where"},
    // Other names.
    {"desk", "ticket.js", "/// A", "nanoid = shown;\n/// A", "is given another value"},
    {"desk", "ticket.js", "/// A", "export { nanoid };\n/// A", "`nanoid` stands where"},
    {"desk", "ticket.js", "/// A", "export { nanoid as id } from 'nanoid';\n/// A",
     "brought in otherwise"},
    {"desk", "ticket.js", "/// A", "export * from 'nanoid';\n/// A", "brought in otherwise"},
    {"desk", "ticket.js", "/// A", "export default nanoid;\n/// A", "`nanoid` stands where"},
    {"desk", "ticket.js", "/// A", "const more = () => import('nanoid');\n/// A",
     "`import` stands where"},
    {"desk", "ticket.js", "/// A", "jest.mock('nanoid');\n/// A",
     "named in a way that is not followed"},
    {"desk", "ticket.js", "/// A", "shown(eval('nanoid(1)'));\n/// A", "eval"},
    {"press", "article.js", "/// The text", "var marked = marked.parse;\n/// The text",
     "declared twice"},
    {"press", "article.js", "const marked = require('marked');",
     "let marked;\nif (process.env.MD) { marked = require('marked'); }", ""},
    {"press", "article.js", "const marked = require('marked');",
     "const marked = require('marked/lib/x');", "is not what the example imported"},
    {"press", "article.js", "const marked = require('marked');", "var marked = require('marked');",
     "brought in otherwise"},
    {"press", "article.js", "const marked = require('marked');",
     "const { parse: marked } = require('marked');", "stands where"},
    {"press", "article.js", "const marked = require('marked');",
     "const marked = require('marked').parse;", "is not what the example imported"},
    {"press", "article.js", "const marked = require('marked');", "import marked from 'marked';",
     "brought in otherwise"},
    {"press", "article.js", "const marked = require('marked');",
     "const fs = 1, marked = require('marked');", "brought in otherwise"},
    {"press", "article.js", "const marked = require('marked');",
     "const marked = require('marked');\nexports.md = marked;", "used for something else"},
    {"press", "article.js", "const marked = require('marked');",
     "const marked = require('marked');\nconst all = { marked };", "used for something else"},
    {"press", "article.js", "const marked = require('marked');",
     "const marked = require(`marked`);", "named in a way"},
    {"desk", "ticket.js", "import nanoid from", "import * as nanoid from", "stands where"},
    {"desk", "ticket.js", "import nanoid from", "import nanoid, { more } from", "stands where"},
    {"finder", "find.ts", "import { JSONPath }", "import { JSONPath, type Options }",
     "stands where"},
    {"finder", "find.ts", "import { JSONPath }", "import type { JSONPath }", "written otherwise"},
    {"finder", "find.ts", "return JSONPath({ path, json, preventEval: true })",
     "return JSONPath({ path, json, preventEval: true }).at(0) as unknown", "stands where"},
    {"finder", "find.ts", "preventEval: true", "preventEval: path", "stands where"},
    {"invites", "invite.js", "/// A code", "function customAlphabet() {}\n/// A code",
     "`customAlphabet` would mean something else"},
    {"invites", "invite.js", "pin(length) {", "pin(length, customAlphabet) {",
     "means something of this file already"},
    {"library", "shelf.js", "titles(books) {", "titles(books, map) {",
     "means something of this file already"},
    {"library", "shelf.js", "const contains = require('lodash/collection/contains');", "",
     "brought in otherwise"},
    {"library", "shelf.js", "contains(titles(books), title)", "title", "nothing uses it"},
    {"rates", "read.ts", "const sheet: Sheet", "const parser = 1; const sheet: Sheet",
     "`parser` means something of this file already"},
    {"rates", "read.ts", "const sheet: Sheet", "const sheet", "stands where"},
    {"rates", "read.ts", "const rows = sheet.rates?.rate ?? [];",
     "const rows = sheet.rates.rate ?? [];", "stands where"},
    {"rates", "write.ts", "writer.parse({ rates:", "writer.parse({ prices:", "stands where"},
    {"transit", "lookup.js", "(normalizePathname(path))", "(normalizePathname(path || '/'))",
     "name of its file"},
    {"transit", "params.js", "many: key.repeat", "many: key.repeats", "stands where"},
    {"signout", "leave.js", "function leave(req, res)", "function leave(req, error)",
     "stands where"},
    // Comments and what nobody can read.
    {"stripes", "Legend.jsx", "nthCheck.parse", "nthCheck /* the formula */.parse",
     "a comment stands within"},
    {"desk", "ticket.js", "return {", "return { {", "does not parse"},
    {"desk", "ticket.js", "import nanoid from 'nanoid';", "const nanoid = shown;",
     "does not use the package"},
};

TEST(Refused, IsWhatIsNotTheSame) {
  std::size_t refused = 0;
  for (const Twist& twist : kTwists) {
    const Sample one = sample(twist.project, twist.path);
    const auto from = learn(one.file(), one.after);
    ASSERT_TRUE(from) << describe(from.error());
    std::string text = one.before;
    const std::size_t at = text.find(twist.from);
    ASSERT_NE(at, std::string::npos) << twist.project << ": " << twist.from;
    text.replace(at, std::string_view(twist.from).size(), twist.to);
    const auto got = apply(*from, {text, from->language, one.package}, &api());
    EXPECT_FALSE(got) << twist.project << ": " << twist.to << "\n" << said(got);
    EXPECT_THAT(said(got), HasSubstr(twist.why)) << twist.project << ": " << twist.to;
    ++refused;
  }
  EXPECT_GE(refused, 90U);
}

TEST(Refused, IsAnotherPackageOrLanguage) {
  const Sample one = sample("desk", "ticket.js");
  const auto from = learn(one.file(), one.after);
  ASSERT_TRUE(from);
  EXPECT_EQ(said(apply(*from, {one.before, syntax::Language::tsx, "nanoid"}, nullptr)),
            "refused: the example is in another language");
  EXPECT_EQ(said(apply(*from, {one.before, from->language, "nano"}, nullptr)),
            "refused: the file does not use the package");
  // The rewrite's own judge has the last word: without the new version nobody knows its exports.
  EXPECT_EQ(said(apply(*from, one.file(), nullptr)),
            "refused: line 1: the result would not pass: not_exported");
}

TEST(Refused, SaysWhere) {
  const Sample one = sample("desk", "ticket.js");
  const auto from = learn(one.file(), one.after);
  ASSERT_TRUE(from);
  const std::string text = one.before + "\nexport const more = () => nanoid(1, 2);\n";
  EXPECT_EQ(said(apply(*from, {text, from->language, "nanoid"}, nullptr)),
            "refused: line 9: the call has 2 arguments, the example's had 1");
}

/// Why nothing is learned of a change of one file.
std::string unlearned(std::string_view before, std::string_view after) {
  const auto from = learn({before, syntax::Language::javascript, "menu"}, after);
  return from ? "learned" : describe(from.error());
}

TEST(Refused, IsWhatNobodyCanLearnFrom) {
  const std::string head = "import { draw } from 'menu';\n";
  EXPECT_EQ(unlearned(head + "draw(1);\n", head + "draw(1, 2);\n"), "learned");
  EXPECT_THAT(unlearned("f(1);", "f(2);"), HasSubstr("does not use the package"));
  EXPECT_THAT(unlearned(head + "draw(1); f(1);", head + "draw(2); f(2);"),
              HasSubstr("line 2: what changed here has no use of the package in it"));
  EXPECT_THAT(unlearned(head + "const a = 2;\nconst f = (b) => draw(b);",
                        head + "const a = 2;\nconst f = (b) => draw(b, a);"),
              HasSubstr("its new text needs `a`, which another file does not have"));
  EXPECT_THAT(unlearned(head + "f(() => draw(1));", head + "f(async () => await draw(1));"),
              HasSubstr("a function became async"));
  EXPECT_THAT(unlearned(head + "draw(1);", head + "draw(1, 2); // why\n"), testing::Ne("learned"));
  EXPECT_THAT(unlearned(head + "(($1) => draw($1));", head + "(($1) => draw($1, $1));"),
              HasSubstr("`$1` is what a hole is called"));
  EXPECT_THAT(unlearned(head + "draw(;", head + "draw(1);"), HasSubstr("does not parse"));
  EXPECT_THAT(unlearned(head + "draw(1);", head + "draw(1;"), HasSubstr("does not parse"));
}

}  // namespace
}  // namespace cg::carry
