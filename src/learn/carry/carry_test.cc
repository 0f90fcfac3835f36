#include "learn/carry/carry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/base/text.h"
#include "learn/carry/samples_test.h"
#include "learn/carry/tokens.h"
#include "learn/carry/uses.h"

namespace cg::carry {
namespace {

using testing::HasSubstr;

Template learned(const Sample& one) {
  auto out = learn(one.file(), one.after);
  EXPECT_TRUE(out) << one.project << " " << one.path << ": " << describe(out.error());
  return out ? *std::move(out) : Template{};
}

std::string carried_to(const Template& from, const Sample& one, std::string_view text) {
  return said(apply(from, {text, from.language, one.package}, &api()));
}

TEST(Carry, MakesOfEachAnswerWhatItWas) {
  const std::vector<Sample> all = samples();
  ASSERT_EQ(all.size(), 27U);
  for (const Sample& one : all) {
    const Template from = learned(one);
    EXPECT_EQ(carried_to(from, one, one.before), one.after) << one.project << " " << one.path;
    const auto read = parse(write(from));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, from);
  }
}

TEST(Carry, SaysWhatItLearned) {
  const auto lines = explain(learned(sample("backup", "list.js")));
  EXPECT_THAT(lines,
              testing::Contains("`import $1 from 'tar';` becomes `import * as $1 from 'tar';`"));
  EXPECT_THAT(lines, testing::Contains("`await $1.list({ file: $2, onentry: $3 })` becomes "
                                       "`await $1.list({ file: $2, onReadEntry: $3 })`, where its "
                                       "value is for: statement"));
  EXPECT_THAT(lines, testing::Contains(HasSubstr("$3 is a function with 1 parameters, using of "
                                                 "them no more than: 0.path")));
  EXPECT_THAT(lines.back(), HasSubstr("would not match"));
}

// The same file, laid out by somebody else.

using Change = std::string (*)(const std::string&);

std::string with_crlf(const std::string& text) { return replaced(text, "\n", "\r\n"); }
std::string with_margin(const std::string& text, const std::string& step) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    std::size_t spaces = 0;
    while (line.substr(spaces).starts_with("  ")) spaces += 2;
    for (std::size_t n = 0; n < spaces; n += 2) out += step;
    out += std::string(line.substr(spaces)) + "\n";
  }
  out.pop_back();
  return out;
}
std::string with_tabs(const std::string& text) { return with_margin(text, "\t"); }
std::string with_fours(const std::string& text) { return with_margin(text, "    "); }
std::string with_a_head(const std::string& text) {
  return "#!/usr/bin/env node\n/* somebody's, 2020 */\n\n" + text + "\n// the end";
}
std::string with_double_quotes(const std::string& text) { return replaced(text, "'", "\""); }

TEST(Carry, FollowsTheLayoutOfAFile) {
  std::size_t carried = 0;
  for (const Sample& one : samples()) {
    const Template from = learned(one);
    for (const Change change :
         {with_crlf, with_tabs, with_fours, with_a_head, with_double_quotes}) {
      const bool mixes = one.before.find('"') != std::string::npos;
      if (change == with_double_quotes && mixes) continue;
      EXPECT_EQ(carried_to(from, one, change(one.before)), change(one.after))
          << one.project << " " << one.path;
      ++carried;
    }
  }
  EXPECT_GE(carried, 120U);
}

/// Each name of a file whose declaration is in `names` by another word.
std::string renamed_one_by_one(const Source& source, const std::map<Index, std::string>& names) {
  std::string out;
  std::size_t at = 0;
  for (Index i = 0; i < source.size(); ++i) {
    const auto known = source.is_name(i) ? names.find(source.binding_of(i)) : names.end();
    if (known == names.end()) continue;
    out += source.text().substr(at, source.at(i).begin - at);
    const bool is_short = source.kind(i) == Kind::shorthand_property_identifier ||
                          source.kind(i) == Kind::shorthand_property_identifier_pattern;
    if (is_short) out += std::string(source.text_of(i)) + ": ";
    const bool is_specifier =
        source.parent_kind(i) == Kind::import_specifier && source.at(i).field == Field::name;
    if (is_specifier) out += std::string(source.text_of(i)) + " as ";
    out += known->second;
    at = source.at(i).end;
  }
  return out + std::string(source.text().substr(at));
}

/// The same by words, wherever they are declared.
std::string renamed(const std::string& text, const Sample& one,
                    const std::map<std::string, std::string>& names) {
  auto opened = Source::open(text, *syntax::language_of(one.path), one.package);
  const Source& source = **opened;
  std::map<Index, std::string> by_binding;
  for (Index b = 0; b < source.scopes().bindings().size(); ++b) {
    const auto known = names.find(std::string(source.text_of(source.declaration_of(b))));
    if (known != names.end()) by_binding[b] = known->second;
  }
  return renamed_one_by_one(source, by_binding);
}

TEST(Carry, CommutesWithOtherNames) {
  std::mt19937 random(20261);
  std::size_t tried = 0;
  for (const Sample& one : samples()) {
    const Template from = learned(one);
    auto opened = Source::open(one.before, from.language, one.package);
    const Source* source = opened->get();
    for (int round = 0; round < 8; ++round) {
      std::map<std::string, std::string> names;
      for (const syntax::Binding& binding : source->scopes().bindings()) {
        const std::string word(source->text_of(binding.name));
        const bool stays = std::binary_search(from.introduces.begin(), from.introduces.end(), word);
        if (stays || random() % 2 == 0) continue;
        names[word] = "n" + std::to_string(random() % 9) + word;
      }
      const std::string text = renamed(one.before, one, names);
      ASSERT_EQ(carried_to(from, one, text), renamed(one.after, one, names))
          << one.project << " " << one.path << "\n"
          << text;
      ++tried;
    }
  }
  EXPECT_EQ(tried, 27U * 8U);
}

/// What a text does, whatever its names are: tokens, with each name by the order of its
/// declaration.
std::vector<std::string> meaning(const std::string& text, const Sample& one) {
  auto opened = Source::open(text, *syntax::language_of(one.path), one.package);
  if (!opened) return {"does not parse"};
  const Source& source = **opened;
  std::map<Index, std::string> numbers;
  std::vector<std::string> out;
  const auto whole = [&](Index i) { return source.kind(i) == Kind::import_specifier; };
  const auto name = [&](Index node) {
    const Index binding = source.binding_of(node);
    if (binding == kNone) return out.emplace_back(source.text_of(node));
    const auto number = numbers.emplace(binding, "#" + std::to_string(numbers.size()));
    return out.emplace_back(number.first->second);
  };
  for (const Token& token : tokens_of(source, {0, 0}, whole)) {
    if (token.node == kNone) {
      out.emplace_back(word_of(source, token));
      continue;
    }
    const Kind kind = source.kind(token.node);
    if (kind == Kind::import_specifier) {
      const Index key = source.syntax().child(token.node, Field::name);
      const Index alias = source.syntax().child(token.node, Field::alias);
      out.emplace_back(source.text_of(key));
      name(alias == kNone ? key : alias);
    } else if (source.is_name(token.node)) {
      const bool is_short = kind == Kind::shorthand_property_identifier ||
                            kind == Kind::shorthand_property_identifier_pattern;
      if (is_short) {
        out.emplace_back(source.text_of(token.node));
        out.emplace_back(":");
      }
      name(token.node);
    } else {
      out.emplace_back(word_of(source, token));
    }
  }
  return out;
}

/// Each declaration by itself gets a name that something else in the file has, or in the example's
/// new text. If the file still means the same, what is made of it means what the answer means.
TEST(Carry, CapturesNothing) {
  std::mt19937 random(20262);
  std::size_t carried = 0;
  std::size_t refused = 0;
  for (const Sample& one : samples()) {
    const Template from = learned(one);
    auto opened = Source::open(one.before, from.language, one.package);
    const Source& source = **opened;
    std::vector<std::string> pool = from.introduces;
    for (Index i = 0; i < source.size(); ++i) {
      const Kind kind = source.kind(i);
      if (source.is_name(i) || kind == Kind::property_identifier)
        pool.emplace_back(source.text_of(i));
    }
    const auto same = meaning(one.before, one);
    const auto due = meaning(one.after, one);
    for (int round = 0; round < 25; ++round) {
      std::map<Index, std::string> names;
      for (Index b = 0; b < source.scopes().bindings().size(); ++b) {
        if (random() % 3 == 0) names[b] = pool[random() % pool.size()];
      }
      const std::string text = renamed_one_by_one(source, names);
      if (meaning(text, one) != same) continue;
      const auto got = apply(from, {text, from.language, one.package}, &api());
      ++(got ? carried : refused);
      if (got) {
        ASSERT_EQ(meaning(*got, one), due) << text << "\n" << *got;
      }
    }
  }
  EXPECT_GE(carried, 100U);
  EXPECT_GE(refused, 3U);
}

std::size_t uses_in(const std::string& text, const Sample& one) {
  auto opened = Source::open(text, *syntax::language_of(one.path), one.package);
  if (!opened) return 0;
  const auto uses = uses_of(**opened, one.package);
  return uses ? uses->all.size() + uses->imports.size() : 0;
}

/// A line that the answer did not change is made another one, at random. What is made of the file
/// then is the answer with that line, or nothing.
TEST(Carry, CommutesWithDamageElsewhere) {
  std::mt19937 random(20263);
  std::size_t carried = 0;
  std::size_t refused = 0;
  for (const Sample& one : samples()) {
    const Template from = learned(one);
    auto opened = Source::open(one.before, from.language, one.package);
    const auto nothing = [](Index) { return false; };
    const std::vector<Token> tokens = tokens_of(**opened, {0, 0}, nothing);
    const std::size_t uses = uses_in(one.before, one);
    for (int round = 0; round < 50; ++round) {
      const Token& token = tokens[random() % tokens.size()];
      const Token& other = tokens[random() % tokens.size()];
      const std::size_t begin = one.before.rfind('\n', token.begin) + 1;
      const std::string line = one.before.substr(begin, one.before.find('\n', begin) - begin);
      const std::size_t there = one.after.find("\n" + line + "\n");
      const bool is_once = there != std::string::npos &&
                           one.after.find("\n" + line + "\n", there + 1) == std::string::npos &&
                           one.before.find("\n" + line + "\n") == begin - 1;
      if (begin == 0 || !is_once || token.end > begin + line.size()) continue;
      std::string damaged = line;
      const std::string by = random() % 3 == 0 ? "" : std::string(word_of(**opened, other));
      damaged.replace(token.begin - begin, random() % 3 == 0 ? 0 : token.end - token.begin,
                      by + " ");
      std::string text = one.before;
      text.replace(begin, line.size(), damaged);
      std::string due = one.after;
      due.replace(there + 1, line.size(), damaged);
      if (uses_in(text, one) != uses) continue;  // other names are the package's
      const auto got = apply(from, {text, from.language, one.package}, &api());
      ++(got ? carried : refused);
      if (got) {
        EXPECT_EQ(meaning(*got, one), meaning(due, one)) << *got << due;  // but for the layout
      }
    }
  }
  EXPECT_GE(carried, 150U);
  EXPECT_GE(refused, 15U);
}

// Files that another person wrote.

struct Other {
  const char* project;
  const char* path;
  const char* before;
  const char* after;
};

const Other kOthers[] = {
    {"backup", "list.js",
     "import archive from \"tar\"\n\nexport const names = async (from) => {\n\tlet all = "
     "[]\n\tawait "
     "archive.list({ file: from, onentry: (one) => { all.push(one.path) } })\n\treturn all\n}\n",
     "import * as archive from \"tar\"\n\nexport const names = async (from) => {\n\tlet all = "
     "[]\n\tawait archive.list({ file: from, onReadEntry: (one) => { all.push(one.path) } "
     "})\n\treturn "
     "all\n}\n"},
    {"backup", "list.js",
     "import tar from 'tar';\nexport class Box {\n  async all(file) {\n    for (const one of file) "
     "{\n "
     "     await tar.list({\n        file, // of the box\n        onentry: (e) => "
     "this.see(e.path),\n "
     "     });\n      await tar.list({ file: one.name, onentry: function (e) { this.add(e.path); } "
     "});\n    }\n  }\n}\n",
     "import * as tar from 'tar';\nexport class Box {\n  async all(file) {\n    for (const one of "
     "file) {\n      await tar.list({\n        file, // of the box\n        onReadEntry: (e) => "
     "this.see(e.path),\n      });\n      await tar.list({ file: one.name, onReadEntry: function "
     "(e) { "
     "this.add(e.path); } });\n    }\n  }\n}\n"},
    {"backup", "save.js", "import t from 'tar';\nexport const f = (a, b) => t.then;\n", nullptr},
    {"badges", "door.js",
     "const guard = require('express-jwt');\nconst key = process.env.KEY;\nmodule.exports.a = "
     "guard({\n  secret: key,\n  audience: 'door',\n});\nfunction more() {\n  exports.b = guard({ "
     "secret: key.old, audience: 'door' });\n}\nmore();\n",
     "const guard = require('express-jwt');\nconst key = process.env.KEY;\nmodule.exports.a = "
     "guard({\n  secret: key,\n  algorithms: ['HS256'],\n  audience: 'door',\n});\nfunction more() "
     "{\n  exports.b = guard({ secret: key.old, algorithms: ['HS256'], audience: 'door' "
     "});\n}\nmore();\n"},
    {"desk", "ticket.js",
     "import id from 'nanoid';\nconst size = 3;\nexport const a = () => id(21), b = { c: id(4) "
     "};\n",
     "import { nanoid as id } from 'nanoid';\nconst size = 3;\nexport const a = () => id(21), b = "
     "{ "
     "c: id(4) };\n"},
    {"finder", "find.ts",
     "import { JSONPath as query } from \"jsonpath-plus\";\nexport class Tree {\n  "
     "constructor(private "
     "root: object) {}\n  at(where: string): unknown {\n    return query({ path: `$.${where}`, "
     "json: "
     "this.root, preventEval: true });\n  }\n}\n",
     "import { JSONPath as query } from \"jsonpath-plus\";\nexport class Tree {\n  "
     "constructor(private "
     "root: object) {}\n  at(where: string): unknown {\n    return query({ path: `$.${where}`, "
     "json: "
     "this.root, eval: false });\n  }\n}\n"},
    {"invites", "invite.js",
     "import make from 'nanoid/generate.js';\nexport const voucher = (letters) => make(letters, "
     "12);\nexport function both() {\n  function inner() { return make('abc', 3); }\n  return "
     "inner;\n}\n",
     "import { customAlphabet } from 'nanoid';\nexport const voucher = (letters) => "
     "customAlphabet(letters, 12)();\nexport function both() {\n  function inner() { return "
     "customAlphabet('abc', 3)(); }\n  return inner;\n}\n"},
    {"ledger", "entries.js",
     "const csv = require('csv-parse/lib/sync');\nexports.rows = (file) => csv(file.toString(), "
     "{\n  "
     "columns: true,\n  rowDelimiter: ';\\n',\n  auto_parse: true,\n});\n",
     "const csv = require('csv-parse/lib/sync');\nexports.rows = (file) => csv(file.toString(), "
     "{\n  "
     "columns: true,\n  record_delimiter: ';\\n',\n  cast: true,\n});\n"},
    {"library", "shelf.js",
     "const p = require('lodash/collection/pluck')\nconst has = "
     "require('lodash/collection/contains')\nexports.a = (films) => { return p(films, 'title') "
     "}\nexports.b = (films, one) => has(films.all, one.title)\n",
     "const { includes, map } = require('lodash')\nexports.a = (films) => { return map(films, "
     "'title') }\nexports.b = (films, one) => includes(films.all, one.title)\n"},
    {"parcel", "unpack.js",
     "import Zip from 'jszip';\nexport const read = async (file) => {\n  const box = new "
     "Zip(file);\n "
     " const out = {};\n  for (const name of Object.keys(box.files)) out[name] = "
     "box.file(name).asText();\n  "
     "return "
     "out;\n};\n",
     "import Zip from 'jszip';\nexport const read = async (file) => {\n  const box = await "
     "Zip.loadAsync(file);\n  const out = {};\n  for (const name of Object.keys(box.files)) "
     "out[name] = await "
     "box.file(name).async('text');\n  return out;\n};\n"},
    {"press", "article.js",
     "const md = require('marked');\nconst OPTIONS = { mangle: true, headerIds: true "
     "};\nexports.page "
     "= (text) => [md(text, OPTIONS), md.lexer(text), md.parseInline(text.head, OPTIONS)];\n",
     "const { marked: md } = require('marked');\nconst OPTIONS = { mangle: true, headerIds: true "
     "};\nexports.page = (text) => [md(text, OPTIONS), md.lexer(text), md.parseInline(text.head, "
     "OPTIONS)];\n"},
    {"rates", "read.ts",
     "import { parse as fromXml, validate } from 'fast-xml-parser';\ntype Row = { rates: { rate: "
     "string } };\nexport const one = (text: string) => {\n\tconst row: Row = fromXml(text, "
     "{\n\t\tignoreAttributes: false,\n\t\tattributeNamePrefix: '',\n\t\ttextNodeName: "
     "'value',\n\t\tparseNodeValue: false\n\t});\n\treturn validate(text) === true && "
     "row.rates?.rate;\n};\n",
     "import { XMLParser, XMLValidator } from 'fast-xml-parser';\ntype Row = { rates: { rate: "
     "string "
     "} };\nexport const one = (text: string) => {\n\tconst parser = new "
     "XMLParser({\n\t\tignoreAttributes: false,\n\t\tattributeNamePrefix: '',\n\t\ttextNodeName: "
     "'value',\n\t\tparseTagValue: false\n\t});\n\tconst row: Row = parser.parse(text);\n\treturn "
     "XMLValidator.validate(text) === true && row.rates?.rate;\n};\n"},
    {"signout", "leave.js",
     "const auth = require('passport');\nmodule.exports = function bye(request, response) {\n    "
     "auth.initialize()(request, response, () => {\n        request.logout();\n        "
     "response.redirect('/bye');\n    });\n};\n",
     "const auth = require('passport');\nmodule.exports = function bye(request, response) {\n    "
     "auth.initialize()(request, response, () => {\n        request.logout((error) => {\n          "
     "  "
     "if (error) throw error;\n            response.redirect('/bye');\n        });\n    });\n};\n"},
    {"stripes", "Table.jsx",
     "import nth from \"nth-check\";\nexport const Rows = ({ rule, children }) => {\n  const test "
     "= "
     "nth.compile(nth.parse(rule));\n  return <ul>{children.map((one, i) => <li "
     "class=\"a\">{test(i) ? 'b' : one}</li>)}</ul>;\n};\n",
     "import { compile, parse } from \"nth-check\";\nexport const Rows = ({ rule, children }) => "
     "{\n  "
     "const test = compile(parse(rule));\n  return <ul>{children.map((one, i) => <li "
     "class=\"a\">{test(i) ? 'b' : one}</li>)}</ul>;\n};\n"},
    {"transit", "lookup.js",
     "const { match: find, normalizePathname: tidy } = require('path-to-regexp');\nmodule.exports "
     "= "
     "(rule, url) => {\n  const hit = find(rule)(tidy(url));\n  return hit && { ...hit.params "
     "};\n};\n",
     "const { match: find } = require('path-to-regexp');\nmodule.exports = (rule, url) => {\n  "
     "const "
     "hit = find(rule)(url.replace(/\\/+/g, '/'));\n  return hit && { ...hit.params };\n};\n"},
    {"shop", "requests.js",
     "const s = require('tinyshop-session');\nconst answer = { id: s.open().id };\nfunction "
     "again() { "
     "return { a: { b: s.open().id } }; }\nmodule.exports = { answer, again };\n",
     "const s = require('tinyshop-session');\nconst answer = { id: s.openSession().id };\nfunction "
     "again() { return { a: { b: s.openSession().id } }; }\nmodule.exports = { answer, again };\n"},
};

TEST(Carry, ReachesFilesOfOthers) {
  for (const Other& other : kOthers) {
    const Sample one = sample(other.project, other.path);
    const std::string got = carried_to(learned(one), one, other.before);
    if (other.after == nullptr) {
      EXPECT_THAT(got, HasSubstr("refused: ")) << other.before;
    } else {
      EXPECT_EQ(got, other.after);
    }
  }
}

TEST(Carry, LeavesAloneWhatIsSomethingElse) {
  const Sample one = sample("desk", "ticket.js");
  EXPECT_EQ(
      carried_to(learned(one), one,
                 "import nanoid from 'nanoid';\nexport const a = (nanoid) => nanoid('x', 2);\n"
                 "export const b = { nanoid: nanoid(3) };\n"),
      "import { nanoid } from 'nanoid';\nexport const a = (nanoid) => nanoid('x', 2);\n"
      "export const b = { nanoid: nanoid(3) };\n");
  const Sample kept = sample("invites", "invite.js");
  EXPECT_THAT(
      carried_to(learned(kept), kept,
                 replaced(kept.before, "import generate from", "import generate /* it */ from")),
      HasSubstr("import { customAlphabet } /* it */ from 'nanoid';"));
}

TEST(Carry, JoinsAllAnswers) {
  std::map<std::string, std::vector<Sample>> projects;
  for (const Sample& one : samples()) projects[one.project].push_back(one);
  for (const auto& [project, files] : projects) {
    std::vector<Template> all;
    for (const Sample& one : files) all.push_back(learned(one));
    const auto both = join(all);
    ASSERT_TRUE(both) << project << ": " << describe(both.error());
    for (const Sample& one : files) EXPECT_EQ(carried_to(*both, one, one.before), one.after);
  }
}

TEST(Carry, JoinsFilesOfOneFix) {
  const Sample article = sample("press", "article.js");
  const Sample feed = sample("press", "feed.js");
  const auto both = join({learned(article), learned(feed)});
  ASSERT_TRUE(both) << describe(both.error());
  EXPECT_EQ(carried_to(*both, article, article.before), article.after);
  EXPECT_EQ(carried_to(*both, feed, feed.before), feed.after);
  EXPECT_EQ(
      carried_to(*both, feed,
                 "const marked = require('marked');\nconst S = { headerIds: false, mangle: true "
                 "};\nexports.a = (b) => marked.lexer(marked(b, S));\n"
                 "exports.c = (d) => marked(d, { headerIds: false, mangle: false });\n"),
      "const { marked } = require('marked');\nconst S = { headerIds: false, mangle: true "
      "};\nexports.a = (b) => marked.lexer(marked(b, S));\n"
      "exports.c = (d) => marked(d, { headerIds: false, mangle: false });\n");
  // Of two imports the one that brings in what is used.
  const Sample legend = sample("stripes", "Legend.jsx");
  const Sample table = sample("stripes", "Table.jsx");
  const auto rows = join({learned(legend), learned(table)});
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(carried_to(*rows, legend, legend.before), legend.after);
  EXPECT_EQ(carried_to(*rows, table, table.before), table.after);
  EXPECT_THAT(carried_to(*rows, table, "import n from 'nth-check';\n"),
              HasSubstr("refused: line 1"));
  EXPECT_FALSE(join({learned(article), learned(sample("rates", "read.ts"))}));
}

}  // namespace
}  // namespace cg::carry
