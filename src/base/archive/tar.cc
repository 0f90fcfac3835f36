#include "base/archive/tar.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::archive {

namespace {

using Kind = Error::Kind;
constexpr std::size_t kMaxExtension = 64 * 1024;  // of a pax or long-name entry

/// A text field: up to its first NUL.
std::string_view text_field(std::string_view block, std::size_t at, std::size_t size) {
  const std::string_view field = block.substr(at, size);
  return field.substr(0, std::min(field.find('\0'), field.size()));
}

/// GNU's way to write a number that octal digits have no room for.
std::optional<std::uint64_t> base256(std::string_view field) {
  if (static_cast<Byte>(field[0]) != 0x80U) return std::nullopt;  // negative or absurd
  std::uint64_t value = 0;
  for (const char c : field.substr(1)) {
    if (value >> 55U != 0) return std::nullopt;
    value = value << 8U | static_cast<Byte>(c);
  }
  return value;
}

/// Octal digits with spaces and NULs around them, or base 256.
std::optional<std::uint64_t> number_field(std::string_view field) {
  if ((static_cast<Byte>(field[0]) & 0x80U) != 0) return base256(field);
  std::uint64_t value = 0;
  const std::size_t first = field.find_first_not_of(' ');
  if (first == std::string_view::npos) return 0;
  for (const char c : field.substr(first)) {
    if (c == ' ' || c == '\0') break;
    if (c < '0' || c > '7' || value >> 55U != 0) return std::nullopt;
    value = value << 3U | static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

bool checksum_holds(std::string_view block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i) {
    sum += i >= 148 && i < 156 ? Byte{' '} : static_cast<Byte>(block[i]);
  }
  return number_field(block.substr(148, 8)) == sum;
}

bool all_zero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; });
}

/// What a pax or long-name entry says about the next one.
struct Extension {
  std::optional<std::string> path;
  std::optional<std::uint64_t> size;
  bool sparse = false;
};

/// "path=some/where\n"; false if it is anything else.
bool parse_pax_record(std::string_view record, Extension& out) {
  const std::size_t equals = record.find('=');
  if (equals == std::string_view::npos || !record.ends_with('\n')) return false;
  const std::string_view key = record.substr(0, equals);
  const std::string_view value = record.substr(equals + 1, record.size() - equals - 2);
  if (key == "path") out.path = value;
  if (key.starts_with("GNU.sparse.")) out.sparse = true;
  if (key != "size") return true;
  out.size = parse_u64(value);
  return out.size.has_value();
}

/// Records with their length before each, "27 path=some/where\n", again and again.
bool parse_pax(std::string_view text, Extension& out) {
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const auto length = parse_u64(text.substr(0, space));
    if (!length || *length > text.size() || *length < space + 3) return false;
    if (!parse_pax_record(text.substr(space + 1, *length - space - 1), out)) return false;
    text.remove_prefix(*length);
  }
  return true;
}

class Reader {
 public:
  Reader(std::string_view bytes, const Limits& limits, const OnEntry& on_entry)
      : bytes_(bytes), limits_(limits), on_entry_(on_entry) {}

  Result<Counts, Error> run() {
    for (;;) {
      if (bytes_.size() - at_ < kTarBlock) return fail(error(Kind::truncated));
      const std::string_view block = bytes_.substr(at_, kTarBlock);
      if (all_zero(block)) return finish();
      CG_TRY_ASSIGN(const Next next, one(block));
      if (next == Next::stop) return counts_;
    }
  }

 private:
  [[nodiscard]] Error error(Kind kind, std::string_view name = {}) const {
    return {kind, at_, printable(name)};
  }

  Result<Counts, Error> finish() {
    if (at_ == 0) return fail(error(Kind::other_format));
    if (!all_zero(bytes_.substr(at_))) return fail(error(Kind::trailing_data));
    return counts_;
  }

  static std::string header_name(std::string_view block) {
    const bool posix = block.substr(257, 6) == std::string_view("ustar\0", 6);
    const std::string_view prefix = posix ? text_field(block, 345, 155) : std::string_view{};
    std::string name(prefix);
    if (!prefix.empty()) name += '/';
    name += text_field(block, 0, 100);
    return name;
  }

  Result<Next, Error> one(std::string_view block) {
    if (block.substr(257, 5) != "ustar") {
      return fail(error(at_ == 0 ? Kind::other_format : Kind::damaged));
    }
    const auto stored = number_field(block.substr(124, 12));
    if (!checksum_holds(block)) return fail(error(Kind::checksum));
    if (!stored) return fail(error(Kind::damaged));
    const char type = block[156];
    const bool describes_next = type == 'x' || type == 'L';
    const std::uint64_t size = describes_next ? *stored : next_.size.value_or(*stored);
    const std::string name = next_.path.value_or(header_name(block));
    if (size > bytes_.size() - at_ - kTarBlock) return fail(error(Kind::truncated, name));
    const std::string_view content = bytes_.substr(at_ + kTarBlock, size);
    if (++entries_ > limits_.max_entries) return fail(error(Kind::too_many_entries, name));
    CG_TRY_ASSIGN(const Next next,
                  describes_next ? extend(type, content) : hand_out(type, name, content));
    const std::uint64_t whole = kTarBlock + (size + kTarBlock - 1) / kTarBlock * kTarBlock;
    if (whole > bytes_.size() - at_) return fail(error(Kind::truncated, name));
    at_ += whole;
    return next;
  }

  Result<Next, Error> extend(char type, std::string_view content) {
    if (content.size() > kMaxExtension) return fail(error(Kind::entry_too_large));
    if (type == 'L') {
      next_.path = content.substr(0, std::min(content.find('\0'), content.size()));
    } else if (!parse_pax(content, next_)) {
      return fail(error(Kind::damaged));
    }
    return Next::more;
  }

  Result<Next, Error> hand_out(char type, const std::string& name, std::string_view content) {
    const Extension said = std::exchange(next_, {});
    if (said.sparse || type == 'S') return fail(error(Kind::unsupported, name));
    if (type != '0' && type != '\0' && type != '7') {
      ++counts_.skipped;
      return Next::more;
    }
    if (!is_safe_name(name, limits_)) return fail(error(Kind::unsafe_name, name));
    if (content.size() > limits_.max_entry) return fail(error(Kind::entry_too_large, name));
    if (content.size() > limits_.max_output - output_) {
      return fail(error(Kind::output_too_large, name));
    }
    if (!names_.insert(name).second) return fail(error(Kind::duplicate_name, name));
    output_ += content.size();
    ++counts_.files;
    return on_entry_({name, content, at_});
  }

  std::string_view bytes_;
  const Limits& limits_;
  const OnEntry& on_entry_;
  std::uint64_t at_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t output_ = 0;
  Extension next_;
  std::set<std::string, std::less<>> names_;
  Counts counts_;
};

}  // namespace

Result<Counts, Error> read_tar(std::string_view bytes, const Limits& limits,
                               const OnEntry& on_entry) {
  return Reader(bytes, limits, on_entry).run();
}

}  // namespace cg::archive
