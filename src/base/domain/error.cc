#include "base/domain/error.h"

namespace cg {

const std::vector<ErrorCodeRow>& error_code_table() {
  static const std::vector<ErrorCodeRow> table = {
#define CG_ERROR(name, code, exit, title, explanation) \
  {ErrorCode::name, code, ExitCode::exit, title, explanation},
#include "base/domain/error_codes.def"
#undef CG_ERROR
  };
  return table;
}

const ErrorCodeRow& row(ErrorCode code) {
  return error_code_table()[static_cast<std::size_t>(code)];
}

std::optional<ErrorCode> parse_error_code(std::string_view text) {
  for (const ErrorCodeRow& r : error_code_table()) {
    if (r.code == text) return r.id;
  }
  return std::nullopt;
}

Problem bad_value(std::string what, std::string help) {
  return {ErrorCode::cli_bad_value, std::move(what), {}, "nothing was touched", {std::move(help)}};
}

}  // namespace cg
