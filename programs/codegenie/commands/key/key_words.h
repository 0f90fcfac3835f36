// What the commands of `key` share.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"
#include "commands.h"
#include "flow/cli/parse.h"
#include "model/leaf/key_process.h"

namespace cg::program {

/// NAME and --store of these commands.
[[nodiscard]] cli::Argument key_name_argument();
[[nodiscard]] cli::Flag key_store_flag();
[[nodiscard]] cli::Flag key_source_flag();

/// The order of a command line.
[[nodiscard]] Result<leaf::KeyOrder, Problem> key_order(const cli::Invocation& invocation,
                                                        leaf::KeyVerb verb);
/// Where a new key is read from: the descriptor of --from-fd, or the terminal.
[[nodiscard]] Result<int, Problem> key_source(const cli::Invocation& invocation,
                                              const Session& session);

/// Asks codegenie-key, with a prompt on standard error once typing is hidden. A refusal is a
/// Problem: `effect` says what did not happen.
[[nodiscard]] Result<leaf::KeyAnswer, Problem> carry_key_order(const leaf::KeyOrder& order,
                                                               leaf::KeyEnds ends,
                                                               const std::string& effect);

/// set and rotate: reads a key and says where it went.
[[nodiscard]] Result<Report, Problem> store_key(const cli::Invocation& invocation,
                                                const Session& session, leaf::KeyVerb verb);

/// "the Secret Service"
[[nodiscard]] std::string store_words(leaf::KeyStore store);
/// "sha256:8c1d…"
[[nodiscard]] std::string fingerprint_words(const std::string& fingerprint);

/// As doc/schema/key.json.
[[nodiscard]] json::Value key_json(std::string_view action, const std::string& key_name,
                                   const std::vector<leaf::StoreReport>& places,
                                   const std::string& previous = {});

}  // namespace cg::program
