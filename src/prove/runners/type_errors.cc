#include "prove/runners/type_errors.h"

#include <algorithm>
#include <iterator>

#include "base/base/text.h"
#include "prove/runners/shown.h"

namespace cg::runners {

namespace {

constexpr std::size_t kMaxLines = 10'000;
constexpr std::size_t kMaxLineBytes = 300;
constexpr std::string_view kError = "error TS";

/// Without "(12,3)": an error that only moved is the same error.
std::string without_place(std::string_view file) {
  const std::size_t open = file.rfind('(');
  if (open == std::string_view::npos || !file.ends_with(')')) return std::string(file);
  const std::string_view place = file.substr(open + 1, file.size() - open - 2);
  const bool is_place = !place.empty() && std::all_of(place.begin(), place.end(), [](char c) {
    return c == ',' || (c >= '0' && c <= '9');
  });
  return std::string(is_place ? file.substr(0, open) : file);
}

bool has_number(std::string_view error) {
  error.remove_prefix(kError.size());
  return !error.empty() && error.front() >= '0' && error.front() <= '9';
}

}  // namespace

TypeErrors read_type_errors(std::string_view output) {
  TypeErrors out;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    // Continuation lines start with a space; errors without a file start the line.
    const std::size_t at = line.starts_with(kError) ? 0 : line.find(": error TS");
    if (at == std::string_view::npos || line.front() == ' ') continue;
    const std::string_view error = at == 0 ? line : line.substr(at + 2);
    if (!has_number(error)) continue;
    ++out.count;
    if (out.lines.size() == kMaxLines) continue;
    std::string text = at == 0 ? std::string() : without_place(line.substr(0, at)) + ": ";
    text += error;
    out.lines.push_back(one_line(text, kMaxLineBytes));
  }
  std::sort(out.lines.begin(), out.lines.end());
  return out;
}

std::vector<std::string> take_out(TypeErrors& errors, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const std::size_t removed = std::erase_if(errors.lines, [&](const std::string& line) {
      return line.find(name) != std::string::npos;
    });
    if (removed == 0) continue;
    errors.count -= removed;
    found.push_back(name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void add(TypeErrors& errors, TypeErrors more) {
  const auto middle = static_cast<std::ptrdiff_t>(errors.lines.size());
  errors.lines.insert(errors.lines.end(), std::make_move_iterator(more.lines.begin()),
                      std::make_move_iterator(more.lines.end()));
  std::inplace_merge(errors.lines.begin(), errors.lines.begin() + middle, errors.lines.end());
  errors.count += more.count;
  errors.complete = errors.complete && more.complete;
}

}  // namespace cg::runners
