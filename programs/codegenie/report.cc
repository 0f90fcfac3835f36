#include "report.h"

#include <utility>

#include "base/base/assert.h"
#include "base/json/json.h"

namespace cg::program {

Report text_report(std::string text) {
  return {ExitCode::ok, [text = std::move(text)](cli::Format, const cli::Style&) { return text; }};
}

Report json_report(json::Value json, std::function<std::string(const cli::Style&)> table,
                   ExitCode exit) {
  return {exit, [json = std::move(json), table = std::move(table)](cli::Format format,
                                                                   const cli::Style& style) {
            return format == cli::Format::table ? table(style) : json_text(json, format);
          }};
}

std::string json_text(const json::Value& json, cli::Format format) {
  CG_ASSERT(format == cli::Format::json || format == cli::Format::jsonl);
  return format == cli::Format::json ? json::write_json_pretty(json)
                                     : json::write_json(json) + "\n";
}

json::Value text_or_null(const std::string& text) {
  return text.empty() ? json::Value() : json::Value(text);
}

}  // namespace cg::program
