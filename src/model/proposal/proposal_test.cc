#include "model/proposal/proposal.h"

#include <gtest/gtest.h>

#include "base/json/json.h"
#include "support/support.h"

namespace cg::proposal {
namespace {

constexpr const char* kBump =
    R"({"kind":"dep_bump","manifest_path":"package.json","package":"menu","rationale":"safe","target_version":"3.0.0"})";
constexpr const char* kOverride =
    R"({"forced_version":"3.0.0-rc.1","kind":"override","manifest_path":"packages/a b/package.json","package":"@x/menu","rationale":"two\nlines\tand \u00e9"})";
constexpr const char* kRewrite =
    R"({"diff":"--- a/src/a b.ts\t\n+++ b/src/a b.ts\t\n@@ -1,2 +1,2 @@\n x\n-y(\"q\")\n+z('\\n')\n--- a/b.js\n+++ b/b.js\n@@ -1 +1 @@\n-a\n+b\n","files":["b.js","src/a b.ts"],"kind":"callsite_rewrite","manifest_path":"package.json","rationale":""})";
constexpr const char* kRefuse = R"({"kind":"refuse","rationale":"r","reason":"policy_block"})";

std::string outcome(std::string_view json) {
  const auto proposal = parse(json);
  if (proposal) return std::string(kind_of(*proposal));
  const Violation& violation = proposal.error();
  return std::string(name(violation.fault)) + (violation.where.empty() ? "" : " ") +
         violation.where;
}

/// kBump with one piece of it replaced.
std::string bump_with(const std::string& piece, const std::string& other) {
  std::string json = kBump;
  return json.replace(json.find(piece), piece.size(), other);
}

TEST(Proposal, ReadsWhatItWrote) {
  for (const char* json : {kBump, kOverride, kRewrite, kRefuse}) {
    const auto first = parse(json);
    ASSERT_TRUE(first) << json << name(first.error().fault) << first.error().where;
    const auto again = parse(write(*first));
    ASSERT_TRUE(again) << json;
    EXPECT_EQ(*again, *first);
    EXPECT_EQ(write(*again), write(*first));
  }
  EXPECT_EQ(write(*parse(kBump)), kBump);
  EXPECT_EQ(write(*parse(kRewrite)), kRewrite);
  EXPECT_NE(*parse(kBump), *parse(bump_with("3.0.0", "3.0.1")));
}

TEST(Proposal, TakesEveryOrderAndWhiteSpace) {
  EXPECT_EQ(outcome(std::string("\n\t ") + kBump + "\r\n"), "dep_bump");
  EXPECT_EQ(outcome(R"({"rationale": "r", "reason": "out_of_scope", "kind": "refuse"})"), "refuse");
  EXPECT_EQ(outcome(R"({"k\u0069nd":"refuse","reason":"out_of_scope","rationale":""})"), "refuse");
}

TEST(Proposal, SaysWhatIsWrongInItsOwnWords) {
  const struct {
    std::string json;
    std::string expected;
  } cases[] = {
      {"", "not_json"},
      {"null", "not_an_object"},
      {"[]", "not_an_object"},
      {"{}", "missing_key kind"},
      {R"({"kind":1})", "wrong_type kind"},
      {R"({"kind":"shell"})", "unknown_kind kind"},
      {R"({"kind":"refuse"})", "missing_key reason"},
      {bump_with("\"safe\"", "null"), "wrong_type rationale"},
      {bump_with("\"safe\"", "\"\\u0000\""), "bad_text rationale"},
      {bump_with("\"safe\"", "\"\\u202e\""), "bad_text rationale"},
      {bump_with("\"safe\"", "\"\\u001b[2J\""), "bad_text rationale"},
      {bump_with("\"safe\"", "\"" + std::string(2048, 'r') + "\""), "dep_bump"},
      {bump_with("\"safe\"", "\"" + std::string(2049, 'r') + "\""), "too_long rationale"},
      {bump_with("package.json", "../package.json"), "bad_path manifest_path"},
      {bump_with("package.json", "src/a.js"), "bad_path manifest_path"},
      {bump_with("package.json", "node_modules/a/package.json"), "bad_path manifest_path"},
      {bump_with("package.json", ".x/package.json"), "bad_path manifest_path"},
      {bump_with("menu", "--g"), "bad_package package"},
      {bump_with("3.0.0", "^3.0.0"), "bad_version target_version"},
      {bump_with("3.0.0", " 3.0.0"), "bad_version target_version"},
      {bump_with("3.0.0", "3.0.0+b"), "bad_version target_version"},
      {bump_with("3.0.0", "v3.0.0"), "bad_version target_version"},
      {bump_with("\"menu\"", "[\"menu\"]"), "wrong_type package"},
      {bump_with("\"menu\"", "[[[[[]]]]]"), "too_deep"},
      {bump_with("\"kind\"", "\"x\":1,\"kind\""), "unknown_key"},
      {bump_with("\"kind\"", "\"kind\":\"refuse\",\"kind\""), "duplicate_key"},
      {bump_with("target_version", "forced_version"), "unknown_key"},
      {std::string(kBump) + "x", "trailing_bytes"},
      {std::string(kBump) + kBump, "trailing_bytes"},
      {std::string(kMaxAnswer + 1, ' '), "too_large"},
  };
  for (const auto& c : cases) EXPECT_EQ(outcome(c.json), c.expected) << c.json.substr(0, 200);
}

TEST(Proposal, RefusesFilesInItsList) {
  const auto with = [](const std::string& files) {
    return R"({"kind":"callsite_rewrite","manifest_path":"package.json","files":)" + files +
           R"(,"diff":"","rationale":""})";
  };
  EXPECT_EQ(outcome(with("\"a.js\"")), "wrong_type files");
  EXPECT_EQ(outcome(with("[1]")), "wrong_type files");
  EXPECT_EQ(outcome(with("[\"../a.js\"]")), "bad_path files");
  EXPECT_EQ(outcome(with("[\"a.js\",\"a.js\"]")), "bad_path files");
  EXPECT_EQ(outcome(with("[]")), "bad_diff diff.not_a_diff line 1");
  std::string many = "[\"a0\"";
  for (int i = 1; i <= 64; ++i) many += ",\"a" + std::to_string(i) + "\"";
  EXPECT_EQ(outcome(with(many + "]")), "too_long files");
  EXPECT_EQ(outcome(with(many.substr(0, many.rfind(',')) + "]")),
            "bad_diff diff.not_a_diff line 1");
}

TEST(Proposal, NamesEveryFault) {
  EXPECT_EQ(name(Fault::too_large), "too_large");
  EXPECT_EQ(name(Fault::bad_text), "bad_text");
  EXPECT_EQ(name(RefusalReason::insufficient_context), "insufficient_context");
  EXPECT_EQ(name(DiffFault::long_line), "long_line");
}

/// The schema is one, takes what we write, and refuses other shapes.
TEST(Proposal, SchemaFitsWhatIsWritten) {
  ASSERT_TRUE(json::parse_json(json_schema()));
  const cg::test::ScratchDir scratch;
  std::string documents;
  for (const char* json : {kBump, kOverride, kRewrite, kRefuse})
    documents += write(*parse(json)) + "\n";
  std::string wrong = "[]\n{}\n{\"kind\":\"dep_bump\"}\n";
  wrong += bump_with("\"kind\"", "\"x\":1,\"kind\"") + "\n" + bump_with("\"safe\"", "1") + "\n";
  wrong += R"({"kind":"refuse","rationale":"r","reason":"bored"})";
  cg::test::write(scratch / "schema.json", json_schema());
  cg::test::write(scratch / "good", documents);
  cg::test::write(scratch / "wrong", wrong);
  cg::test::write(scratch / "check.py", R"(
import json, os, sys
os.chdir(sys.argv[1])
from jsonschema import Draft202012Validator as V
schema = json.load(open('schema.json'))
V.check_schema(schema)
known = {'type', 'properties', 'required', 'additionalProperties', 'enum', 'const', 'anyOf', 'items'}
def walk(node):
    if not isinstance(node, dict): return
    assert set(node) <= known, node
    for each in node.get('anyOf', []): walk(each)
    for each in node.get('properties', {}).values(): walk(each)
    walk(node.get('items'))
    if node.get('type') == 'object':
        assert node['additionalProperties'] is False
        assert sorted(node['required']) == sorted(node['properties'])
walk(schema)
for line in open('good'): V(schema).validate(json.loads(line))
for line in open('wrong'): assert not V(schema).is_valid(json.loads(line)), line
)");
  // Debian's own python has jsonschema; another one in PATH may not.
  const auto ran =
      cg::test::run({"/usr/bin/python3", "-I", scratch / "check.py", scratch.path().string()});
  EXPECT_EQ(ran.exit, 0) << ran.err;
}

}  // namespace
}  // namespace cg::proposal
