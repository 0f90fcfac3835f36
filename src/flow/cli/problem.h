// Problem text: the one shape in which errors are told, to people and to programs.
#pragma once

#include <string>

#include "base/domain/error.h"
#include "base/json/value.h"
#include "flow/cli/style.h"

namespace cg::cli {

/// Whether the line "hint: did you mean ...?" is shown; -q hides it.
enum class Hints { show, hide };

/// What, where, effect and help, with a newline at the end:
///
///     error[CG-AUDIT-002]: audit chain broken at entry 412 of 1 284
///       file     .codegenie/events/spanning/append.jsonl.zst
///       effect   no workflow will run; nothing was changed
///       help     codegenie audit verify --explain 412
///
/// A problem that has nothing but a "did you mean" gets the short form with a
/// hint. Every part is made printable(), so it may hold foreign bytes.
[[nodiscard]] std::string render_problem(const Problem& problem, const Style& style,
                                         Hints hints = Hints::show);

/// `codegenie/error/v1`, see doc/schema/error.json. Values that are not UTF-8 are
/// made printable(); rows with the same label are joined by a comma.
[[nodiscard]] json::Value problem_json(const Problem& problem);

}  // namespace cg::cli
