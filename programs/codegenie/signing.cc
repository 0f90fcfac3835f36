#include "signing.h"

#include "base/base/text.h"
#include "base/os/child.h"
#include "jail/spawn/host.h"
#include "trust/audit/layout.h"
#include "trust/sign/sshsig.h"

namespace cg::program {

namespace {

Problem gpg_problem(const std::string& what, const std::string& words) {
  return {ErrorCode::sign_gpg,
          what,
          {{"gpg says", printable(cut_utf8(trim(words), 500))}},
          "nothing was published",
          {"codegenie explain CG-SIGN-002"}};
}

/// By the spawner, which knows the place and the environment of gpg and these two uses.
Result<os::Ran, Problem> run_gpg(spawn::Program program, const std::vector<std::string>& words,
                                 const std::string& input) {
  os::Command command{.argv = {"gpg"}, .input = input};
  command.limit = std::chrono::seconds(60);  // a smart card may want a touch
  auto ran = os::run(command, spawn::launcher(program, words));
  if (!ran) return fail(gpg_problem("gpg could not be run", os::describe(ran.error())));
  const auto* exited = std::get_if<os::Exited>(&ran->ending);
  if (exited == nullptr || exited->code != 0) return fail(gpg_problem("gpg refused", ran->err));
  return *std::move(ran);
}

/// The fingerprint behind a status line such as "[GNUPG:] VALIDSIG <fingerprint> …".
std::string fingerprint_in(const std::string& status, const std::string& keyword,
                           std::size_t field) {
  for (const std::string_view line : split(status, '\n')) {
    const std::vector<std::string_view> words = split(line, ' ');
    if (words.size() > field && words[0] == "[GNUPG:]" && words[1] == keyword)
      return std::string(words[field]);
  }
  return "";
}

}  // namespace

std::vector<std::string> gpg_environment(const cli::Environment& environment) {
  std::vector<std::string> out = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  for (const char* name : {"HOME", "GNUPGHOME"}) {
    const std::string value = cli::variable(environment, name);
    if (!value.empty()) out.push_back(std::string(name) + "=" + value);
  }
  return out;
}

Result<Signed, Problem> sign_anchor(const std::string& how, const std::string& note) {
  if (how.starts_with("ssh:")) {
    CG_TRY_ASSIGN(const sign::Seed seed, audit::read_signing_key(how.substr(4)));
    return Signed{
        "ssh", sign::ssh_fingerprint(sign::public_key(seed)),
        audit::AnchorSignature{".sig", sign::ssh_sign(seed, audit::kAnchorNamespace, note)}};
  }
  if (how.starts_with("gpg:") && how.size() > 4) {
    CG_TRY_ASSIGN(const os::Ran ran, run_gpg(spawn::Program::gpg_sign, {how.substr(4)}, note));
    return Signed{"gpg", fingerprint_in(ran.err, "SIG_CREATED", 7),
                  audit::AnchorSignature{".asc", ran.out}};
  }
  return fail(Problem{ErrorCode::cli_bad_value,
                      "--sign takes ssh:KEYFILE or gpg:KEYID",
                      {},
                      "nothing was published",
                      {"codegenie audit anchor publish --help"}});
}

Result<std::string, Problem> gpg_signer(const std::string& note_path,
                                        const std::string& signature_path) {
  CG_TRY_ASSIGN(const os::Ran ran,
                run_gpg(spawn::Program::gpg_verify, {signature_path, note_path}, ""));
  const std::string fingerprint = fingerprint_in(ran.err, "VALIDSIG", 2);
  if (fingerprint.empty()) return fail(gpg_problem("gpg found no valid signature", ran.err));
  return fingerprint;
}

}  // namespace cg::program
