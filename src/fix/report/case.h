// Case: all that is known about one remediation, as one value.
//
// Written once when a workflow ends; every report, the commit message and the evidence
// are functions of it. Text in it comes from advisories, registries and lockfiles, which
// anybody may have written: it is kept as it is and made harmless where it is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/json/value.h"
#include "fix/plan/plan.h"
#include "fix/report/branch.h"
#include "vuln/advisory/severity.h"
#include "vuln/findings/finding.h"

namespace cg::report {

enum class Outcome {
  fixed,
  partly_fixed,
  weak,      // all is fixed, and what was checked shows little: an exit code, or no tests
  unproven,  // the repository cannot be run as it is, so nothing could be shown, good or bad
  planned,
  not_applicable,
  refused,
  not_fixed,
  interrupted,  // somebody ended it; what was settled until then is kept
};
[[nodiscard]] std::string_view name(Outcome outcome);

/// Who found the fix.
enum class Tier { none, recipe, rag, llm };
[[nodiscard]] std::string_view name(Tier tier);

/// How the repository's own commits begin.
enum class Subject { plain, conventional };
[[nodiscard]] std::string_view name(Subject subject);

/// Whether a package runs code when it is installed, before and after.
enum class Scripts { unknown, none, unchanged, added, removed };
[[nodiscard]] std::string_view name(Scripts scripts);

struct Advisory {
  std::string id;  // as plan::Copy::advisory
  std::vector<std::string> aliases;
  std::string summary;
  advisory::Level level = advisory::Level::unknown;
};

struct Copy : plan::Copy {
  std::string lockfile;
};
struct Fix : plan::Fix {
  std::string lockfile;
};

/// A package that another version came for, and what a reviewer asks about it.
struct Moved {
  std::string package;
  std::string from;       // empty: new
  std::string to;         // empty: gone
  std::string published;  // a day; empty if not known
  Scripts scripts = Scripts::unknown;
  std::string host_before;  // of the tarballs; empty if not known
  std::string host;
  std::string integrity;         // of the new tarball; empty: none
  std::string publisher_before;  // of the versions, as the registry has it; empty if not known
  std::string publisher;
  /// What the new version brings that the old one had not (npm/exports/novelty.h), one line each;
  /// empty too where nobody has compared them.
  std::vector<std::string> news;
};

struct Findings {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t introduced = 0;
};

struct Cost {
  std::uint64_t tokens = 0;
  std::string usd = "0.00";
};
struct Spend : Cost {
  Cost replayed = {};  // of a cassette's answers, when they were recorded: nobody is paid
};

struct Case {
  std::string workflow;  // a WorkflowId; empty if none was recorded
  Outcome outcome = Outcome::not_fixed;
  Tier tier = Tier::none;
  std::vector<Copy> copies;
  std::vector<Gate> gates;           // by branch; an empty list is not a pass
  std::vector<Unprovable> unproven;  // each lockfile once
  std::string isolation_class;       // empty while no gate ran
  Spend spend;
  std::string evidence;  // evidence::folder_of(workflow); empty: none
  int exit = 0;

  std::string repo;  // as named
  std::string base;  // commit; empty if there is none
  findings::IndexFacts index;
  std::vector<Advisory> advisories;
  std::vector<Fix> fixes;
  std::vector<plan::OverrideNote> overrides;
  std::vector<Branch> branches;
  std::vector<FileChange> changes;
  std::vector<Moved> moved;
  Findings findings;
  std::vector<std::string> not_checked;  // one line each
  std::vector<std::string> skipped;      // tracked lockfiles that were not read, and why
  std::vector<std::string> withheld;     // secrets that a model was not told, one line per text
  Subject subject = Subject::plain;
  std::string tool;  // "codegenie 0.1.0"
  Time started{};
  Time ended{};
};

/// The furthest that a fix of the branch went; of none in particular, of all.
[[nodiscard]] Tier tier_of(const Case& c, const Branch& branch = {});

/// Takes over what a plan decided; its fixes are numbered on.
void add_plan(Case& c, const plan::Plan& plan);

/// `codegenie/remediate/v1`, see doc/schema/remediate.json.
[[nodiscard]] json::Value to_json(const Case& c);

inline constexpr std::size_t kMaxCaseBytes = 64U << 20U;
/// Takes exactly what to_json() writes: every key, no other, known words. The error is
/// one printable line.
[[nodiscard]] Result<Case, std::string> from_json(std::string_view text);

/// The decisions alone, as JSON: copies with all that was considered, fixes (its `steps`),
/// overrides. No ids, no clock, no paths of the machine, so equal decisions give equal bytes. Of
/// one branch: its fixes and the copies they fix.
[[nodiscard]] std::string plan_text(const Case& c);
[[nodiscard]] std::string plan_text(const Case& c, const Branch& branch);
/// "sha256:…" over it; stands in the commit.
[[nodiscard]] std::string plan_digest(const Case& c, const Branch& branch);

/// What a case says of one of its branches: the fixes on it, what they fix and move, its files and
/// its gates. A package that moves is left out only if it is surely another branch's.
[[nodiscard]] Case only_branch(const Case& c, const Branch& branch);

}  // namespace cg::report
