// Policy: what the operator demands. Not configuration: flags and variables cannot
// loosen it, and a repository under scan can only make it stricter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/money.h"
#include "base/domain/tier.h"
#include "vuln/advisory/severity.h"

namespace cg::workspace {

/// Whether ignores that a repository brings along count.
enum class RepoIgnores { report_only, allow };

/// Whether a fix may bring a script that runs when it is installed, where the copy it
/// replaces had none.
enum class InstallScripts { allow, refuse };
/// Whether an override may force a version that breaks with the one asked for.
enum class ForcedMajor { allow, refuse };
/// Whether a branch may be written of a fix that nothing could be shown of, where that is asked
/// for.
enum class UnprovenBranches { allow, refuse };
/// The weakest isolation in which a fix may be proven.
enum class DemandedIsolation { namespaces, microvm_emulated, microvm };

/// What becomes of a fix whose tests passed and show little (gate::Signal::weak): an exit code
/// alone, or assertions that nobody looks at. In the order of how much each forbids.
enum class WeakTests {
  allow,
  by_risk,  // as handoff for a version younger than the cooldown (kYoungDays at least) or with a
            // new install script, else as allow
  handoff,  // no branch; a person decides
  refuse,   // no branch; the gates turned it down
};
inline constexpr int kYoungDays = 7;

/// Whether a fix whose tests show little becomes a solved example that later fixes follow.
enum class LearnWeak { allow, refuse };

/// How much a step of a proof may take; in a microVM that is emulated the times count many times
/// over. Times are 10 to 7,200 s.
struct StepLimits {
  int install_s = 300;
  int load_s = 300;
  int build_s = 600;
  int tests_s = 600;
  int typecheck_s = 180;
  int memory_mb = 6'144;  // 256 to 262,144: MiB of all its processes, if the machine has them
  int processes = 1'024;  // 64 to 32,768
  friend bool operator==(const StepLimits&, const StepLimits&) = default;
};

/// policy/policy.yaml. Every value has a range; a missing file is the standard.
struct Policy {
  int anchor_within_days = 7;  // 1 to 365: how old an entry may get without an anchor

  int index_max_age_days = 14;       // 1 to 365: an older advisory index is not used
  int index_max_shrink_percent = 5;  // 0 to 100: what a feed may lose of its records

  /// A finding of this level or above fails a scan, whatever --fail-on says.
  std::optional<advisory::Level> fail_on;

  RepoIgnores repo_ignores = RepoIgnores::report_only;
  int ignore_max_days = 180;  // 1 to 3650: how far away an ignore may end

  int cooldown_days = 0;  // 0 to 365: a version younger than this is not chosen as a fix
  InstallScripts install_scripts = InstallScripts::allow;
  ForcedMajor forced_major = ForcedMajor::allow;
  UnprovenBranches unproven = UnprovenBranches::allow;

  /// Packages whose install scripts are run when a fix is proven, sorted. Where the operator
  /// does not mention them they are those of no package.
  std::vector<std::string> run_scripts;
  /// Hosts, "name" or "name:port", whose archives are fetched where a lock has their address and
  /// integrity, sorted. None unless the operator names them, each in full.
  std::vector<std::string> fetch_urls;
  /// Whether a fix is proven in a microVM even where nobody asks for one.
  DemandedIsolation isolation = DemandedIsolation::namespaces;
  WeakTests weak_tests = WeakTests::by_risk;
  StepLimits limits;

  /// How far a fix may go, whatever --max-tier says: no model is asked unless this is llm.
  Tier max_tier = Tier::recipe;
  /// Which model is asked, and what models cost, sorted by name. The operator's own alone: a
  /// repository that named a price would set the limit of its own bill. None is shipped, as
  /// prices change, and without one there is no call.
  std::optional<std::string> model;
  std::vector<Price> prices;
  int model_port = 0;        // of a model server on this machine, asked instead; 0: there is none
  std::string model_server;  // what kind that is: llama.cpp, vllm, ollama or other; empty: unsaid
  int budget_tokens = 250'000;                     // 0 to 100,000,000 of a workflow, in and out
  int budget_tokens_per_call = 32'000;             // 0 to 1,000,000
  Money budget_usd = Money::parse_or_die("1.50");  // of a workflow
  LearnWeak learn_weak = LearnWeak::refuse;

  friend bool operator==(const Policy&, const Policy&) = default;
};

enum class Preset { standard, strict };

inline constexpr std::string_view kPolicySchema = "codegenie/policy/v1";

/// The starter file that `init` writes.
[[nodiscard]] std::string policy_text(Preset preset);

struct PolicyError {
  std::string what;
  std::size_t line = 0;
};

[[nodiscard]] Result<Policy, PolicyError> parse_policy(std::string_view yaml);

/// What a repository adds to the operator's policy. What it does not mention restricts nothing.
struct Layer {
  Policy policy;
  /// Whether `policy.run_scripts` was said: a list that is not there takes no package away, an
  /// empty one takes all.
  bool limits_scripts = false;
  bool limits_urls = false;  // the same of `policy.fetch_urls`
};

/// `own` with every value that the layer makes more restrictive, and no other: whatever the
/// layer holds, the result allows nothing that `own` does not.
[[nodiscard]] Policy tightened(const Policy& own, const Layer& layer);

/// The price of the model that policy names, if it has both.
[[nodiscard]] std::optional<Price> price_of_model(const Policy& policy);

/// As parse_policy(), for what a repository says; what only the operator may say is refused.
[[nodiscard]] Result<Layer, PolicyError> parse_layer(std::string_view yaml);

}  // namespace cg::workspace
