#include "npm/lockfile/pnpm_key.h"

#include <vector>

#include "base/base/text.h"

namespace cg::lockfile {

namespace {

constexpr auto kNowhere = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_version(std::string_view text) {
  return !text.empty() && is_digit(text.front()) && text.find_first_of("/:") == kNowhere &&
         text.find('.') != kNowhere;
}

/// Where the name at the start of `text` ends, which `separator` follows.
std::size_t name_end(std::string_view text, char separator) {
  std::size_t from = 0;
  if (text.starts_with('@')) {
    from = text.find('/');
    if (from == kNowhere) return kNowhere;
    ++from;
  }
  const std::size_t end = text.find(separator, from);
  return end == from ? kNowhere : end;
}

PnpmKey split_key(std::string_view text, char separator) {
  const std::size_t end = name_end(text, separator);
  if (end == kNowhere || end == 0) return {};
  PnpmKey key;
  key.name = text.substr(0, end);
  key.reference = text.substr(end + 1);
  if (separator == '/') key.reference = key.reference.substr(0, key.reference.find('_'));
  if (is_version(key.reference)) key.version = key.reference;
  return key;
}

/// What stands behind the host of a registry of its own; empty if there is none.
std::string_view behind_host(std::string_view key) {
  const std::size_t slash = key.find('/');
  const bool host = slash != kNowhere && key.substr(0, slash).find('.') != kNowhere &&
                    key.substr(0, slash).find(':') == kNowhere && !key.starts_with('@');
  return host ? key.substr(slash + 1) : std::string_view();
}

/// Before v9 a key without a version is an address of its own.
PnpmKey parse_old(std::string_view key, char separator) {
  PnpmKey parsed = split_key(key.starts_with('/') ? key.substr(1) : behind_host(key), separator);
  return parsed.version.empty() ? PnpmKey() : parsed;
}

}  // namespace

/// `(a@1.0.0)(b@2.0.0(c@3.0.0))` at the end.
std::string_view without_peers(std::string_view key) {
  while (key.ends_with(')')) {
    std::size_t depth = 0;
    std::size_t at = key.size();
    do {
      --at;
      if (key[at] == ')') ++depth;
      if (key[at] == '(') --depth;
    } while (depth > 0 && at > 0);
    if (depth > 0 || at == 0) return key;
    key = key.substr(0, at);
  }
  return key;
}

PnpmKey parse_pnpm_key(PnpmFormat format, std::string_view key) {
  switch (format) {
    case PnpmFormat::v5:
      return parse_old(key, '/');
    case PnpmFormat::v6:
      return parse_old(without_peers(key), '@');
    case PnpmFormat::v9:
      break;
  }
  return split_key(without_peers(key), '@');
}

void dependency_key(PnpmFormat format, std::string_view name, std::string_view reference,
                    std::string& out) {
  out = format == PnpmFormat::v9 ? "" : "/";
  out += name;
  out += format == PnpmFormat::v5 ? '/' : '@';
  out += reference;
}

std::string join_path(std::string_view from, std::string_view path) {
  std::vector<std::string_view> parts;
  for (const std::string_view side : {path.starts_with('/') ? std::string_view() : from, path}) {
    for (const std::string_view part : cg::split(side, '/')) {
      if (part.empty() || part == ".") continue;
      if (part == ".." && !parts.empty() && parts.back() != "..") {
        parts.pop_back();
      } else {
        parts.push_back(part);
      }
    }
  }
  std::string out;
  for (const std::string_view part : parts) {
    if (!out.empty()) out += '/';
    out += part;
  }
  return out.empty() ? "." : out;
}

}  // namespace cg::lockfile
