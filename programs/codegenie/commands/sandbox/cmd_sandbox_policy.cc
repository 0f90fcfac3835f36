// codegenie sandbox policy
#include "commands.h"
#include "commands/sandbox/sandbox_words.h"
#include "jail/sandbox/policy.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_policy(const cli::Invocation& invocation, Session&) {
  const auto policy = sandbox::Policy::Builder().build();
  if (!policy) {
    return fail(sandbox_problem({sandbox::Error::Kind::setup, seal::describe(policy.error())},
                                "nothing was run"));
  }
  const std::string digest = to_hex(policy->digest());
  const std::string words = policy->print();
  const bool all = invocation.has("print");
  return json_report(
      json::Value::Object{
          {"schema", "codegenie/sandbox-policy/v1"}, {"policy", words}, {"sha256", digest}},
      [=](const cli::Style&) { return (all ? words : std::string()) + "sha256 " + digest + "\n"; });
}

}  // namespace

Entry sandbox_policy_command() {
  return {{.path = {"sandbox", "policy"},
           .summary = "Print what a jail allows",
           .about = {"The policy that every step of a repository runs under: what of the disk is "
                     "there, which system calls are allowed, the limits. Without --print only its "
                     "digest. What a kernel really put in force is told by `sandbox status`."},
           .flags = {{.name = "print", .help = "all of it, in words"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::guard},
           .examples = {{"codegenie sandbox policy --print", "what may a test suite do?"}}},
          run_policy};
}

}  // namespace cg::program
