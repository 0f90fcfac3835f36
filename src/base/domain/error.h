// Problem: an error on its way to a person. Every error type of ours ends as one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/domain/exit_code.h"

namespace cg {

/// The closed list of error codes; error_codes.def gives each its exit code, its
/// title and the paragraph that `codegenie explain CODE` prints.
enum class ErrorCode {
#define CG_ERROR(name, code, exit, title, explanation) name,
#include "base/domain/error_codes.def"
#undef CG_ERROR
};

struct ErrorCodeRow {
  ErrorCode id;
  std::string_view code;  // CG-AUDIT-002
  ExitCode exit;
  std::string_view title;
  std::string_view explanation;
};

[[nodiscard]] const std::vector<ErrorCodeRow>& error_code_table();
[[nodiscard]] const ErrorCodeRow& row(ErrorCode code);
[[nodiscard]] std::optional<ErrorCode> parse_error_code(std::string_view text);

/// What, where, effect, help: the shape of every error message.
struct Problem {
  ErrorCode code;
  std::string what;                                        // one line, no full stop
  std::vector<std::pair<std::string, std::string>> where;  // label, value: file, expected, found
  std::string effect;                                      // what did and did not happen
  std::vector<std::string> help;                           // commands or advice, best first

  [[nodiscard]] ExitCode exit() const { return row(code).exit; }
};

/// The problem of a flag or argument that has a bad value.
[[nodiscard]] Problem bad_value(std::string what, std::string help);

}  // namespace cg
