// What other tools read, against their own schemas, on a real repository.
#include <gtest/gtest.h>

#include "real.h"

namespace cg::test {
namespace {

constexpr const char* kCheck = R"(
import json, pathlib, sys
from jsonschema import RefResolver, validators
schema_file = pathlib.Path(sys.argv[1])
schema = json.load(open(schema_file))
store = {schema.get('$id', schema.get('id', '')): schema}
for beside in schema_file.parent.glob('*.schema.json'):
    other = json.load(open(beside))
    store[beside.name] = other
    store[other.get('$id', beside.name)] = other
V = validators.validator_for(schema)
errors = list(V(schema, resolver=RefResolver('', schema, store=store)).iter_errors(json.load(open(sys.argv[2]))))
for e in errors[:5]:
    print(list(e.path), e.message[:300])
sys.exit(1 if errors else 0)
)";

TEST(Golden, OutputsValidateAgainstTheirSchemas) {
  const auto workspace = RealWorkspace::make();
  if (!workspace) GTEST_SKIP() << kNoData;
  write(workspace->scratch("check.py"), kCheck);
  const struct {
    const char* format;
    const char* schema;
  } cases[] = {{"sarif", "vectors/sarif/sarif-schema-2.1.0.json"},
               {"cyclonedx", "vectors/cyclonedx/bom-1.6.schema.json"},
               {"openvex", "vectors/openvex/openvex_json_schema.json"}};
  for (const char* repository : {"OWASP__NodeGoat", "vitejs__vite-plugin-vue2", "reduxjs__redux"}) {
    std::vector<std::string> scan = {"scan", workspace->data() / "repos" / repository, "-q"};
    for (const auto& c : cases) {
      scan.push_back("-o");
      scan.push_back(std::string(c.format) + "=" + workspace->scratch(c.format));
    }
    ASSERT_EQ(workspace->codegenie(scan).exit, 0);
    for (const auto& c : cases) {
      const Ran checked = run({"/usr/bin/python3", "-I", workspace->scratch("check.py"),
                               workspace->data() / c.schema, workspace->scratch(c.format)});
      EXPECT_EQ(checked.exit, 0) << repository << " " << c.format << "\n"
                                 << checked.out << checked.err;
    }
  }
}

}  // namespace
}  // namespace cg::test
