// Report: what a command hands to the frame instead of printing it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/domain/error.h"
#include "base/json/value.h"
#include "flow/cli/command.h"
#include "flow/cli/style.h"

namespace cg::program {

/// Whether a result is text that is made harmless where it leaves, or bytes that some program is
/// to read as they are: a patch, lines of the log. The latter leave so only where nobody reads
/// along (Session::out_is_watched).
enum class Bytes { shown, exact };

struct Report {
  ExitCode exit = ExitCode::ok;
  /// The result in a format that the command lists; ends with a newline. May be
  /// called several times, once for standard output and once for each -o.
  std::function<std::string(cli::Format, const cli::Style&)> render;
  /// Told on standard error beside the result, for a command whose result is that
  /// something is broken. Does not change `exit`.
  std::optional<Problem> problem = {};
  /// One line each, on standard error, made printable(); -q hides both.
  std::vector<std::string> warnings = {};
  std::vector<std::string> hints = {};
  Bytes bytes = Bytes::shown;
};

/// A result that is the same text in every format.
[[nodiscard]] Report text_report(std::string text);

/// A result with a JSON form and a text for people; `jsonl` gets the document on
/// one line.
[[nodiscard]] Report json_report(json::Value json,
                                 std::function<std::string(const cli::Style&)> table,
                                 ExitCode exit = ExitCode::ok);

/// Null for an empty text, in a result where nothing is known.
[[nodiscard]] json::Value text_or_null(const std::string& text);

/// A document in `format`, which must be json or jsonl.
[[nodiscard]] std::string json_text(const json::Value& json, cli::Format format);

}  // namespace cg::program
