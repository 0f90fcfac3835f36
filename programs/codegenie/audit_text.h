// What several audit commands show and share.
#pragma once

#include <functional>

#include "access.h"
#include "commands.h"
#include "trust/audit/walk.h"

namespace cg::program {

/// One line about an event: what a person wants to see of it.
[[nodiscard]] std::string summary_of(const record::Event& event);

/// Goes through the spanning stream up to the first thing that does not hold, which
/// is returned beside what was seen.
[[nodiscard]] Result<std::optional<Problem>, Problem> for_each_entry(
    const Access& access, const audit::Walker::OnHeld& on_held);
/// The same for the stream of one workflow.
[[nodiscard]] Result<std::optional<Problem>, Problem> for_each_entry_of(
    const Access& access, const std::string& workflow, const audit::Walker::OnHeld& on_held);

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

/// The bytes of a file that the user named.
[[nodiscard]] Result<std::string, Problem> read_user_file(const std::string& path, std::size_t max);

}  // namespace cg::program
