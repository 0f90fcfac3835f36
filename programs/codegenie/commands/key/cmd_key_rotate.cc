// codegenie key rotate
#include "commands/key/key_words.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_rotate(const cli::Invocation& invocation, Session& session) {
  return store_key(invocation, session, leaf::KeyVerb::rotate);
}

}  // namespace

Entry key_rotate_command() {
  return {{.path = {"key", "rotate"},
           .summary = "Replace the key where it lies",
           .about = {"Reads a new key as `key set` does and puts it where the old one is: with "
                     "`auto`, in the store that a model call would take it from. Refused if there "
                     "is no old one, or if both are the same. Revoke the old key with whoever "
                     "issued it."},
           .arguments = {key_name_argument()},
           .flags = {key_source_flag(), key_store_flag()},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::guard},
           .examples = {{"codegenie key rotate anthropic", "asks for the new one"}}},
          run_rotate};
}

}  // namespace cg::program
