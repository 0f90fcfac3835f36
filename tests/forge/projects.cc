#include "projects.h"

namespace cg::forge {

namespace {

std::string manifest(const std::string& scripts, const std::string& more = "") {
  return R"({"name": "forged", "version": "1.0.0", "dependencies": {"victim": "^1.0.0"}, "scripts": {)" +
         scripts + "}" + more + "}\n";
}

Project project(std::string name, std::string script, std::map<std::string, std::string> files) {
  Project out;
  out.name = std::move(name);
  out.checks.tests = true;
  out.checks.test_script = script;
  out.checks.absent = {{"build", "no build script"}, {"typecheck.typescript", "no tsconfig.json"}};
  out.files = std::move(files);
  out.files.try_emplace("package.json", manifest("\"test\": \"" + script + "\""));
  return out;
}

Project with(Project out, std::string package, std::string command, std::string program) {
  out.package = std::move(package);
  out.command = std::move(command);
  out.program = std::move(program);
  return out;
}

constexpr const char* kAsserts = R"(
describe('sum', () => {
  it('adds', () => { assert.equal(sum(1, 1), 2); });
  it('adds more', async () => { assert.deepStrictEqual({ total: sum(40, 2) }, { total: 42 }); });
  it('names', () => { assert.strictEqual(name('a'), 'n:a'); });
  it('checks', () => { assert.throws(() => check(''), /empty/); });
});
)";

std::string mocha_text() {
  return std::string(
             "const { sum, name, check } = require('victim');\n"
             "const assert = require('node:assert');\n") +
         kAsserts;
}

std::string node_text() {
  return "const { describe, it } = require('node:test');\n" + mocha_text();
}

constexpr const char* kExpects = R"(
describe('sum', () => {
  test('adds', () => { expect(sum(1, 1)).toBe(2); });
  test('adds more', async () => { expect({ total: sum(40, 2) }).toEqual({ total: 42 }); });
  test('names', () => { expect(name('a')).toBe('n:a'); });
  test('checks', () => { expect(() => check('')).toThrow('empty'); });
});
)";

Project jest() {
  return with(
      project("jest", "jest --ci",
              {{"sum.test.js",
                std::string("const { sum, name, check } = require('victim');\n") + kExpects},
               {"b.test.js",
                "const { sum } = require('victim');\n"
                "test('again', () => { expect(sum(2, 2)).toBe(4); });\n"}}),
      "jest", "bin/jest.js", "jest");
}

/// A snapshot that no test asks for any more is a failure of its own.
Project snapshots() {
  return with(
      project("snapshots", "jest --ci",
              {{"a.test.js",
                "const { sum } = require('victim');\n"
                "test('adds', () => { expect(sum(1, 1)).toBe(2); });\n"},
               {"b.test.js",
                "const { sum } = require('victim');\n"
                "test('again', () => { expect(sum(2, 2)).toBe(4); });\n"
                "test('keeps', () => { expect(sum(2, 3)).toMatchSnapshot(); });\n"},
               {"__snapshots__/b.test.js.snap",
                "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`keeps 1`] = `5`;\n"}}),
      "jest", "bin/jest.js", "jest");
}

Project vitest() {
  return with(
      project("vitest", "vitest run",
              {{"sum.test.mjs", std::string("import victim from 'victim';\n"
                                            "import { describe, test, expect } from 'vitest';\n"
                                            "const { sum, name, check } = victim;\n") +
                                    kExpects}}),
      "vitest", "vitest.mjs", "vitest");
}

Project tap() {
  return with(project("tap", "tap --no-coverage",
                      {{"test/sum.js",
                        "const { sum, name, check } = require('victim');\n"
                        "const t = require('tap');\n"
                        "t.test('adds', t => { t.equal(sum(1, 1), 2); t.end(); });\n"
                        "t.test('adds more', t => { t.same({ total: sum(40, 2) }, { total: 42 }); "
                        "t.end(); });\n"
                        "t.test('names', t => { t.equal(name('a'), 'n:a'); t.end(); });\n"
                        "t.test('checks', t => { t.throws(() => check('')); t.end(); });\n"}}),
              "tap16", "bin/run.js", "tap");
}

Project ava() {
  return with(project("ava", "ava",
                      {{"test.mjs",
                        "import victim from 'victim';\nimport test from 'ava';\n"
                        "const { sum, name, check } = victim;\n"
                        "test('adds', t => { t.is(sum(1, 1), 2); });\n"
                        "test('adds more', async t => { t.deepEqual({ total: sum(40, 2) }, "
                        "{ total: 42 }); });\n"
                        "test('names', t => { t.is(name('a'), 'n:a'); });\n"
                        "test('checks', t => { t.throws(() => check('')); });\n"}}),
              "ava", "entrypoints/cli.mjs", "ava");
}

Project exit_code() {
  return project("exit", "node test.js",
                 {{"test.js",
                   "const { sum, name, check } = require('victim');\n"
                   "const assert = require('node:assert');\n"
                   "assert.equal(sum(1, 1), 2);\n"
                   "assert.strictEqual(name('a'), 'n:a');\n"
                   "assert.throws(() => check(''), /empty/);\n"
                   "setTimeout(() => { assert.deepStrictEqual({ total: sum(40, 2) }, "
                   "{ total: 42 }); }, 1);\n"}});
}

Project with_mocha(Project out) { return with(std::move(out), "mocha", "bin/mocha.js", "mocha"); }

Project build() {
  Project out = with_mocha(
      project("build", "mocha",
              {{"package.json", manifest(R"("build": "node build.js", "test": "mocha")")},
               {"build.js",
                "try { require('victim/build'); } catch (e) { if (e.code !== "
                "'MODULE_NOT_FOUND') throw e; }\n"},
               {"test/sum.js", mocha_text()}}));
  out.checks.build = true;
  out.checks.absent.erase(out.checks.absent.begin());
  return out;
}

Project types() {
  Project out = project(
      "types", "node --test",
      {{"package.json", manifest(R"("build": "node build.js", "test": "node --test")")},
       {"build.js",
        "try { require('victim/build'); } catch (e) { if (e.code !== "
        "'MODULE_NOT_FOUND') throw e; }\n"},
       {"tsconfig.json",
        R"({"compilerOptions": {"strict": true, "module": "node16", "moduleResolution": "node16", "types": []}, "include": ["src"]})"},
       {"src/use.ts",
        "import { sum, name } from 'victim';\nexport const total: number = sum(1, 2);\n"
        "export const label: string = name('x');\n"},
       {"test/sum.js", node_text()}});
  out.package = "typescript";
  out.command = "bin/tsc";
  out.program = "tsc";
  out.checks.build = true;
  out.checks.typecheck = true;
  out.checks.absent.clear();
  return out;
}

Project workspaces() {
  Project out =
      with_mocha(project("workspaces", "npm test --workspaces",
                         {{"package.json", manifest(R"("test": "npm test --workspaces")",
                                                    R"(, "workspaces": ["packages/*"])")},
                          {"packages/one/package.json",
                           R"({"name": "one", "version": "1.0.0", "scripts": {"test": "mocha"}})"},
                          {"packages/one/test/sum.js", mocha_text()},
                          {"packages/two/package.json",
                           R"({"name": "two", "version": "1.0.0", "scripts": {"test": "mocha"}})"},
                          {"packages/two/test/sum.js", mocha_text()}}));
  return out;
}

}  // namespace

const std::vector<Project>& projects() {
  static const std::vector<Project> kAll = {
      jest(),
      snapshots(),
      with_mocha(project("mocha", "mocha", {{"test/sum.js", mocha_text()}})),
      vitest(),
      project("node", "node --test", {{"test/sum.js", node_text()}}),
      tap(),
      ava(),
      exit_code(),
      build(),
      types(),
      workspaces()};
  return kAll;
}

}  // namespace cg::forge
