#include "flow/handmade/fix.h"

#include "base/base/text.h"
#include "fetch/gitrepo/client.h"
#include "trust/sign/sshsig.h"

namespace cg::handmade {

namespace {

constexpr std::string_view kNamespace = "git";

Problem not_vouched_for(const std::string& named, const std::string& why) {
  return {ErrorCode::rag_unsigned,
          printable(cut(named, 200)) + " is not signed by somebody who may: " + why,
          {},
          "nothing was run, and nothing is learned",
          {"git config gpg.format ssh && git commit --amend --no-edit -S",
           "a line of policy/allowed_signers that lets the key sign in the namespace git"}};
}

}  // namespace

Result<Fix, Problem> read_fix(const std::string& repo, const std::string& named,
                              const sign::AllowedSigners& signers, Time now) {
  const auto program = gitrepo::find_program();
  if (!program) return fail(gitrepo::to_problem(program.error(), repo));
  gitrepo::Git git(*program);
  const auto shown = git.show({repo, named});
  if (!shown) return fail(gitrepo::to_problem(shown.error(), repo));
  if (shown->parents.empty()) {
    return fail(bad_value(
        printable(cut(named, 200)) + " is a first commit: there is nothing before it that it fixes",
        "codegenie rag learn --help"));
  }
  if (shown->signature.empty()) return fail(not_vouched_for(named, "it has no signature"));
  const auto key = sign::ssh_verify(shown->signature, kNamespace, shown->text);
  if (!key) return fail(not_vouched_for(named, sign::describe(key.error())));
  const std::string fingerprint = sign::ssh_fingerprint(*key);
  if (!sign::find_signer(signers, *key, kNamespace, now)) {
    return fail(not_vouched_for(named, fingerprint + " is not among the allowed signers"));
  }
  return Fix{named, shown->commit, shown->parents.front(), fingerprint};
}

}  // namespace cg::handmade
