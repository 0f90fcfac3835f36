// Bundle: the evidence of one workflow, in a folder and as one file.
//
//   SUMMARY.md  VERIFY.md  case.json  plan.json  handoff.md (if anything is left)
//   patch.diff  commit.txt               of one branch; of several, branches/1/… with plan.json
//   gates/NAME.json                      what each gate said; of several branches likewise
//   attempts/N/…                         what gates said where nothing came of it
//   logs/  reports/                      what steps printed, and tests by name
//   context/  sbom/  vex/  scan/  tier/  as other tools read them
//   events.jsonl  proof/                 the workflow's lines, and that its end is in the log
//   manifest.json  manifest.json.sig     digests of all the rest, signed if there is a key
//
// See doc/format/evidence.md. The workflow's stream names the digest of what was written
// before it ended, the log names the stream, and the proof leads to the signed head.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/domain/ids.h"
#include "base/os/dir.h"
#include "fix/report/case.h"
#include "trust/hash/digest.h"
#include "trust/record/event_fix.h"
#include "trust/sign/ed25519.h"
#include "vuln/findings/finding.h"

namespace cg::evidence {

/// Path to bytes.
using Files = std::map<std::string, std::string, std::less<>>;

struct Commit {
  std::string object;  // as git stores it: "tree …\nparent …\n…"
  std::string patch;
};

/// An attempt that became no branch, as its AttemptEnded has it, and what each gate said.
struct FailedAttempt {
  std::string group;
  std::uint64_t attempt = 0;
  std::string failing;
  std::vector<std::pair<std::string, std::string>> gates;
};

/// What a case does not hold itself.
struct Parts {
  findings::Scan before;  // with components
  findings::Scan after;
  std::vector<Commit> commits;  // of Case::branches, in their order; none if none were made
  /// Likewise: what each gate said, as path beneath the branch's folder and JSON.
  std::vector<std::vector<std::pair<std::string, std::string>>> gates;
  std::vector<FailedAttempt> attempts = {};
  Files kept = {};             // logs/ and reports/ of the steps of all attempts
  std::uint64_t left_out = 0;  // of those, as there were too many
  std::string context;         // of `codegenie gather --json`; may be empty
  std::string plugin;          // whose recipes were used
  std::string plugin_digest;   // "sha256:…"
};

/// The part of a bundle that is known before its workflow ends. `digest` covers all of
/// it and belongs into the workflow's stream, as EvidenceWritten.
struct Draft {
  std::string workflow;
  Files files;
  hash::Digest digest{};
};
/// What of a case is settled in the end, as the workflow's stream must have it: copies by fate,
/// and the digest of the plan.
[[nodiscard]] record::PlanMade settled(const report::Case& c);

/// "gates/tests.json": where what a gate said lies, beneath the folder of its branch. With several
/// lockfiles the name begins with the path of one, so slash, space and percent sign are escaped:
/// no two gates have one file.
[[nodiscard]] std::string gate_file(std::string_view signal);

/// `c.workflow` must be an id.
[[nodiscard]] Draft draft_bundle(const report::Case& c, const Parts& parts);

struct Written {
  std::string folder;   // beneath the workspace
  std::string archive;  // likewise
  std::string digest;   // "sha256:…" of the archive
};
/// Adds the workflow's events and their proof, and moves the whole into place in one step.
/// Killed at any time it leaves either no bundle or all of it. Refused unless the workflow has
/// ended and a checkpoint was signed: evidence without a proof is none. The events must have
/// named the draft's digest, and with a key its fingerprint (EvidenceSigned).
[[nodiscard]] Result<Written, Problem> write_bundle(const os::Dir& home, Draft draft,
                                                    const std::optional<sign::Seed>& key);

/// The purpose that signatures of manifests are bound to.
inline constexpr std::string_view kNamespace = "codegenie-evidence";

/// "evidence/<workflow>", beneath the workspace; the archive has ".tar.zst" behind it.
[[nodiscard]] std::string folder_of(std::string_view workflow);

/// A bundle that somebody named: a folder, or a .tar.zst. Refuses links, devices, unsafe
/// names and more than is bearable; does not look into the files.
[[nodiscard]] Result<Files, Problem> read_bundle(const std::string& path);
/// That of a workflow of this workspace.
[[nodiscard]] Result<Files, Problem> read_bundle(const os::Dir& home, const WorkflowId& workflow);

/// The case in a bundle, if its files are those that the log knows by `digest` (EvidenceWritten).
[[nodiscard]] Result<report::Case, std::string> case_of(const Files& files,
                                                        const hash::Digest& digest);

/// The workflow with evidence that `text` names: a whole id, the beginning of one (at
/// least 7 characters, in any case of letters), or "latest".
[[nodiscard]] Result<WorkflowId, Problem> find_workflow(const os::Dir& home, std::string_view text);

}  // namespace cg::evidence
