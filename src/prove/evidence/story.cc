#include "prove/evidence/story.h"

#include <openssl/sha.h>

#include <algorithm>
#include <utility>

#include "base/base/bytes.h"
#include "base/domain/tool.h"
#include "base/json/json.h"
#include "fix/report/report.h"
#include "fix/report/samples.h"
#include "trust/hash/sha256.h"
#include "trust/sign/sshsig.h"

namespace cg::evidence::test {

namespace {

using json::Value;

const std::string kPlugin = "vulnerability-remediation--node--npm";

hash::Digest digest_of(Byte byte) {
  hash::Digest out{};
  out.fill(byte);
  return out;
}

Value step(Byte out, Byte err) {
  return Value::Object{{"ending", "exit 0"},
                       {"exit", 0},
                       {"duration_ms", 812},
                       {"stdout_sha256", to_hex(digest_of(out))},
                       {"stderr_sha256", to_hex(digest_of(err))}};
}

std::string document(const report::Gate& gate, const std::string& isolation) {
  Value::Array reasons;
  for (const std::string& reason : gate.reasons) reasons.emplace_back(reason);
  return json::write_json_pretty(Value::Object{{"schema", "codegenie/gate/v1"},
                                               {"isolation_class", isolation},
                                               {"signal", gate.signal},
                                               {"state", gate.state},
                                               {"passed", gate.passed},
                                               {"required", gate.required},
                                               {"before", gate.before},
                                               {"after", gate.after},
                                               {"reasons", reasons},
                                               {"weak", gate.weak},
                                               {"command", "npm test"},
                                               {"base", gate.passed ? step(1, 2) : Value()},
                                               {"fix", gate.passed ? step(3, 4) : Value()},
                                               {"failing_tests", Value::Array{}},
                                               {"excerpt", ""}});
}

std::string numbers(const Value& side) { return side.is_null() ? "" : json::write_json(side); }

/// A finding for each copy, before; and after, for each that is left.
void scan(Made& made) {
  report::Case& c = made.c;
  findings::Scan& before = made.parts.before = report::test::before_scan();
  findings::Scan& after = made.parts.after = report::test::after_scan();
  const findings::Finding like = before.findings.front();
  before.findings.clear();
  before.repo.head = c.base;
  for (const report::Copy& copy : c.copies) {
    findings::Finding finding = like;
    finding.advisory = copy.advisory;
    finding.package = copy.package;
    finding.location = copy.location;
    before.findings.push_back(finding);
    if (copy.fate != plan::Fate::fixed) after.findings.push_back(finding);
    const bool known =
        std::any_of(c.advisories.begin(), c.advisories.end(),
                    [&](const report::Advisory& a) { return a.id == copy.advisory; });
    if (!known) c.advisories.push_back({copy.advisory, {}, "a weakness", copy.level});
  }
  c.findings = {before.findings.size(), after.findings.size(), 0};
  for (const report::Advisory& advisory : c.advisories) {
    const auto count = std::count_if(before.findings.begin(), before.findings.end(),
                                     [&](const auto& f) { return f.advisory == advisory.id; });
    made.events.emplace_back(record::ProvenanceClassified{
        advisory.id, static_cast<std::uint64_t>(count),
        std::string(provenance::kind_name(like.provenance)), like.location});
  }
}

/// One attempt, which passed, and the branch that came of it.
void prove(Made& made, const report::Branch& branch, const std::string& group) {
  const std::string& isolation = made.c.isolation_class;
  record::Events& events = made.events;
  events.emplace_back(record::SandboxOpened{isolation, "seccomp", "fix"});
  events.emplace_back(record::StepRan{"exit 0", digest_of(4), 812, digest_of(3), "fix", "tests"});
  auto& documents = made.parts.gates.emplace_back();
  for (const report::Gate& gate : made.c.gates) {
    if (gate.branch != branch.name) continue;
    const std::string reason = gate.passed || gate.reasons.empty() ? "" : gate.reasons.front();
    events.emplace_back(record::SignalJudged{numbers(gate.after), branch.attempts,
                                             numbers(gate.before), group,
                                             gate.passed ? "yes" : "no", reason, gate.signal});
    if (!gate.weak.empty()) {
      events.emplace_back(record::ProofWeak{branch.attempts, group, gate.weak, gate.signal});
    }
    documents.emplace_back(gate_file(gate.signal), document(gate, isolation));
  }
  events.emplace_back(
      record::AttemptEnded{branch.attempts, "", group, isolation, "minimist 1.2.6"});
  events.emplace_back(record::BranchWritten{branch.name, branch.commit, "created"});
  events.emplace_back(record::PlanCommitted{
      branch.commit, group, hash::sha256(as_bytes(report::plan_text(made.c, branch)))});
}

}  // namespace

std::string commit_object(const report::Case& c, const report::Branch& branch,
                          const std::string& tree) {
  return "tree " + tree + "\nparent " + c.base +
         "\nauthor codegenie <codegenie@localhost> 0 +0000\n"
         "committer operator <operator@example> 0 +0000\n\n" +
         report::commit_message(c, branch);
}

std::string commit_id(const std::string& object) {
  std::string bytes = "commit " + std::to_string(object.size());
  bytes += '\0';
  bytes += object;
  std::array<Byte, SHA_DIGEST_LENGTH> out{};
  SHA1(as_bytes(bytes).data(), bytes.size(), out.data());
  return to_hex(out);
}

Made make(report::Case c, const std::string& tree) {
  Made out{std::move(c), {}, {}};
  out.c.tool = tool_name();
  out.events.emplace_back(record::RemediationStarted{out.c.base, out.c.repo, "all"});
  scan(out);
  out.events.emplace_back(record::PluginLoaded{digest_of(0x11), kPlugin});
  out.events.emplace_back(record::SandboxOpened{out.c.isolation_class, "seccomp", "base"});
  out.events.emplace_back(
      record::StepRan{"exit 0", digest_of(2), 812, digest_of(1), "base", "tests"});
  const std::vector<report::Gate> gates = std::exchange(out.c.gates, {});
  for (report::Branch& branch : out.c.branches) {
    branch.attempts = 1;
    branch.outcome = "proven";
    for (report::Gate gate : gates) {
      gate.branch = branch.name;
      if (gate.passed && !gate.weak.empty()) branch.outcome = "weak";
      out.c.gates.push_back(std::move(gate));
    }
    const std::string object = commit_object(out.c, branch, tree);
    branch.commit = commit_id(object);
    out.parts.commits.push_back({object, "--- a/package.json\n+++ b/package.json\n+\x1b[2J\n"});
    prove(out, branch, "group of " + branch.name);
  }
  const bool weak = std::all_of(out.c.branches.begin(), out.c.branches.end(),
                                [](const auto& branch) { return branch.outcome == "weak"; });
  if (weak && out.c.outcome == report::Outcome::fixed) out.c.outcome = report::Outcome::weak;
  out.events.emplace_back(settled(out.c));
  out.parts.context = "{}\n";
  out.parts.plugin = kPlugin;
  out.parts.plugin_digest = "sha256:" + std::string(64, '1');
  return out;
}

Told tell(const Made& made, const std::optional<sign::Seed>& key) {
  Told out{draft_bundle(made.c, made.parts), made.events};
  if (key) {
    out.events.emplace_back(record::EvidenceSigned{sign::ssh_fingerprint(sign::public_key(*key))});
  }
  out.events.emplace_back(record::EvidenceWritten{out.draft.digest, folder_of(made.c.workflow)});
  return out;
}

}  // namespace cg::evidence::test
