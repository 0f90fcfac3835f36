#include "model/rewrite/rewrite.h"

#include <gtest/gtest.h>

namespace cg::rewrite {
namespace {

using syntax::Language;

const exports::Api& api() {
  static const exports::Api all =
      exports::read_files({{"package.json", R"({"exports": {".": "./a.js", "./lite": "./a.js"}})"},
                           {"a.js", "exports.draw = exports.Menu = exports.count = 1;"}})
          .value();
  return all;
}

/// "ok", or the breach.
std::string judged(std::string_view before, std::string_view after,
                   Language language = Language::javascript) {
  const auto found = find_breach({before, after, language, "menu", &api()});
  return found ? std::string(name(found->breach)) : "ok";
}

/// Behind code that imports the package and uses some of what is outside.
const std::string kOld =
    "const fs = require('fs');\nconst menu = require('menu');\n"
    "function save(file, items, key) {\n  fs.writeFileSync(file, menu.render(items));\n"
    "  return [items[key], process.env.HOME, Object.keys(items), setTimeout(save, 9)];\n}\n"
    "globalThis.saved = String(menu.count());\n";
std::string added(const std::string& code, Language language = Language::javascript) {
  return judged(kOld, kOld + code + "\n", language);
}

TEST(Rewrite, MayUseThePackageInNewWays) {
  EXPECT_EQ(added("menu.draw(1);"), "ok");
  EXPECT_EQ(added("const { draw, Menu: M } = require('menu'); draw(new M('x').y);"), "ok");
  EXPECT_EQ(added("async () => { const { draw } = await import('menu/lite'); return draw`a`; };"),
            "ok");
  EXPECT_EQ(
      judged("import a from 'menu';\na(1);", "import { draw as a } from 'menu';\na({ b: 2 });"),
      "ok");
  EXPECT_EQ(judged("import a from 'menu/old';\na();", "import * as a from 'menu';\na.draw();"),
            "ok");
  EXPECT_EQ(added("menu.none();"), "not_exported");
  EXPECT_EQ(added("require('menu/none');"), "not_exported");
  EXPECT_EQ(added("menu.draw = 1;"), "outside_write");
}

TEST(Rewrite, ReachesNothingNew) {
  EXPECT_EQ(added("fetch('x');"), "new_global");
  EXPECT_EQ(added("process.exit(0);"), "new_global");
  EXPECT_EQ(added("process.env.TOKEN;"), "new_global");
  EXPECT_EQ(added("const o = Object;"), "new_global");
  EXPECT_EQ(added("menu.draw(Object);"), "new_global");
  EXPECT_EQ(added("[].map(Object.keys);"), "new_global");
  EXPECT_EQ(added("fs.rmSync('x');"), "new_import");
  EXPECT_EQ(added("const { rm } = fs;"), "new_import");
  EXPECT_EQ(added("menu.draw(fs);"), "new_import");
  EXPECT_EQ(added("const f = fs; f.rmSync('x');"), "new_import");
  EXPECT_EQ(added("require('net');"), "new_import");
  EXPECT_EQ(added("import('node:net');"), "new_import");
  EXPECT_EQ(added("(function (g) { g.fetch('x'); })(globalThis);"), "new_global");
  EXPECT_EQ(added("(function () { return this.process; })();"), "new_global");
  EXPECT_EQ(judged("'use strict';\n", "'use strict';\nfunction f() { return this.process; }"),
            "ok");
  EXPECT_EQ(judged("import 'menu';", "import 'menu';\nexport * from 'fs';"), "new_import");
  EXPECT_EQ(judged("let a;", "let a: X = eval;", Language::typescript), "dynamic_code");
  EXPECT_EQ(judged("", "interface eval {}\neval('1');", Language::typescript), "dynamic_code");
  EXPECT_EQ(judged("", "type F = (eval: string) => void;\neval('1');", Language::typescript),
            "dynamic_code");
}

TEST(Rewrite, SeesThroughTypes) {
  const auto typed = [](const std::string& code) {
    const std::string old = "import { draw } from 'menu';\ndraw(1);\n";
    return judged(old, old + code, Language::typescript);
  };
  EXPECT_EQ(typed("interface Row { a: string }\ndraw<Row>(2 as Row);"), "ok");
  EXPECT_EQ(typed("import type { Deno } from 'menu';\nDeno.run();"), "not_exported");
  EXPECT_EQ(typed("import type { Menu } from 'menu';\nMenu.run();"), "new_global");
  EXPECT_EQ(typed("namespace Deno {}\nDeno.run();"), "new_global");
  EXPECT_EQ(typed("interface\nfoo\n{ draw(x) }"), "dynamic_code");
  EXPECT_EQ(typed("type\nfoo = bar;"), "new_global");
}

TEST(Rewrite, CallsWhatIsOutsideAsBefore) {
  const std::string call = "fs.writeFileSync(file, menu.render(items));";
  const auto instead = [&](const std::string& other) {
    std::string text = kOld;
    return judged(kOld, text.replace(text.find(call), call.size(), other));
  };
  EXPECT_EQ(instead("fs.writeFileSync(file, menu.draw(items, { flat: 1 }).text);"), "ok");
  EXPECT_EQ(instead("const t = menu.draw(items);\n  fs.writeFileSync(file, t);"), "ok");
  EXPECT_EQ(instead("fs.writeFileSync(\n    file /* the same */, menu.draw(items));"), "ok");
  EXPECT_EQ(instead("fs.writeFileSync('/etc/passwd', menu.draw(items));"), "other_call");
  EXPECT_EQ(instead("const f = file + 'x';\n  fs.writeFileSync(f, menu.draw(items));"),
            "other_call");
  EXPECT_EQ(added("setTimeout('save()', 9);"), "other_call");
  EXPECT_EQ(added("Object.keys(menu.draw(1));"), "ok");
  EXPECT_EQ(judged("const c = 'ls';\nexec(c);", "const c = 'rm';\nexec(c);"), "other_call");
}

/// With a line of kOld in another form.
std::string instead_of(const std::string& line, const std::string& other) {
  std::string text = kOld;
  EXPECT_NE(text.find(line), std::string::npos);
  return judged(kOld, text.replace(text.find(line), line.size(), other));
}

TEST(Rewrite, NamesHoldWhatTheyHeld) {
  const std::string write = "  fs.writeFileSync(file, menu.render(items));";
  for (const char* before : {"file = '/etc/passwd';", "file = menu.draw(1);", "file += '/x';",
                             "file++;", "[file] = ['/x'];", "({ file } = items);",
                             "for (file of items) ;", "arguments[0] = '/x';", "var file = '/x';"}) {
    const std::string found = instead_of(write, "  " + std::string(before) + "\n" + write);
    EXPECT_TRUE(found == "other_call" || found == "outside_write") << before << " " << found;
  }
  const std::string head = "save(file, items, key)";
  EXPECT_EQ(instead_of(head, "save(file = '/etc/passwd', items, key)"), "other_call");
  EXPECT_EQ(instead_of(head, "save(items, file, key)"), "other_call");
  EXPECT_EQ(instead_of(head, "save({ file, items, key })"), "other_call");
  EXPECT_EQ(instead_of(head, "save(file, items, key, more)"), "ok");
  // What comes out of the package may be anything, as long as nothing else does.
  const std::string through = "  let text = menu.render(items);\n";
  EXPECT_EQ(instead_of(write, through + "  fs.writeFileSync(file, text);"), "ok");
  EXPECT_EQ(instead_of(write, through + "  text = text.trim();\n  fs.writeFileSync(file, text);"),
            "ok");
  EXPECT_EQ(instead_of(write, through + "  text = 'evil';\n  fs.writeFileSync(file, text);"),
            "other_call");
  const std::string options = "const { to, as: how = 'x' } = load();\nexec(to, how);\n";
  EXPECT_EQ(judged(options, options), "ok");
  for (const char* other :
       {"const { from: to, as: how = 'x' } = load();", "const { to = 1, as: how = 'x' } = load();",
        "const { to, as: how = 'y' } = load();", "const { to: { to }, as: how = 'x' } = load();",
        "const [to, , how = 'x'] = load();", "const { ...to } = load(), how = 'x';"}) {
    EXPECT_EQ(judged(options, std::string(other) + "\nexec(to, how);\n"), "other_call") << other;
  }
  // However long the chain is, it ends.
  std::string chain = "let a0 = menu.draw(); a0 = 1;\n";
  for (int i = 1; i < 40; ++i) {
    const std::string name = "a" + std::to_string(i);
    chain += "let " + name + " = menu.draw(); " + name + " = a" + std::to_string(i - 1) + ";\n";
  }
  EXPECT_EQ(added(chain + "fs.writeFileSync(a39, menu.render(1));"), "other_call");
}

TEST(Rewrite, GivesNothingNewToWhatReachesOutside) {
  const std::string old =
      "const menu = require('menu');\nfunction run(c) { exec(c); }\nconst go = (c) => run(c);\n"
      "function size(a) { return a.length; }\nrun('ls');\ngo('ls');\nsize('ls');\n";
  const auto with = [&](const std::string& code) { return judged(old, old + code); };
  EXPECT_EQ(with("run('rm');"), "other_call");
  EXPECT_EQ(with("go('rm');"), "other_call");
  EXPECT_EQ(with("const c = 'rm';\ngo(c);"), "other_call");
  EXPECT_EQ(with("run('ls');"), "ok");
  EXPECT_EQ(with("size('rm');"), "ok") << "it only computes";
  for (const char* way : {"run.call(null, 'rm');", "run.bind(null, 'rm')();", "(0, run)('rm');",
                          "const f = run; f('rm');", "['rm'].forEach(run);", "menu.draw(run);",
                          "new run('rm');", "(true ? run : 0)('rm');", "run`rm`;"}) {
    EXPECT_EQ(with(way), "other_call") << way;
  }
  const std::string members =
      "const a = { run(c) { exec(c); }, go: (c) => exec(c) };\n"
      "class A { run(c) { exec(c); } more = (c) => exec(c); }\nconst s = { c: 'ls' };\n"
      "const l = ['ls'];\nfunction each(f, c) { f(c); }\neach(a.go, 'ls');\na.run('ls');\n"
      "exec(s.c);\nexec(l);\n";
  for (const char* way :
       {"a.run('rm');", "a['run']('rm');", "new A().more('rm');", "(a.run)('rm');", "s.c = 'rm';",
        "delete s.c;", "l.push('rm');", "l[0] = 'rm';", "({ c: s.c } = {});", "each(a.go, 'rm');",
        "const f = a.run; f('rm');", "class B extends A { go() { this.run('rm'); } }"}) {
    EXPECT_EQ(judged(members, members + way), "other_call") << way;
  }
  EXPECT_EQ(with("function size2(a) { return menu.draw(a); }\nsize2('rm');"), "ok");
}

TEST(Rewrite, LeavesOutNoStep) {
  const std::string old =
      "import { log } from './log';\nimport { load } from 'menu';\n"
      "function tidy(a) { return a; }\nconst mark = (a) => a;\n"
      "export function run(a, done) {\n  log(a);\n  tidy(a);\n  mark(a);\n  done(a);\n"
      "  load(a);\n  return JSON.parse(tidy(load(a)));\n}\n";
  const auto without = [&](const std::string& line) {
    std::string text = old;
    return judged(old, text.erase(text.find(line), line.size()));
  };
  EXPECT_EQ(without("  log(a);\n"), "other_call");
  EXPECT_EQ(without("  mark(a);\n"), "other_call");
  EXPECT_EQ(without("  load(a);\n"), "ok");
  EXPECT_EQ(without("  done(a);\n"), "ok") << "a callback is for whoever gave it";
  std::string text = old;
  EXPECT_EQ(judged(old, text.replace(text.find("  log(a);"), 9, "  load(a, () => log(a));")), "ok");
  text = old;
  EXPECT_EQ(judged(old, text.replace(text.find("JSON.parse(tidy(load(a)))"), 25, "load(a)")), "ok")
      << "what was called for its value may go";
}

TEST(Rewrite, MakesNoCodeOfText) {
  for (const char* code : {"eval('1');",
                           "(0, eval)('1');",
                           "eval?.('1');",
                           "new Function('1')();",
                           "Function`1`;",
                           "[].at.constructor('1')();",
                           "menu.draw['constructor']('1');",
                           "(() => {})['\\x63onstructor']('1');",
                           "const { constructor: f } = save;",
                           "const k = 'con' + 'structor';",
                           "save[`constructor`];",
                           "save.__proto__;",
                           "require(save);",
                           "require(`${save}`);",
                           "import(save);",
                           "require('menu', 1);",
                           "items => items[save];",
                           "const { [() => 1]: a } = {};",
                           "with (menu) draw();",
                           "require.call(0, 'x');",
                           "menu.draw('javascript:x');",
                           "import.meta.x;"}) {
    const std::string found = added(code);
    EXPECT_TRUE(found == "dynamic_code" || found == "new_global" || found == "not_understood")
        << code << ": " << found;
  }
  EXPECT_EQ(added("menu.draw({ eval: false });"), "ok") << "an option that is turned off";
  for (const char* code :
       {"menu.draw({ eval: true });", "menu.draw({ eval: save });", "menu.draw({ 'eval': false });",
        "menu.draw({ eval: false || save });", "menu.draw({ constructor: false });",
        "const { eval: f } = save;", "save.eval;"}) {
    EXPECT_EQ(added(code), "dynamic_code") << code;
  }
  // Where a script runs, what follows these is a comment; to the grammar it is code.
  const std::string guarded = "let n = 1;\nassert(2);\n";
  EXPECT_EQ(judged(guarded, "let n = 1;\nn <!-- n; assert(2);\n"), "dynamic_code");
  EXPECT_EQ(judged(guarded, "let n = 1;\nn\n--> n; assert(2);\n"), "dynamic_code");
  EXPECT_EQ(judged(guarded, "let n = 1;\nn --> n;\nassert(2);\n"), "dynamic_code");
  EXPECT_EQ(added("(function (items, key) { return items[key]; });"), "ok") << "as in the old text";
  EXPECT_EQ(added("class A { constructor() { menu.draw(this.a); } }"), "ok");
}

TEST(Rewrite, WritesNothingOutside) {
  for (const char* code :
       {"leak = 1;", "globalThis.other = 1;", "Array.prototype.map = menu;", "[leak] = [1];",
        "({ a: leak } = menu);", "for (leak of []) ;", "leak++;", "delete fs.a;",
        "for (/* let */ leak of []) ;", "fs.a ||= 1;", "exports.leak = 1;"}) {
    EXPECT_EQ(added(code), "outside_write") << code;
  }
  EXPECT_EQ(added("globalThis.saved = String(menu.draw());"), "ok");
  EXPECT_EQ(added("globalThis.saved = String(save);"), "outside_write");
  EXPECT_EQ(added("[globalThis.saved] = [save];"), "outside_write");
}

TEST(Rewrite, TakesNoNameAway) {
  EXPECT_EQ(added("function process() {}"), "captured_name");
  EXPECT_EQ(added("function f(require) { return menu.draw(require); }"), "captured_name");
  EXPECT_EQ(added("(eval) => 1;"), "captured_name");
  std::string text = kOld;
  EXPECT_EQ(judged(kOld, text.replace(0, 25, "const fs = { writeFileSync() {} };")),
            "captured_name");
}

TEST(Rewrite, NamesAreWhatTheyLookLike) {
  EXPECT_EQ(added("const s\xD0\xB0ve = menu.draw(1);"), "disguised_name");  // Cyrillic a
  EXPECT_EQ(added("const \xD0\xB0 = menu.draw(1);"), "disguised_name");
  EXPECT_EQ(added("menu.dr\\u0061w(1);"), "disguised_name");
  EXPECT_EQ(added("const rnenu = menu.draw(1);"), "disguised_name");
  EXPECT_EQ(added("const fi1e = menu.draw(1);"), "disguised_name");
  EXPECT_EQ(added("const Menu = menu.draw(1);"), "ok");
  const std::string russian = "const \xD0\xBF\xD0\xB0\xD1\x80 = 1;\nmenu(par);\n";
  EXPECT_EQ(judged(russian, russian + "const \xD1\x80\xD0\xB0\xD0\xBF = 1;"), "ok");
  EXPECT_EQ(judged(russian, russian + "const x\xD0\xB0 = 1;"), "disguised_name");
  EXPECT_EQ(judged(russian, russian + "const \xD1\x80\xD0\xB0\xD1\x80 = pap;"), "disguised_name");
}

TEST(Rewrite, KeepsChecks) {
  const std::string old =
      "const assert = require('assert');\nconst menu = require('menu');\n"
      "assert.equal(menu.render([]), '');\n"
      "function list(a) {\n  if (!menu.ok(a)) throw new Error('bad');\n  return "
      "menu.render(a);\n}\n";
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = old;
    return judged(old, text.replace(text.find(from), from.size(), to));
  };
  EXPECT_EQ(with("return menu.render(a)", "return menu.draw(a)"), "ok");
  EXPECT_EQ(with("!menu.ok(a)", "!menu.draw(a).ok"), "ok");
  EXPECT_EQ(with("assert.equal(menu.render([]), '');", ""), "changed_check");
  EXPECT_EQ(with("'');", "'' || 1);"), "other_call");
  EXPECT_EQ(with("assert.equal", "false && assert.equal"), "changed_check");
  EXPECT_EQ(with("assert.equal", "if (0) assert.equal"), "changed_check");
  EXPECT_EQ(
      with("assert.equal(menu.render([]), '');", "() => { assert.equal(menu.render([]), ''); };"),
      "changed_check");
  EXPECT_EQ(with("assert.equal(menu.render([]), '');",
                 "try { assert.equal(menu.render([]), ''); } catch {}"),
            "changed_check");
  EXPECT_EQ(with("throw new Error('bad');", "return '';"), "changed_check");
  EXPECT_EQ(with("if (!menu.ok(a))", "if (!menu.ok(a) && 0)"), "changed_check");
  EXPECT_EQ(with("  if (!menu", "  if (a) return menu.draw(a);\n  if (!menu"), "changed_check");
  EXPECT_EQ(with("throw new Error('bad');\n", "throw new Error('bad');\n  return menu.draw(a);\n"),
            "ok");
}

TEST(Rewrite, SilencesNobody) {
  EXPECT_EQ(added("// @ts-ignore"), "silenced_checks");
  EXPECT_EQ(added("// @ts-ignore", Language::tsx), "silenced_checks");
  EXPECT_EQ(added("/* eslint-disable */"), "silenced_checks");
  EXPECT_EQ(added("/** @jsxImportSource evil */"), "silenced_checks");
  EXPECT_EQ(added("/// <reference types=\"x\" />"), "silenced_checks");
  EXPECT_EQ(added("// the menu is drawn"), "ok");
  EXPECT_EQ(judged("// @ts-check\nlet a;", "let a;"), "silenced_checks");
  EXPECT_EQ(judged("'use strict';\nlet a;", "let a;"), "silenced_checks");
  EXPECT_EQ(judged("// @ts-ignore\nlet a;", "let a;"), "ok");
  EXPECT_EQ(judged("let a: X;", "let a: any;", Language::typescript), "silenced_checks");
  EXPECT_EQ(judged("let a: X;", "let a = b as unknown as X;", Language::typescript), "new_global");
  EXPECT_EQ(judged("let a: X;", "let a = 1 as unknown as X;", Language::typescript),
            "silenced_checks");
  EXPECT_EQ(judged("let a: X;", "declare const eval: X;", Language::typescript), "silenced_checks");
}

TEST(Rewrite, TakesBoundedWork) {
  std::string line;
  for (int i = 0; i < 600; ++i) line += "expect(";
  line += "1" + std::string(600, ')') + ";\n";
  EXPECT_EQ(judged(line, line), "ok");
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += line;
  EXPECT_EQ(judged(lines, lines), "not_understood");
  std::string nested;
  for (int i = 0; i < 150; ++i) nested += "if (a" + std::to_string(i) + ") {";
  for (int i = 0; i < 2000; ++i) nested += "throw f();";
  nested += std::string(150, '}');
  EXPECT_EQ(judged(nested, nested), "ok");
}

TEST(Rewrite, MustBeUnderstood) {
  EXPECT_EQ(judged("a(", "a("), "not_understood");
  EXPECT_EQ(judged("a", "a("), "not_understood");
  EXPECT_EQ(judged("a", "\xFF"), "not_understood");
  EXPECT_EQ(find_breach({"a;\n", "a;\nb;\n", Language::javascript, "menu"})->line, 2U);
}

}  // namespace
}  // namespace cg::rewrite
