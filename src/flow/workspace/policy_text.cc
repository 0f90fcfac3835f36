#include "flow/workspace/policy.h"

namespace cg::workspace {

namespace {

std::string model_text(Preset preset) {
  const bool strict = preset == Preset::strict;
  return "model:\n"
         "  # How far a fix may go: recipe asks nobody, rag looks at what solved the like\n"
         "  # before, llm asks a model. A model also needs `name`, and under `prices` what it\n"
         "  # costs in USD for a million tokens:\n"
         "  #   NAME: {input: \"0.00\", output: \"0.00\", cache_write: \"0.00\", cache_read: "
         "\"0.00\"}\n"
         "  # With `port` a model server on this machine is asked, and nobody else.\n"
         "  max_tier: recipe\n"
         "budget:\n"
         "  # What one workflow may spend on a model, and one call of it.\n"
         "  tokens: " +
         std::string(strict ? "100000" : "250000") +
         "\n"
         "  usd: " +
         (strict ? "\"0.50\"" : "\"1.50\"") +
         "\n"
         "  tokens_per_call: 32000\n"
         "learn:\n"
         "  # Whether a fix whose tests show little teaches later ones: refuse or allow.\n"
         "  weak: refuse\n";
}

}  // namespace

std::string policy_text(Preset preset) {
  const bool strict = preset == Preset::strict;
  return "# Policy of this workspace. Flags and environment cannot loosen it; a repository\n"
         "# under scan may have a stricter one in .codegenie/policy.yaml.\n"
         "schema: " +
         std::string(kPolicySchema) +
         "\n"
         "audit:\n"
         "  # `audit verify` reports a gap when an entry is older than this without an anchor.\n"
         "  anchor_within_days: " +
         (strict ? "1" : "7") +
         "\n"
         "index:\n"
         "  # An advisory index older than this is not used.\n"
         "  max_age_days: " +
         (strict ? "3" : "14") +
         "\n"
         "  # A feed that lost more of its records than this is not taken.\n"
         "  max_shrink_percent: " +
         (strict ? "2" : "5") +
         "\n"
         "ignores:\n"
         "  # Whether ignores count that a repository brings along: report-only or allow.\n"
         "  from_repo: report-only\n"
         "  # How many days away an ignore may end.\n"
         "  max_days: " +
         (strict ? "90" : "180") +
         "\n"
         "fix:\n"
         "  # A version younger than this is not chosen, where the registry tells its age.\n"
         "  cooldown_days: " +
         (strict ? "3" : "0") +
         "\n"
         "  # Whether a fix may bring a script that runs when it is installed: allow or refuse.\n"
         "  install_scripts: " +
         (strict ? "refuse" : "allow") +
         "\n"
         "  # Whether an override may force a breaking version on a dependent: allow or refuse.\n"
         "  override_across_major: " +
         (strict ? "refuse" : "allow") +
         "\n"
         "  # Whether --unproven keep may write branches that nothing was shown of: allow or "
         "refuse.\n"
         "  unproven: " +
         (strict ? "refuse" : "allow") +
         "\n"
         "gates:\n"
         "  # Packages whose install scripts run in the sandbox when a fix is proven.\n"
         "  run_scripts: []\n"
         "  # Hosts besides the registry's whose archives are fetched, where a lock has their "
         "address\n"
         "  # and integrity: [codeload.github.com]\n"
         "  fetch_urls: []\n"
         "  # The weakest place to prove a fix in: namespaces, microvm_emulated or microvm.\n"
         "  isolation: namespaces\n"
         "  # What becomes of a fix whose tests show little: allow, handoff or refuse. If nothing "
         "is\n"
         "  # said, a version of the last days or with a new install script is handed off.\n" +
         (strict ? "  weak_tests: handoff\n" : "  # weak_tests: handoff\n") +
         "  # What a step may take: seconds, MiB and processes.\n"
         "  limits:\n"
         "    install_s: 300\n"
         "    load_s: 300\n"
         "    build_s: 600\n"
         "    tests_s: 600\n"
         "    typecheck_s: 180\n"
         "    memory_mb: 6144\n"
         "    processes: 1024\n" +
         model_text(preset) +
         (strict ? "scan:\n  # A finding of this level fails a scan, whatever --fail-on says.\n"
                   "  fail_on: high\n"
                 : "");
}

}  // namespace cg::workspace
