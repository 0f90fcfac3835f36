// Documents against the schemas of those who defined the formats.
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "support/support.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/samples.h"

namespace cg::formats {
namespace {

using test::empty_scan;
using test::mixed_scan;
using test::nasty_scan;
using test::one_finding;

/// Prints what is wrong, a line each: "document: path: keyword". The CycloneDX schema
/// names two others by file; both are beside it.
constexpr const char* kCheck = R"(
import json, os, sys
from jsonschema import RefResolver
from jsonschema.validators import validator_for
schema_path, root, documents = sys.argv[1], sys.argv[2], sys.argv[3:]
schema = json.load(open(schema_path))
V = validator_for(schema)
V.check_schema(schema)
base = schema.get('$id', schema.get('id', ''))
store = {}
for name in ('spdx.schema.json', 'jsf-0.82.schema.json'):
    beside = os.path.join(os.path.dirname(schema_path), name)
    if os.path.exists(beside):
        other = json.load(open(beside))
        store[base.rsplit('/', 1)[0] + '/' + name] = other
        store[other.get('$id', name)] = other
def offline(uri):
    raise Exception('not in the store: ' + uri)
resolver = RefResolver(base, schema, store=store, handlers={'http': offline, 'https': offline})
validator = V(resolver.resolve(root)[1] if root else schema, resolver=resolver)
for path in documents:
    for e in sorted(validator.iter_errors(json.load(open(path))), key=str):
        where = '/'.join(map(str, e.absolute_path))
        print(os.path.basename(path) + ': ' + where + ': ' + str(e.validator))
)";

struct Document {
  std::string name;
  std::string text;
};

/// What the schema has against the documents; "" if nothing.
std::string complaints(const std::filesystem::path& schema, const std::vector<Document>& documents,
                       const std::string& root = "") {
  const cg::test::ScratchDir scratch;
  cg::test::write(scratch / "check.py", kCheck);
  // Debian's own python has jsonschema; another one in PATH may not.
  std::vector<std::string> argv = {"/usr/bin/python3", "-I", scratch / "check.py", schema, root};
  for (const Document& document : documents) {
    cg::test::write(scratch / document.name, document.text);
    argv.push_back(scratch / document.name);
  }
  const cg::test::Ran ran = cg::test::run(argv);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  return ran.out;
}

template <class Format>
std::vector<Document> all(Format format, const std::vector<findings::Scan>& scans) {
  std::vector<Document> out;
  for (const findings::Scan& scan : scans) {
    out.push_back({std::to_string(out.size()), json::write_json_pretty(format(scan))});
  }
  return out;
}

std::vector<findings::Scan> every_scan() {
  std::vector<findings::Scan> out = {findings::Scan{}, empty_scan(), one_finding(), mixed_scan(),
                                     nasty_scan()};
  out.push_back(nasty_scan());
  out.back().components.clear();
  return out;
}

TEST(Schemas, JsonFollowsItsOwn) {
  const std::filesystem::path schema = CG_SOURCE_DIR "/doc/schema/scan.json";
  EXPECT_EQ(complaints(schema, all(json, every_scan())), "");
}

TEST(Schemas, LinesAreFindings) {
  const std::filesystem::path schema = CG_SOURCE_DIR "/doc/schema/scan.json";
  std::vector<Document> lines;
  for (const findings::Scan& scan : {mixed_scan(), nasty_scan()}) {
    std::string text = jsonl(scan);
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      lines.push_back({std::to_string(lines.size()), text.substr(0, end)});
      text.erase(0, end + 1);
    }
  }
  EXPECT_EQ(lines.size(), mixed_scan().findings.size() + nasty_scan().findings.size());
  EXPECT_EQ(complaints(schema, lines, "#/$defs/finding"), "");
}

TEST(Schemas, OwnSchemaRefusesWhatIsNoScan) {
  const std::filesystem::path schema = CG_SOURCE_DIR "/doc/schema/scan.json";
  std::string text = json::write_json(json(one_finding()));
  const std::size_t at = text.find("\"relock\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 8, "\"guess\"");
  EXPECT_EQ(complaints(schema, {{"wrong", text}}), "wrong: findings/0/plan: enum\n");
}

TEST(Schemas, Sarif) {
  const auto data = cg::test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the schema of SARIF is not there";
  }
  const auto schema = *data / "vectors/sarif/sarif-schema-2.1.0.json";
  EXPECT_EQ(complaints(schema, all(sarif, every_scan())), "");
  EXPECT_NE(complaints(schema, {{"wrong", R"({"version": "2.1.0", "runs": [{}]})"}}), "");
}

TEST(Schemas, CycloneDx) {
  const auto data = cg::test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the schema of CycloneDX is not there";
  }
  const auto folder = *data / "vectors/cyclonedx";
  const auto schema = folder / "bom-1.6.schema.json";
  EXPECT_EQ(complaints(schema, all(cyclonedx, every_scan())), "");
  const std::string wrong = cg::test::read(folder / "1.6/invalid-hash-sha512-1.6.json");
  EXPECT_NE(complaints(schema, {{"wrong", wrong}}), "");
  const std::string right = cg::test::read(folder / "1.6/valid-license-id-1.6.json");
  EXPECT_EQ(complaints(schema, {{"right", right}}), "");  // follows a reference to the others
}

TEST(Schemas, OpenVex) {
  const auto data = cg::test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the schema of OpenVEX is not there";
  }
  const auto schema = *data / "vectors/openvex/openvex_json_schema.json";
  // A document without statements is none, to the schema; all else about it is right.
  EXPECT_EQ(complaints(schema, all(openvex, every_scan())),
            "0: statements: minItems\n1: statements: minItems\n");
}

}  // namespace
}  // namespace cg::formats
