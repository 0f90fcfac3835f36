// codegenie key set
#include "commands/key/key_words.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_set(const cli::Invocation& invocation, Session& session) {
  return store_key(invocation, session, leaf::KeyVerb::set);
}

}  // namespace

Entry key_set_command() {
  return {{.path = {"key", "set"},
           .summary = "Store the key that a model is asked with",
           .about = {"Reads one line from the terminal, without showing it, or from a descriptor "
                     "that is already open. It is never an argument, never a variable and never "
                     "printed again: what tells keys apart is the fingerprint. codegenie itself "
                     "never sees it; codegenie-key puts it into the store.",
                     "`auto` is the Secret Service of the desktop. `systemd` encrypts it for this "
                     "host with systemd-creds, which takes root or a TPM. `kernel` is volatile: "
                     "it is gone when the session ends or the machine restarts."},
           .arguments = {key_name_argument()},
           .flags = {key_source_flag(), key_store_flag()},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::guard},
           .examples = {{"codegenie key set anthropic", "asks for it"},
                        {"codegenie key set anthropic --store kernel --from-fd 3",
                         "from a file, for this session"}}},
          run_set};
}

}  // namespace cg::program
