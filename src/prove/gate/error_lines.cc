#include "prove/gate/error_lines.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"
#include "prove/gate/signal.h"

namespace cg::gate {

namespace {

constexpr std::size_t kMaxErrorLines = 12;

/// Of yarn 2 and later, which numbers whatever it says: no news, and what is only a warning.
bool is_error_of_yarn(std::string_view line) {
  static constexpr std::array<std::string_view, 12> kOthers = {"0000", "0002", "0007", "0008",
                                                               "0013", "0019", "0057", "0060",
                                                               "0061", "0068", "0076", "0086"};
  const std::string_view number = line.substr(std::string_view("➤ YN").size()).substr(0, 4);
  return std::find(kOthers.begin(), kOthers.end(), number) == kOthers.end();
}

/// A line in which a package manager or compiler says what is wrong.
bool is_error_line(std::string_view line) {
  static constexpr std::array<std::string_view, 7> kStarts = {
      "npm error", "npm ERR!", "error ", "error:", "Error:", " ERR_PNPM_", "ERR_PNPM_"};
  if (line.starts_with("➤ YN")) return is_error_of_yarn(line);
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return line.starts_with(start); }) ||
         line.find(": error ") != std::string_view::npos;
}

}  // namespace

std::string error_lines(const std::string& shown) {
  std::string out;
  std::size_t count = 0;
  for (const std::string_view line : split(shown, '\n')) {
    if (!is_error_line(line) || out.size() + line.size() >= kMaxExcerptBytes) continue;
    if (++count > kMaxErrorLines) break;
    if (!out.empty()) out += '\n';
    out += line;
  }
  return out;
}

}  // namespace cg::gate
