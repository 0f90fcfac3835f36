#include "base/archive/error.h"

#include <algorithm>
#include <cstdlib>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::archive {

namespace {

constexpr std::size_t kShownName = 120;

std::string_view words(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::other_format:
      return "another format";
    case Error::Kind::truncated:
      return "ends too early";
    case Error::Kind::damaged:
      return "damaged";
    case Error::Kind::checksum:
      return "checksum differs";
    case Error::Kind::output_too_large:
      return "unpacks to too many bytes";
    case Error::Kind::ratio_too_high:
      return "unpacks to far more than its size (a bomb)";
    case Error::Kind::too_many_entries:
      return "too many entries";
    case Error::Kind::entry_too_large:
      return "entry too large";
    case Error::Kind::unsafe_name:
      return "unsafe name";
    case Error::Kind::duplicate_name:
      return "the same name twice";
    case Error::Kind::overlap:
      return "entries overlap";
    case Error::Kind::encrypted:
      return "encrypted";
    case Error::Kind::unsupported:
      return "uses a feature that is not read";
    case Error::Kind::trailing_data:
      return "something follows the end";
  }
  std::abort();
}

bool is_safe_part(std::string_view part) { return !part.empty() && part != "." && part != ".."; }

bool is_bad_character(char c) {
  const auto byte = static_cast<Byte>(c);
  return byte < 0x20 || byte == 0x7F || c == '\\';
}

}  // namespace

std::string describe(const Error& error) {
  std::string out(words(error.kind));
  out += " at byte " + std::to_string(error.offset);
  if (!error.entry.empty()) {
    out += ", entry `" + printable(cut_utf8(error.entry, kShownName)) + "`";
  }
  return out;
}

bool is_safe_name(std::string_view name, const Limits& limits) {
  if (name.empty() || name.size() > limits.max_name || !is_utf8(name)) return false;
  if (std::any_of(name.begin(), name.end(), is_bad_character)) return false;
  if (name.size() >= 2 && name[1] == ':') return false;
  const auto parts = split(name, '/');
  return std::all_of(parts.begin(), parts.end(), is_safe_part);
}

bool is_bomb(std::uint64_t input, std::uint64_t output, const Limits& limits) {
  return output > limits.free_output &&
         output / std::max<std::uint64_t>(limits.max_ratio, 1) > input;
}

}  // namespace cg::archive
