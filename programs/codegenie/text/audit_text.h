// What several audit commands show and share.
#pragma once

#include <functional>

#include "access.h"
#include "commands.h"
#include "flow/history/entries.h"

namespace cg::program {

using history::for_each_entry;
using history::for_each_entry_of;

/// One line about an event: what a person wants to see of it.
[[nodiscard]] std::string summary_of(const record::Event& event);

/// An entry as JSON, its body parsed.
[[nodiscard]] json::Value entry_json(const audit::Held& held);

/// `audit verify --explain` and `audit verify --proof`.
[[nodiscard]] Result<Report, Problem> explain_entry(const Access& access, std::uint64_t seq);
[[nodiscard]] Result<Report, Problem> check_proof_file(const cli::Invocation& invocation,
                                                       const Session& session);

/// The key that the first entry of the log names.
[[nodiscard]] Result<sign::NoteKey, Problem> log_verifier(const Access& access);

/// A time: 2026-11-15, 2026-11-15T02:40:11.000Z, or 7d, 12h, 30m before now.
[[nodiscard]] Result<Time, Problem> parse_since(const std::string& text, Time now);

}  // namespace cg::program
