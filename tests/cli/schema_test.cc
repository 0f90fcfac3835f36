// Machine-readable outputs against the schemas that the program prints for them.
#include <gtest/gtest.h>

#include "binary.h"
#include "support/tiny_model.h"

namespace cg::test {
namespace {

constexpr const char* kCheck = R"(
import json, sys
from jsonschema import Draft202012Validator as V
schema = json.load(open('schema.json'))
V.check_schema(schema)
if len(sys.argv) > 1:
    document = json.load(open(sys.argv[1]))
    V(schema).validate(document)
)";

/// The first process of a microVM is linked statically, which no sanitizer can be: there is none.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// One advisory and one repository that it affects.
const std::string kShop =
    "codegenie init >&2; codegenie vuln-index refresh --from feed.jsonl >&2; mkdir shop; "
    "cp lock.json shop/package-lock.json; echo '{\"dependencies\": {\"a\": \"^1\"}}' > "
    "shop/package.json; ";
/// One solved example, and a key of an operator whom this workspace trusts.
const std::string kExample =
    "export CODEGENIE_HOME=$PWD/ws; codegenie init >&2; ID=$(frame_probe example tinysession); ";
const std::string kKey =
    "ssh-keygen -q -t ed25519 -N '' -C '' -f key; echo \"ops@example $(cat key.pub)\" > signers; "
    "cp signers ws/policy/allowed_signers; ";
const std::string kAck =
    kKey +
    "LOG=$(codegenie audit verify --json | grep -o '\"log\": \"[0-9a-f]*' | cut -d'\"' -f4); "
    "printf 'schema: codegenie/rag-release/v1\\nrecord: %s\\nlog: \"%s\"\\nreason: "
    "seen\\nexpires: 2999-01-01\\n' $ID $LOG > ack; ssh-keygen -q -Y sign -n codegenie-rag -f key "
    "ack >&2; ";
/// A repository in which a person, whom the workspace trusts, has committed something.
const std::string kByHand =
    "export CODEGENIE_HOME=$PWD/ws; codegenie init >&2; codegenie vuln-index refresh --from "
    "feed.jsonl >&2; mkdir shop; echo '{}' > shop/package.json; echo '{\"lockfileVersion\": 3, "
    "\"packages\": {\"\": {}}}' > shop/package-lock.json; " +
    kKey +
    "printf '[user]\\nname = n\\nemail = e@example\\nsigningkey = %s/key\\n[gpg]\\nformat = "
    "ssh\\n' "
    "$PWD > .gitconfig; export HOME=$PWD; cd shop; git init -q -b main; git add .; git commit -q "
    "-m "
    "one; git commit -q -S --allow-empty -m two; cd ..; ";
/// One remediation in the log.
const std::string kFlow = "codegenie init >&2; ID=$(frame_probe remediation); ";
constexpr const char* kFeed =
    R"({"id":"GHSA-1","aliases":["CVE-2000-1"],"modified":"2026-01-02T03:04:05Z","summary":"about a","affected":[{"package":{"ecosystem":"npm","name":"a"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.0.1"}]}]}]})";
constexpr const char* kLock =
    R"({"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "^1"}}, "node_modules/a": {"version": "1.0.0"}}})";

/// A model, and a text.
const std::string kModel = "codegenie init >&2; codegenie embeddings bootstrap --from tiny >&2; ";
void write_model(const ScratchDir& scratch) {
  const TinyModel model;
  std::filesystem::create_directory(scratch / "tiny");
  write(scratch / "tiny/config.json", model.config());
  write(scratch / "tiny/vocab.txt", model.vocab());
  write(scratch / "tiny/model.safetensors", model.model());
  write(scratch / "texts.jsonl", "{\"text\": \"a\"}\n");
}

Ran check(const std::string& schema, const std::string& command) {
  const ScratchDir scratch;
  write(scratch / "check.py", kCheck);
  write(scratch / "feed.jsonl", kFeed);
  write(scratch / "lock.json", kLock);
  if (schema.starts_with("embeddings")) write_model(scratch);
  // Debian's own python has jsonschema; another one in PATH may not.
  return run_script(
      "codegenie schema " + schema + " > schema.json && { " + command +
          "; } > document.json 2>/dev/null; /usr/bin/python3 -I check.py document.json",
      scratch);
}

TEST(Schema, OutputsValidate) {
  const struct {
    std::string schema;
    std::string command;
  } cases[] = {
      {"version", "codegenie version --json"},
      {"version", "codegenie version --json -q -o table=x"},
      {"schemas", "codegenie schema --json"},
      {"explain", "codegenie explain CG-CLI-001 --format json"},
      {"config", "codegenie config show --json"},
      {"config", "codegenie config show --json --home x --color never"},
      {"config", "CODEGENIE_HOME=$'/h\\xff' codegenie config show --json"},
      {"init", "codegenie init --json"},
      {"audit-verify", "codegenie init >&2; codegenie audit verify --json"},
      {"audit-verify",
       "codegenie init >&2; printf x >> .local/state/codegenie/events/state.json; codegenie audit "
       "verify --json"},
      {"audit-explain", "codegenie init >&2; codegenie audit verify --explain 0 --json"},
      {"audit-log", "codegenie init >&2; codegenie audit log --json"},
      {"audit-log", "codegenie init >&2; codegenie audit show 0 --json"},
      {"audit-note", "codegenie init >&2; codegenie audit note x --json"},
      {"audit-proof", "codegenie init >&2; codegenie audit prove 0 --json"},
      {"audit-proof-check",
       "codegenie init >&2; codegenie audit prove 0 > p; codegenie audit export --entry 0 > e; "
       "codegenie audit verify --proof p --entry e --json"},
      {"audit-replay", "codegenie init >&2; codegenie audit replay --json"},
      {"audit-anchor", "codegenie init >&2; codegenie audit anchor publish --unsigned --json"},
      {"audit-anchors",
       "codegenie init >&2; codegenie audit anchor publish --unsigned >&2; codegenie audit anchor "
       "verify --json"},
      {"self-check", "codegenie init >&2; codegenie self-check --record --json"},
      {"self-check", "codegenie self-check keyring --json"},
      {"self-check", "codegenie init >&2; codegenie self-check model --json"},
      {"plugins", "codegenie plugins list --json"},
      {"plugins", "codegenie plugins verify --json"},
      {"workflows", "codegenie init >&2; codegenie workflow list --json"},
      {"workflows", kFlow + "codegenie workflow list --json"},
      {"workflow", kFlow + "codegenie workflow show $ID --json"},
      {"workflow",
       "codegenie init >&2; codegenie self-check clock --record >&2; codegenie workflow show "
       "$(codegenie workflow list | tail -1 | cut -d' ' -f1) --json"},
      {"audit-log", kFlow + "codegenie workflow log $ID --json"},
      {"prompt",
       "codegenie init >&2; codegenie prompt show --workflow $(frame_probe question) --json"},
      {"audit-log",
       "codegenie init >&2; frame_probe question >&2; codegenie audit show $(ls ~/"
       ".local/state/codegenie/prompts) --json"},
      {"verify", "codegenie init >&2; codegenie verify $(frame_probe evidence) --json"},
      {"scan", kShop + "codegenie scan shop --json"},
      {"scan", kShop + "codegenie scan shop --json --fail-on low --prod --sort depth"},
      {"explain-advisory", kShop + "codegenie explain CVE-2000-1 --repo shop --json"},
      {"context", kShop + "codegenie gather shop --json"},
      {"vuln-index-change",
       "codegenie init >&2; codegenie vuln-index refresh --json --from feed.jsonl"},
      {"vuln-index-status", kShop + "codegenie vuln-index status --json"},
      {"vuln-index-search", kShop + "codegenie vuln-index search a --json"},
      {"vuln-index-advisory", kShop + "codegenie vuln-index show GHSA-1 --json"},
      {"vuln-index-export", kShop + "codegenie vuln-index export --out x --json"},
      {"vuln-index-change",
       kShop + "codegenie vuln-index export --out x >&2; codegenie vuln-index import x --json"},
      {"vuln-index-diff", kShop + "codegenie vuln-index diff current feed.jsonl --json"},
      {"vuln-index-verify", kShop + "codegenie vuln-index verify --json"},
      {"embeddings-bootstrap",
       "codegenie init >&2; codegenie embeddings bootstrap --from tiny --json"},
      {"embeddings-status", "codegenie init >&2; codegenie embeddings status --json"},
      {"embeddings-status", kModel + "codegenie embeddings status --json"},
      {"embeddings-verify", kModel + "codegenie embeddings verify --json"},
      {"embeddings-embed", kModel + "codegenie embeddings embed texts.jsonl --json"},
      {"registry-status", "codegenie init >&2; codegenie registry status --json"},
      {"sandbox-prepare", "codegenie init >&2; codegenie sandbox prepare --json"},
      {"sandbox-status", "codegenie init >&2; codegenie sandbox status --json"},
      {"sandbox-policy", "codegenie sandbox policy --json"},
      {"key", "codegenie key status anthropic --json"},
      {"key-pins", "codegenie init >&2; codegenie key pin --list --json"},
      {"rag-list", "codegenie init >&2; codegenie rag list --json"},
      {"rag-list", kExample + "codegenie rag list --json"},
      {"rag-show", kExample + "codegenie rag show $ID --json"},
      {"rag-findings", kExample + "codegenie rag verify --json"},
      {"rag-findings", kExample + "echo > ws/rag/records/$ID.json; codegenie rag verify --json"},
      {"rag-findings", kExample + "echo 'x session' > p; codegenie rag rescan --patterns p --json"},
      {"rag-findings", kExample + "codegenie rag rebuild --json"},
      {"rag-quarantine", kExample + "codegenie rag quarantine $ID --json"},
      {"rag-release", kExample + "codegenie rag quarantine $ID >&2; " + kAck +
                          "codegenie rag release $ID --operator-ack ack --json"},
      {"rag-learn",
       kByHand + "codegenie rag learn shop --cve CVE-2000-1 --from-branch main --json"},
      {"rag-export", kExample + kKey + "codegenie rag export x --sign ssh:key --json"},
      {"rag-import", kExample + kKey +
                         "codegenie rag export x --sign ssh:key >&2; codegenie --home other init "
                         ">&2; cp signers other/policy/allowed_signers; codegenie --home other rag "
                         "import x --json"},
      {"registry-export", "codegenie init >&2; codegenie registry export --out x --json"},
      {"registry-import",
       "codegenie init >&2; codegenie registry export --out x >&2; codegenie registry import x "
       "--json"},
      {"error", "codegenie audit verify --json"},
      {"error", "codegenie exlain --json"},
      {"error", "codegenie --json"},
      {"error", "codegenie config --json"},
      {"error", "codegenie version --json --format=table"},
      {"error", "codegenie version --json --config /nonexistent"},
      {"error", "codegenie version --json -o json=/nonexistent/x"},
      {"error", "CODEGENIE_COLOR=blue codegenie config show --json"},
      {"error", "codegenie version --json $'\\xff'"},
      {"error", "codegenie version --format jsonl --jsn"},
  };
  for (const auto& c : cases) {
    // A sanitizer's runtime cannot live in a microVM, nor behind the filter of codegenie-key.
    if (kSanitized &&
        (c.schema == std::string("sandbox-prepare") || c.schema == std::string("key"))) {
      continue;
    }
    SCOPED_TRACE(c.command);
    const Ran ran = check(c.schema, c.command);
    EXPECT_EQ(ran.exit, 0) << ran.err;
  }
}

TEST(Schema, EverySchemaIsOne) {
  const ScratchDir scratch;
  write(scratch / "check.py", kCheck);
  const Ran ran = run_script(
      "for s in $(codegenie schema | tail -n +2 | cut -d' ' -f1); do\n"
      "  codegenie schema $s > schema.json && /usr/bin/python3 -I check.py || exit 1\n"
      "done",
      scratch);
  EXPECT_EQ(ran.exit, 0) << ran.err;
}

TEST(Schema, RefusesAWrongDocument) {
  EXPECT_NE(check("error", "codegenie version --json").exit, 0);
  EXPECT_NE(check("version", "codegenie exlain --json").exit, 0);
}

/// The file half of the config schema agrees with the reader of files.
TEST(Schema, ConfigFilesValidate) {
  EXPECT_EQ(
      check(
          "config",
          R"(echo '{"schema": "codegenie/config/v1", "home": "/h", "audit": {"sign": "ssh:/k"}}')")
          .exit,
      0);
  EXPECT_NE(check("config", R"(echo '{"schema": "codegenie/config/v1", "hom": "/h"}')").exit, 0);
}

}  // namespace
}  // namespace cg::test
